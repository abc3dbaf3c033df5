import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nameOfPicture, type Picture } from '../../src/pictures/picture-store.js';
import { chartRenderTool } from '../../src/tools/chart-render.js';
import { inTurn } from '../support/in-turn.js';
import { picturesIn } from '../support/pictures.js';
import { makeWorkspace } from '../support/workspace.js';

const BAR = {
  data: {
    values: [
      { duck: 'Ada', eggs: 3 },
      { duck: 'Bob', eggs: 5 },
    ],
  },
  mark: 'bar',
  encoding: { x: { field: 'duck', type: 'nominal' }, y: { field: 'eggs', type: 'quantitative' } },
};

function rig() {
  const files = makeWorkspace();
  const folder = mkdtempSync(join(tmpdir(), 'charts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const pictures = picturesIn(folder, 'chat');
  const tool = chartRenderTool(files, pictures);
  const draw = (spec: object, path?: string) =>
    inTurn({ sessionId: 'chat' }, () =>
      tool.execute(
        { spec, alt: 'Eggs', ...(path === undefined ? {} : { path }) },
        { toolCallId: 'c', signal: new AbortController().signal },
      ),
    );
  const svgOf = async (output: object): Promise<string> => {
    const { picture } = output as { readonly picture: Picture };
    return Buffer.from((await pictures.read('chat', nameOfPicture(picture)))?.content ?? []).toString();
  };
  return { files, tool, draw, svgOf };
}

describe('chartRender', () => {
  it('draws a Vega-Lite specification, and writes it into the workspace if a path is named', async () => {
    const { files, draw, svgOf } = rig();
    const shown = await draw(BAR);
    expect(shown).toMatchObject({ ok: true, picture: { mediaType: 'image/svg+xml', alt: 'Eggs' } });
    expect(await svgOf(shown)).toMatch(/^<svg [^]*Ada[^]*Bob[^]*<\/svg>$/);
    const written = await draw(BAR, 'charts/eggs.svg');
    expect(written).toMatchObject({ ok: true, path: 'charts/eggs.svg' });
    expect(readFileSync(join(files.root, 'charts/eggs.svg'), 'utf8')).toBe(await svgOf(shown));
  });

  it('asks before it writes, and for nothing else', async () => {
    const { tool } = rig();
    const judge = (path?: string) => tool.judge?.({ spec: BAR, alt: 'x', ...(path === undefined ? {} : { path }) });
    expect(await judge()).toEqual({ decision: 'run' });
    expect(await judge('a.svg')).toMatchObject({ decision: 'ask', reason: 'it writes a file' });
    for (const path of ['a.html', '../a.svg', '.git/a.svg', '.chat-server/a.svg']) {
      expect(await judge(path), path).toMatchObject({ decision: 'refuse' });
    }
  });

  it('loads nothing, whether data or pictures', async () => {
    const reached: string[] = [];
    const server = createServer((request, response) => {
      reached.push(request.url ?? '');
      response.end('[]');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const evil = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { draw } = rig();
    for (const spec of [
      { ...BAR, data: { url: `${evil}/data.json` } },
      { ...BAR, data: { url: 'file:///etc/passwd', format: { type: 'csv' } } },
      { ...BAR, mark: 'image', encoding: { url: { value: `${evil}/picture.png` } } },
    ]) {
      await expect(draw(spec)).rejects.toThrow('A chart loads nothing: put the data of');
    }
    expect(reached).toEqual([]);
  });

  it('draws no script, no link and no words that would be one', async () => {
    const { draw, svgOf } = rig();
    const hostile = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>';
    const spec = { ...BAR, title: hostile, mark: { type: 'bar', href: 'javascript:alert(1)', tooltip: hostile } };
    const svg = await svgOf(await draw(spec));
    expect(svg).not.toMatch(/<script|<img|javascript:|https?:\/\/(?!www\.w3\.org)/i);
  });

  it('runs no code of a specification', async () => {
    const { draw } = rig();
    const code = 'this.constructor.constructor("return process.exit(1)")()';
    await expect(draw({ ...BAR, transform: [{ calculate: code, as: 'z' }] })).rejects.toThrow('Disabled');
  });

  it.each([
    ['nothing', {}, 'Invalid specification'],
    ['an unknown mark', { ...BAR, mark: 'cake' }, 'This is not a Vega-Lite chart'],
    ['more pixels than a screen', { ...BAR, width: 1e9 }, '2000 are allowed'],
    ['more than there is memory for', { ...BAR, data: { sequence: { start: 0, stop: 1e9 } } }, 'sum the data up first'],
  ])('says what is wrong: %s', { timeout: 60_000 }, async (_name, spec, message) => {
    const { draw, files } = rig();
    await expect(draw(spec, 'a.svg')).rejects.toThrow(message);
    expect(existsSync(join(files.root, 'a.svg'))).toBe(false);
  });
});
