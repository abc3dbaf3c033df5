import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ObserverEvent } from 'responses-loop';
import { Screen } from '../../examples/demo/screen.js';

const ORDERS = 'a\u001b[2J\u001b]0;pwned\u0007\u009b31m\r\u202e\u{e0041}b';
const RAW = /[^\P{Cc}\n\t]|\p{Bidi_Control}|[\u{e0000}-\u{e007f}]/u;

/** All that is written to the terminal. */
function terminal(): { readonly written: () => string } {
  const texts: string[] = [];
  const keep = (text: unknown): boolean => texts.push(String(text)) > 0;
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, 'write').mockImplementation(keep);
    onTestFinished(() => spy.mockRestore());
  }
  return { written: () => texts.join('') };
}

describe('orders to a terminal in the words of a model, a tool or a server', () => {
  it('reach the terminal escaped, whatever the screen shows', () => {
    const { written } = terminal();
    const screen = new Screen();
    const place = { callNumber: 1, round: 0, callId: ORDERS, tool: ORDERS, source: ORDERS, timestamp: 0 };
    const events: unknown[] = [
      { ...place, type: 'round-start', model: ORDERS },
      { ...place, type: 'tool-start', arguments: { [ORDERS]: ORDERS } },
      { ...place, type: 'tool-end', isError: true, output: ORDERS, durationMs: 1 },
      { ...place, type: 'retry', delayMs: 1, reason: ORDERS },
      { ...place, type: 'mcp-error', message: ORDERS },
    ];
    for (const event of events) screen.event(event as ObserverEvent);
    screen.text(ORDERS);
    screen.problem(ORDERS);
    screen.success(ORDERS);
    screen.fact('model', ORDERS);
    expect(written()).not.toMatch(RAW);
    expect(written().match(/a\\u\{1b\}\[2J/g)?.length).toBeGreaterThanOrEqual(8);
  });
});
