import { describe, expect, it } from 'vitest';
import { openCoder, scripted, text } from '../support/open-coder.js';
import type { TestTerminal } from '../support/terminal.js';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 40, rows: 12 },
] as const;

const ANSWER = `Some *leaning* and **strong** words, ${'and then more of them '.repeat(12)}

| File | Lines |
|:-----|------:|
| a.ts | 12 |
| b.ts | 7 |

> A quote.

\`\`\`ts
const answer = 4711; // why
\`\`\`

See [the docs](https://example.com/docs).
`;

/** The cell in which a text begins. */
function cellOf({ buffer, all }: TestTerminal, wanted: string) {
  const y = all.findIndex((line) => line.includes(wanted));
  return buffer.active.getLine(y)?.getCell(all[y]?.indexOf(wanted) ?? 0);
}

describe.each(SIZES)('Markdown in a terminal of $columns × $rows', (size) => {
  it('has tables with lines, links, quotes, emphasis and coloured code, each printed once', async () => {
    await using server = await scripted(() => text(ANSWER));
    using coder = await openCoder({ ...size, server });
    await coder.say('show it');
    await coder.terminal.shows('See the docs');
    await coder.idle();
    const { terminal } = coder;
    for (const line of ['┌──────┬───────┐', '│ File │ Lines │', '│ a.ts │    12 │', '└──────┴───────┘', '│ A quote.'])
      expect(terminal.count(line)).toBe(1);
    expect(terminal.text).not.toMatch(/\*leaning|\*\*strong|```|\| a\.ts|\[the docs/);
    expect(cellOf(terminal, 'leaning')?.isItalic()).toBeTruthy();
    expect(cellOf(terminal, 'strong')?.isBold()).toBeTruthy();
    expect(cellOf(terminal, 'const')?.getFgColor()).toBe(5);
    expect(cellOf(terminal, '4711;')?.getFgColor()).toBe(3);
    expect(terminal.raw).toContain('\u001B]8;;https://example.com/docs\u0007the docs');
    expect(
      Math.max(...terminal.all.filter((line) => line.includes('then')).map((line) => line.length)),
    ).toBeLessThanOrEqual(Math.min(size.columns, 102));
    expect(terminal.clears).toBe(0);
  });

  it('keeps to NO_COLOR', async () => {
    await using server = await scripted(() => text(ANSWER));
    using coder = await openCoder({ ...size, server, env: { NO_COLOR: '1' } });
    await coder.say('show it');
    await coder.terminal.shows('See the docs');
    expect(cellOf(coder.terminal, 'const')?.isFgDefault()).toBe(true);
  });
});
