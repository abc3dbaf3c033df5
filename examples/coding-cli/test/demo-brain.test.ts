import { describe, expect, it } from 'vitest';
import { demoBrain } from '../src/demo-brain.js';

type Input = Parameters<typeof demoBrain>[0]['input'];

const TOOLS = ['bash', 'read', 'edit', 'glob', 'list', 'todo_write', 'write'].map((name) => ({ name }));
const TEST =
  "1\timport { area } from '../src/area.js';\n2\tassert.equal(area(2, 3), 6);\n3\tassert.equal(area(4, 5), 20);";
const SOURCE = '1\texport const area = (a, b) => b + a;';

/** What it does next, after these calls and their outputs. */
function next(said: string, ...calls: readonly (readonly [name: string, output: string])[]): unknown {
  const items = calls.flatMap(([name, output], index) => [
    { type: 'function_call', call_id: `c${index}`, name, arguments: '{}' },
    { type: 'function_call_output', call_id: `c${index}`, output },
  ]);
  const input = [{ role: 'user', content: said }, ...items] as unknown as Input;
  const request = { input, text: said, body: { tools: TOOLS } } as unknown as Parameters<typeof demoBrain>[0];
  const [last] = (demoBrain(request).output ?? []).slice(-1);
  if (last?.type === 'call') return { call: last.name, ...(last.arguments as object) };
  return last?.type === 'text' ? [last.text].flat().join('') : undefined;
}

describe('the stand-in', () => {
  const found = ['glob', 'test/area.test.js'] as const;
  const reads = [found, ['read', TEST], ['read', SOURCE]] as const;
  const failed = ['bash', 'exit code 1\nnot ok'] as const;

  it('looks for the failing test, reads it and what it imports, and runs it', () => {
    expect(next('make the failing test pass')).toMatchObject({ call: 'glob' });
    expect(next('fix it', found)).toMatchObject({ call: 'read', path: 'test/area.test.js' });
    expect(next('fix it', found, ['read', TEST])).toMatchObject({ call: 'read', path: 'src/area.js' });
    expect(next('fix it', ...reads)).toMatchObject({
      call: 'bash',
      command: expect.stringContaining('test/area.test.js'),
    });
  });

  it('works out which operator all expectations hold for', () => {
    const line = 'export const area = (a, b) => b + a;';
    expect(next('fix it', ...reads, failed)).toMatchObject({
      call: 'edit',
      old_string: line,
      new_string: line.replace('+', '*'),
    });
  });

  it('runs the test again, and says what came of it', () => {
    expect(next('fix it', ...reads, failed, ['edit', 'ok'])).toMatchObject({ call: 'bash' });
    expect(next('fix it', ...reads, failed, ['edit', 'ok'], ['bash', 'exit code 0'])).toContain('passes');
    expect(next('fix it', ...reads, failed, ['edit', 'ok'], failed)).toContain('still fails');
  });

  it('says so where it cannot help', () => {
    expect(next('fix it', ['glob', 'nothing'])).toContain('no test here');
    expect(next('fix it', ...reads.slice(0, 2), ['read', 'export const area = 5;'], failed)).toContain(
      'one thing only',
    );
    expect(next('Tell me a joke.')).toContain('To use a real model');
  });

  it.each([
    ['run npm test', { call: 'bash', command: 'npm test' }],
    ['read package.json', { call: 'read', path: 'package.json' }],
    ['Which files are here?', { call: 'list' }],
    ['make a plan', { call: 'todo_write' }],
    ['write "hello" to a.txt', { call: 'write', path: 'a.txt', content: 'hello\n' }],
  ])('%s', (said, call) => {
    expect(next(said)).toMatchObject(call);
  });

  it('writes as many lines as are asked for', () => {
    expect(String(next('write 30 lines')).split('\n')).toHaveLength(30);
  });
});
