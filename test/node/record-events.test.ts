import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { ObserverEvent } from 'responses-loop';
import { recordEvents } from 'responses-loop/node';
import { type FileLine, rangesOf, readLine } from '../../src/node/event-format.js';
import { EventLines } from '../../src/node/event-lines.js';
import { readEvents } from '../../src/node/read-events.js';

const folder = mkdtempSync(join(tmpdir(), 'record-events-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = (): string => join(folder, `${(files += 1)}.jsonl`);

const warning = (message: string): ObserverEvent => ({ type: 'warning', message });
const item = (at: number, chars = 200) => ({ type: 'message', role: 'user', content: `${at} ${'x'.repeat(chars)}` });
const request = (round: number, input: readonly unknown[]): ObserverEvent => ({
  type: 'request',
  callNumber: 1,
  round,
  url: 'http://127.0.0.1/v1/responses',
  headers: { 'user-agent': 'a'.repeat(150) },
  body: { model: 'm', instructions: 'Be brief. '.repeat(50), tools: [{ name: 'a' }, { name: 'b' }], input },
});
const list = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

async function read(text: string | readonly string[], onOdd?: () => void): Promise<FileLine[]> {
  const chunks = (async function* () {
    yield* typeof text === 'string' ? [text] : text;
  })();
  const lines: FileLine[] = [];
  for await (const line of readEvents(chunks, { name: 'events.jsonl', ...(onOdd && { onOdd }) })) lines.push(line);
  return lines;
}

const linesIn = (path: string): FileLine[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => readLine(line) ?? []);
const messagesIn = (path: string): unknown[] =>
  linesIn(path).flatMap((line) => ('event' in line ? [line.event['message']] : []));

/** What the parts say that an event names. */
function inputsOf(lines: readonly FileLine[]): unknown[][] {
  const parts = new Map(lines.flatMap((line) => ('part' in line ? [[line.part, line.value] as const] : [])));
  return lines.flatMap((line) => {
    const ranges = 'lists' in line ? line.lists['body.input'] : undefined;
    if (ranges === undefined) return [];
    const input: unknown[] = [];
    for (let at = 0; at < ranges.length; at += 2)
      for (let part = ranges[at] ?? 0; part <= (ranges[at + 1] ?? 0); part += 1) input.push(parts.get(part));
    return [input];
  });
}

describe('recordEvents', () => {
  it('keeps events with their times, in a file for the owner alone', async () => {
    const path = newPath();
    const before = Date.now();
    const record = recordEvents(path);
    record(warning('one'));
    record({ type: 'call-start', callNumber: 1, modelId: 'm', replayed: true });
    record.close();
    const [head, first, second] = linesIn(path);
    expect(head).toMatchObject({ format: 'responses-loop events', version: 1 });
    expect(first).toMatchObject({ event: { type: 'warning', message: 'one' }, run: head?.run });
    expect(second).toMatchObject({ event: { type: 'call-start', replayed: true } });
    expect((first as { at: number }).at).toBeGreaterThanOrEqual(before);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('has written an event a turn later, without being closed', async () => {
    const path = newPath();
    const record = recordEvents(path);
    record(warning('one'));
    await nextTurn();
    expect(messagesIn(path)).toEqual(['one']);
    record.close();
  });

  it('says at once, and where, that a file cannot be written', () => {
    const path = join(folder, 'missing', 'events.jsonl');
    expect(() => recordEvents(path)).toThrow(/recordEvents: cannot write to ".*missing.*ENOENT/);
    expect(() => recordEvents(folder)).toThrow(/EISDIR/);
  });

  it('takes events after it was closed, twice even, and keeps none', () => {
    const path = newPath();
    const record = recordEvents(path);
    record.close();
    record(warning('late'));
    record.close();
    expect(messagesIn(path)).toEqual([]);
  });

  it('lets several recorders write to one file, each with parts of its own', async () => {
    const path = newPath();
    const both = [recordEvents(path), recordEvents(path)];
    for (const round of [0, 1]) for (const record of both) record(request(round, list(round + 1, item)));
    for (const record of both) record.close();
    const lines = linesIn(path);
    expect(new Set(lines.map(({ run }) => run)).size).toBe(2);
    for (const run of new Set(lines.map((line) => line.run)))
      expect(inputsOf(lines.filter((line) => line.run === run))).toEqual([list(1, item), list(2, item)]);
  });

  it('begins on a line of its own behind half a line of a process that was killed', () => {
    const path = newPath();
    const first = recordEvents(path);
    first(warning('whole'));
    first.close();
    appendFileSync(path, '{"run":"x","at":1,"event":{"type":"warn');
    const second = recordEvents(path);
    second(warning('after'));
    second.close();
    expect(messagesIn(path)).toEqual(['whole', 'after']);
  });
});

describe('what a file holds of a loop', () => {
  it('grows with what is new, not with what is sent again', () => {
    const charsOf = (rounds: number): number => {
      const lines = new EventLines('run');
      return list(
        rounds,
        (round) =>
          lines.of(
            request(
              round,
              list(round + 1, (at) => item(at, 1000)),
            ),
            1,
          ).length,
      ).reduce((sum, chars) => sum + chars, 0);
    };
    // Sent are 12,880 items against 820.
    expect(charsOf(160) / charsOf(40)).toBeLessThan(4.1);
    expect(charsOf(160)).toBeLessThan(160 * 1600);
  });

  it('is the whole of every request', () => {
    const lines = new EventLines('run');
    const inputs = [list(1, item), list(3, item), [item(0), item(7), item(1)], []];
    const text = inputs.map((input, round) => lines.of(request(round, input), 1)).join('');
    const kept = text.split('\n').flatMap((line) => readLine(line) ?? []);
    expect(inputsOf(kept)).toEqual(inputs.slice(0, 3));
    const last = kept.at(-1);
    expect(last).toMatchObject({ event: { body: { model: 'm', input: [] } }, lists: { 'body.tools': [3, 4] } });
    expect(kept.filter((line) => 'part' in line && typeof line.value === 'string')).toHaveLength(1);
  });

  it('writes a part again that it has forgotten, and remembers the latest', () => {
    const lines = new EventLines('run', 2);
    const partsOf = (round: number, input: readonly unknown[]): number =>
      lines.of({ ...request(round, input), body: { input }, headers: {} } as ObserverEvent, 1).split('"value":')
        .length - 1;
    expect(partsOf(0, [1, 2, 3])).toBe(3);
    expect(partsOf(1, [3])).toBe(0);
    expect(partsOf(2, [4, 5, 6, 7])).toBe(4);
    expect(partsOf(3, [1])).toBe(1);
  });

  it('leaves an event out that is no JSON, and keeps what later ones name', () => {
    const lines = new EventLines('run');
    const odd = { ...request(0, [item(0)]), status: 1n } as unknown as ObserverEvent;
    const text = lines.of(odd, 1) + lines.of(request(1, [item(0), item(1)]), 2);
    const kept = text.split('\n').flatMap((line) => readLine(line) ?? []);
    expect(inputsOf(kept)).toEqual([[item(0), item(1)]]);
  });

  it('says lists as ranges from which they come back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 })), (numbers) => {
        const ranges = rangesOf(numbers);
        const back: number[] = [];
        for (let at = 0; at < ranges.length; at += 2)
          for (let number = ranges[at] ?? 0; number <= (ranges[at + 1] ?? 0); number += 1) back.push(number);
        expect(back).toEqual(numbers);
      }),
    );
  });
});

describe('reading', () => {
  const head = new EventLines('r').head(1);
  const line = (message: string): string => new EventLines('r').of(warning(message), 2);

  it('passes over what it does not know: a torn end, lines of others, parts without a number', async () => {
    let odd = 0;
    const others = ['not JSON', '[]', '{"level":30,"msg":"pino"}', '{"run":"r","part":-1,"value":1}', '{"run":1}'];
    const text = `${head}\n${line('one')}${others.join('\n')}\n${line('two')}{"run":"r","at":3,"ev`;
    const lines = await read(text, () => (odd += 1));
    expect(lines.flatMap((each) => ('event' in each ? [each.event['message']] : []))).toEqual(['one', 'two']);
    expect(odd).toBe(others.length + 1);
  });

  it('hands over events of types that are not known yet', async () => {
    const [, event] = await read(`${head}{"run":"r","at":3,"event":{"type":"tomorrow","x":1}}\n`);
    expect(event).toMatchObject({ event: { type: 'tomorrow', x: 1 }, lists: {}, values: {} });
  });

  it('is the same however the text is cut, also at separators of lines that JSON has no escape for', async () => {
    const text = `${head}${line('a\u2028b\u2029c\r')}${line('d')}`;
    const whole = await read(text);
    expect(whole).toHaveLength(3);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: text.length })), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const chunks = places.slice(1).map((end, at) => text.slice(places[at], end));
        expect(await read(chunks)).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });

  it('refuses a file of a newer format and one without events, and says which', async () => {
    await expect(read(head.replace('"version":1', '"version":2'))).rejects.toThrow(
      /events.jsonl was written in version 2/,
    );
    await expect(read('{"level":30}\n')).rejects.toThrow(/events.jsonl contains no events/);
    await expect(read('')).rejects.toThrow(/no events/);
  });

  it('puts nothing on prototypes', async () => {
    const text = `${head}{"run":"r","at":3,"event":{"type":"x"},"lists":{"__proto__":[1,1]},"values":{"__proto__":1}}\n`;
    await read(text);
    expect(({} as Record<string, unknown>)['0']).toBeUndefined();
  });
});
