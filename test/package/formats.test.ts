import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { runNode } from './run-node.js';
import { answerHello } from './hello-server.js';

const consumer = inject('consumer');

async function outputOf(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const { code, stdout, stderr } = await runNode(args, { cwd: consumer, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

async function namesOf(script: string): Promise<Record<string, readonly string[]>> {
  const names = Object.entries((await outputOf([script])) as Record<string, string[]>);
  return Object.fromEntries(names.map(([entry, found]) => [entry, found.toSorted()]));
}

describe('the packed tarball', () => {
  it('gives the same names to import and require', async () => {
    const imported = await namesOf('names.mjs');
    const required = await namesOf('names.cjs');
    expect(imported['main']).toContain('createResponsesProvider');
    expect(required).toEqual(imported);
  });

  it('gives the same names to every version of the AI SDK', async () => {
    const { main, v3, v4, ai5, ai6, ai7 } = await namesOf('names.mjs');
    expect([v3, v4, ai5, ai6, ai7]).toEqual([main, main, main, main, main]);
  });

  it('has a stand-in with the same names where no process can be started', async () => {
    const folder = join(consumer, 'node_modules/responses-loop');
    const { imports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      imports: { '#mcp-stdio': Record<string, unknown> };
    };
    const choice = imports['#mcp-stdio'];
    expect(Object.keys(choice)).toEqual(['types', 'node', 'default']);
    for (const path of JSON.stringify(choice).match(/\.\/dist\/[^"]+/g) ?? []) {
      expect(existsSync(join(folder, path)), path).toBe(true);
    }
    const script = `for (const kind of ['node', 'stub'])
      console.log(JSON.stringify(Object.keys(await import('./dist/mcp-stdio-' + kind + '.js'))))`;
    const { stdout } = await runNode(['--input-type=module', '-e', script], { cwd: folder });
    const [node, stub] = stdout.trim().split('\n');
    expect(node).not.toBe('[]');
    expect(stub).toBe(node);
  });
});

describe('the main job from the tarball', () => {
  let server: Server;
  let baseURL: string;

  beforeAll(async () => {
    server = createServer(answerHello);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    baseURL = `http://127.0.0.1:${address.port}/v1`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  // AI SDK 7 does not run on every Node that this is tested on.
  it.each([
    ['main-job.mjs', 'ai', 'responses-loop'],
    ['main-job.cjs', 'ai', 'responses-loop'],
    ['main-job.mjs', 'ai', 'responses-loop/ai5'],
    ['main-job.mjs', 'ai-6', 'responses-loop/v3'],
    ['main-job.cjs', 'ai-6', 'responses-loop/v3'],
    ['main-job.mjs', 'ai-6', 'responses-loop/ai6'],
  ])('%s with %s and %s streams and generates a text', async (...args) => {
    const answer = 'Hello from the tarball.';
    expect(await outputOf(args, { BASE_URL: baseURL })).toEqual({ streamed: answer, generated: answer });
  });
});
