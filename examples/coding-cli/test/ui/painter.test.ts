import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Terminal as Xterm } from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { Painter } from '../../src/ui/painter.js';
import { row, type Row } from '../../src/ui/rows.js';
import { ScreenModel } from '../../src/ui/screen-model.js';

// It is CommonJS, and its names are not seen from here.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof Xterm };
const PRINTED = 10_000;

/** A terminal emulator, and how many characters it got in all. */
function open(columns = 40, height = 12, scrollback = 100) {
  const xterm = new Terminal({ cols: columns, rows: height, scrollback, allowProposedApi: true });
  const canvas = {
    size: { columns, height },
    measure: () => canvas.size,
    written: 0,
    write: (data: string) => {
      canvas.written += data.length;
      xterm.write(data);
    },
  };
  return {
    canvas,
    painter: new Painter(canvas, { hasColor: true }),
    resize: (narrow: number) => {
      canvas.size = { columns: narrow, height };
      return new Promise<void>((resolve) => xterm.write('', () => (xterm.resize(narrow, height), resolve())));
    },
    /** Rows with what has scrolled away. */
    rows: async (): Promise<string[]> => {
      await new Promise<void>((resolve) => xterm.write('', resolve));
      const { active } = xterm.buffer;
      const all = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? '');
      return all.slice(0, all.findLastIndex((line) => line !== '') + 1);
    },
  };
}

const frame = (...texts: string[]): Row[] => texts.map((text) => row(text));

describe('the painter', () => {
  it('prints each row once above a frame that is drawn over the last one, whether it grows or shrinks', async () => {
    const { painter, rows } = open();
    painter.paint(frame('banner'), frame('one', 'two', 'three'));
    painter.paint([], frame('one', 'TWO', 'three'));
    painter.paint(frame('said', ''), frame('input'));
    painter.paint([], frame('a', 'input'));
    expect(await rows()).toEqual(['banner', 'said', '', 'a', 'input']);
    painter.paint(frame('last'), []);
    expect(await rows()).toEqual(['banner', 'said', '', 'last']);
  });

  it('keeps the last sign of rows that reach the edge, and cuts those of the frame that are too long', async () => {
    const { painter, rows } = open(10);
    painter.paint(frame('0123456789'), frame('─'.repeat(10), 'abcdefghijklm'));
    painter.paint([], frame('='.repeat(10), 'abcdefghijklm'));
    expect(await rows()).toEqual(['0123456789', '='.repeat(10), 'abcdefghi…']);
  });

  it('draws over a frame that the terminal has wrapped because it became narrower', async () => {
    const { painter, rows, resize } = open(40);
    painter.paint(frame('above'), frame('─'.repeat(40), 'input'));
    await resize(15);
    painter.paint([], frame('─'.repeat(15), 'input'));
    expect(await rows()).toEqual(['above', '─'.repeat(15), 'input']);
  });

  it('writes only the rows that differ, and nothing if none does', () => {
    const { painter, canvas } = open(80, 24);
    const texts = Array.from({ length: 12 }, (_, index) => `row ${index} ${'x'.repeat(60)}`);
    painter.paint([], frame(...texts));
    const before = canvas.written;
    painter.paint([], frame(...texts));
    expect(canvas.written).toBe(before);
    painter.paint([], frame(...texts.with(7, 'other')));
    expect(canvas.written - before).toBeLessThan(60);
  });

  it('writes as little behind 10,000 printed rows as behind none', () => {
    const { painter, canvas } = open();
    const cost = (text: string): number => {
      const before = canvas.written;
      painter.paint(frame(text), frame('input', 'status'));
      return canvas.written - before;
    };
    cost('0');
    const first = cost('00000');
    for (let index = 0; index < PRINTED; index += 1) cost(String(index));
    expect(cost('00000')).toBe(first);
  });

  it('neither it nor the model of the screen holds a row that was printed', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { painter } = open();
    const model = new ScreenModel();
    const refs: WeakRef<Row>[] = [];
    for (let turn = 0; turn < 50; turn += 1) {
      model.handle({ msg: { type: 'user_message', data: { text: `question ${turn}` } } });
      model.handle({ msg: { type: 'agent_message', data: { text: `answer ${turn}` } } });
      const rows = model.takeRows();
      refs.push(...rows.map((spans) => new WeakRef(spans)));
      painter.paint(rows, frame('input'));
    }
    // A reference that was made in this turn of the loop holds its target.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(refs.length).toBeGreaterThan(190);
    expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(10);
    // Both live until here.
    painter.paint(model.takeRows(), []);
  });
});
