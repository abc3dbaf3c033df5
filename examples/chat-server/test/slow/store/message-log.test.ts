import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { FileStorage } from '../../../src/store/file-storage.js';
import { MessageLog } from '../../../src/store/message-log.js';
import type { StoredMessage } from '../../../src/types.js';
import { call, message } from '../../support/messages.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  folders.push(folder);
  return join(folder, 'messages.jsonl');
}

async function open(path: string): Promise<{ log: MessageLog; warnings: string[] }> {
  const warnings: string[] = [];
  const storage = new FileStorage(dirname(path));
  const log = await MessageLog.open({ storage, path: basename(path), onWarning: (text) => warnings.push(text) });
  return { log, warnings };
}

const said = (id: string, text: string): StoredMessage => message(id, { parts: [{ type: 'text', text }] });

describe('MessageLog', () => {
  it('reads what it wrote: of one id the last line, in the place of the first', async () => {
    const path = newPath();
    const { log } = await open(path);
    for (const each of [said('a', '1'), said('b', '2'), said('a', '3\u2028\n"')]) await log.save(each);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
    const again = await open(path);
    expect(again.log.all()).toEqual([said('a', '3\u2028\n"'), said('b', '2')]);
    expect(again.warnings).toEqual([]);
  });

  it('cuts off a torn last line, says so, and goes on behind it', async () => {
    const path = newPath();
    const { log } = await open(path);
    await log.save(said('a', 'whole'));
    appendFileSync(path, JSON.stringify(said('b', 'torn ü')).slice(0, -9));
    const torn = await open(path);
    expect(torn.log.all().map(({ id }) => id)).toEqual(['a']);
    expect(torn.warnings).toHaveLength(1);
    await torn.log.save(said('c', 'next'));
    expect((await open(path)).log.all().map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it.each([
    ['no JSON', '{"id": oops'],
    ['no object', '17'],
    ['an id that is a path', JSON.stringify(said('../../etc', 'x'))],
    ['a role that does not exist', JSON.stringify({ ...said('b', 'x'), role: 'root' })],
    ['no parts', JSON.stringify({ ...said('b', 'x'), parts: 'none' })],
  ])('skips a line that is %s, and says which', async (_what, line) => {
    const path = newPath();
    writeFileSync(path, `${JSON.stringify(said('a', '1'))}\n${line}\n${JSON.stringify(said('c', '3'))}\n`);
    const { log, warnings } = await open(path);
    expect(log.all().map(({ id }) => id)).toEqual(['a', 'c']);
    expect(warnings.join()).toMatch(/\b2\b/);
  });

  it('is rewritten when dead lines are many more than the living, and keeps all of these', async () => {
    const path = newPath();
    const { log } = await open(path);
    await log.save(said('first', 'stays'));
    for (let n = 0; n < 100; n += 1) await log.save(said('a', `${n}`));
    expect(readFileSync(path, 'utf8').split('\n').length).toBeLessThan(50);
    expect((await open(path)).log.all()).toEqual([said('first', 'stays'), said('a', '99')]);
  });

  it('counts only requests for approval that can still be answered', async () => {
    const { log } = await open(newPath());
    const asked = {
      role: 'assistant' as const,
      parts: [call('c1', { state: 'approval-requested', approval: { id: 'x' } })],
    };
    await log.save(message('a1', asked));
    expect(log.openApprovals).toBe(1);
    await log.save(message('u2', { parentMessageId: 'a1' }));
    expect(log.openApprovals).toBe(0);
  });

  it('reads the last saved state of each message, wherever the file is cut and whatever is put between its lines', async () => {
    const save = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      text: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(save, { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.boolean(),
        async (saves, cut, isGarbled) => {
          const path = newPath();
          const lines = saves.map(({ id, text }) => `${JSON.stringify(said(id, text))}\n`);
          const bytes = Buffer.from(lines.join(isGarbled ? '\u0000garbage{\n' : ''));
          const kept = bytes.subarray(0, cut % (bytes.length + 1));
          writeFileSync(path, kept);
          const { log } = await open(path);
          const whole = kept.subarray(0, kept.lastIndexOf(10) + 1).toString();
          const expected = new Map<string, string>();
          for (const { id, text } of saves) {
            if (whole.includes(`${JSON.stringify(said(id, text))}\n`)) expected.set(id, '');
          }
          const found = log.all().map(({ id }) => id);
          expect(new Set(found)).toEqual(new Set([...expected.keys()]));
          for (const { id, parts } of log.all()) {
            const last = saves
              .slice(0, whole.split('\n').filter((line) => line.startsWith('{')).length)
              .findLast((each) => each.id === id);
            expect(parts).toEqual([{ type: 'text', text: last?.text }]);
          }
          await log.save(said('z', 'after'));
          const again = await open(path);
          expect(again.log.all()).toEqual(log.all());
          expect(again.warnings.filter((warning) => /cut/.test(warning))).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
