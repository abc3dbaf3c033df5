import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readLine } from '../../src/node/event-format.js';

const folder = mkdtempSync(join(tmpdir(), 'record-events-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const root = join(import.meta.dirname, '../..');
const recorder = pathToFileURL(join(root, 'src/node/record-events.ts')).href;

/** A program of its own that keeps events in a file. */
function run(path: string, program: string): { readonly stdout: string; readonly stderr: string } {
  const source = `
    import { readdirSync, readlinkSync, closeSync } from 'node:fs';
    const { recordEvents } = await import(${JSON.stringify(recorder)});
    const path = ${JSON.stringify(path)};
    const warn = (message) => ({ type: 'warning', message: String(message) });
    ${program}`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', source];
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
}

const messagesIn = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => readLine(line) ?? [])
    .flatMap((line) => ('event' in line ? [line.event['message']] : []));

describe('a process that keeps events', () => {
  it.each([
    ['by itself', ''],
    ['by process.exit', 'process.exit(0);'],
    ['by an error', 'throw new Error("broken");'],
  ])('loses no line when it ends %s', (name, end) => {
    const path = join(folder, `${name}.jsonl`);
    run(path, `const record = recordEvents(path); for (let n = 0; n < 50; n += 1) record(warn(n)); ${end}`);
    expect(messagesIn(path)).toHaveLength(50);
  });

  it.skipIf(process.platform !== 'linux')('is not told that a disk is full by a call, but when it begins', () => {
    const { stdout } = run('/dev/full', 'try { recordEvents(path); } catch (error) { console.log(error.message); }');
    expect(stdout).toMatch(/recordEvents: cannot write to "\/dev\/full": ENOSPC/);
  });

  it.skipIf(process.platform !== 'linux')('gets one warning when writing fails later, and goes on', () => {
    const { stdout, stderr } = run(
      join(folder, 'lost.jsonl'),
      `const record = recordEvents(path);
      const file = readdirSync('/proc/self/fd').find((fd) => { try { return readlinkSync('/proc/self/fd/' + fd) === path; } catch { return false; } });
      closeSync(Number(file));
      record(warn(1));
      setTimeout(() => { record(warn(2)); setTimeout(() => console.log('went on'), 10); }, 10);`,
    );
    expect(stdout.trim()).toBe('went on');
    expect(stderr.match(/No more events are kept/g)).toHaveLength(1);
    expect(stderr).toMatch(/EVENTS_NOT_KEPT.*lost\.jsonl.*EBADF/);
  });

  it('may have many recorders without a warning of too many listeners', () => {
    const path = join(folder, 'many.jsonl');
    const { stderr } = run(path, 'for (let n = 0; n < 30; n += 1) recordEvents(path)(warn(n));');
    expect(stderr).toBe('');
    expect(messagesIn(path)).toHaveLength(30);
  });
});
