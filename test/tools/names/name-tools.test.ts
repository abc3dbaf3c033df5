import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashedName, type NameOwner } from '../../../src/tools/names/legal-name.js';
import { nameTools, type NamingOptions } from '../../../src/tools/make-toolset.js';

const RENAME: NamingOptions = { clientNames: [], nameClash: 'rename' };
const mcp = (source: string, tool: string): NameOwner => ({ kind: 'mcp', source, tool });
const local = (tool: string): NameOwner => ({ kind: 'local', source: 'local', tool });
const nameOf = (tool: string): string | undefined => nameTools([mcp('server', tool)], RENAME)[0];

describe('names become legal', () => {
  it.each([
    ['echo', 'echo'],
    ['---', '---'],
    ['a.b', 'a_b'],
    ['a/b c', 'a_b_c'],
    ['__proto__', '__proto__'],
  ])('%s becomes %s', (tool, expected) => {
    expect(nameOf(tool)).toBe(expected);
  });

  it.each(['天气', '', '🦆'])('%j becomes a stable hash', (tool) => {
    expect(nameOf(tool)).toMatch(/^tool_[0-9a-f]{8}$/);
    expect(nameOf(tool)).toBe(nameOf(tool));
  });

  it('a long name keeps its tail', () => {
    const name = nameOf(`${'prefix_'.repeat(20)}read_the_file`);
    expect(name).toHaveLength(64);
    expect(name).toMatch(/^[0-9a-f]{8}_.*_read_the_file$/);
  });
});

describe('names that are claimed twice', () => {
  it('all claimants get the name of their server in front', () => {
    const owners = [mcp('b', 'echo'), mcp('a', 'echo'), mcp('a', 'sum'), local('echo')];
    expect(nameTools(owners, RENAME)).toEqual(['b__echo', 'a__echo', 'sum', 'local__echo']);
  });

  it('tools that are only alike once they are legal are told apart by a hash', () => {
    const owners = [mcp('a', 'x.y'), mcp('a', 'x/y')];
    expect(nameTools(owners, RENAME)).toEqual(owners.map(hashedName));
  });

  it("a qualified name that is somebody else's bare name is told apart by a hash", () => {
    const owners = [mcp('a', 'x'), mcp('b', 'x'), mcp('c', 'a__x')];
    expect(nameTools(owners, RENAME)).toEqual([hashedName(mcp('a', 'x')), 'b__x', 'a__x']);
  });

  it('with `rename` the caller keeps the name', () => {
    expect(nameTools([mcp('a', 'x')], { clientNames: ['x'], nameClash: 'rename' })).toEqual(['a__x']);
    expect(nameTools([mcp('a', 'x')], { clientNames: ['x', 'a__x'], nameClash: 'rename' })).toEqual([
      hashedName(mcp('a', 'x')),
    ]);
  });

  it('with `loop` we keep it, MCP before local', () => {
    const options: NamingOptions = { clientNames: ['x'], nameClash: 'loop' };
    expect(nameTools([mcp('a', 'x'), local('x')], options)).toEqual(['x', 'local__x']);
    expect(nameTools([mcp('a', 'x'), mcp('b', 'x'), local('x')], options)).toEqual(['a__x', 'b__x', 'local__x']);
  });

  it('a tool listed twice by one source is offered once', () => {
    expect(nameTools([mcp('a', 'x'), mcp('a', 'x')], RENAME).filter((name) => name !== undefined)).toHaveLength(1);
  });
});

describe('names that only look alike', () => {
  it('names that differ in case only are two names, and names of Object.prototype are names', () => {
    const owners = [mcp('a', 'Echo'), mcp('a', 'echo'), mcp('a', 'constructor'), mcp('a', 'toString')];
    expect(nameTools(owners, RENAME)).toEqual(['Echo', 'echo', 'constructor', 'toString']);
  });

  it('a hash that is already the name of another tool costs one of them, never an overwrite', () => {
    const owners = [mcp('a', 'x.y'), mcp('a', 'x/y'), mcp('b', hashedName(mcp('a', 'x.y')))];
    expect(nameTools(owners, RENAME)).toEqual([undefined, hashedName(mcp('a', 'x/y')), hashedName(mcp('a', 'x.y'))]);
  });
});

describe('for any tools', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'a',
      'A',
      'b',
      'a__b',
      'a.b',
      'a_b',
      'local',
      '__proto__',
      'constructor',
      'toString',
      '天气',
      '🦆',
      '',
    ),
    fc.string({ maxLength: 100, unit: 'grapheme' }),
  );
  const owners = fc.uniqueArray(
    fc.record({ kind: fc.constantFrom('mcp' as const, 'local' as const), source: part, tool: part }),
    { maxLength: 12, selector: (owner) => JSON.stringify(owner) },
  );
  const options = fc.record({
    clientNames: fc.array(fc.oneof(part, fc.constantFrom('a__a', 'local__a'))),
    nameClash: fc.constantFrom('rename' as const, 'loop' as const),
  });

  it("names are legal, unique, none is lost, and none is the caller's unless we may take it", () => {
    fc.assert(
      fc.property(owners, options, (list, naming) => {
        const names = nameTools(list, naming);
        for (const name of names) {
          expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
          if (naming.nameClash === 'rename') expect(naming.clientNames).not.toContain(name);
        }
        expect(new Set(names).size).toBe(list.length);
      }),
    );
  });

  it('a name does not depend on the order', () => {
    fc.assert(
      fc.property(
        owners.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        options,
        ([list, shuffled], naming) => {
          const names = new Map(shuffled.map((owner, index) => [owner, nameTools(shuffled, naming)[index]]));
          expect(nameTools(list, naming)).toEqual(list.map((owner) => names.get(owner)));
        },
      ),
    );
  });
});
