import { describe, expect, it } from 'vitest';
import { CALL_KINDS, HOSTED_KINDS } from '../../src/items/kinds.js';
import { PLAIN_KINDS } from '../../src/items/plain.js';
import { readSources } from './read-imports.js';

/** Words that are item types and something else as well: a part of the AI SDK, a role, a setting. */
const WORDS = new Set(['message', 'reasoning']);

const types = [
  ...CALL_KINDS.flatMap(({ type, output }) => [type, output.type]),
  ...HOSTED_KINDS.map(({ type }) => type),
  ...PLAIN_KINDS.map(({ type }) => type),
].filter((type) => !WORDS.has(type));

/** Files outside `src/items` that name item types, with the types and the reason. */
const ALLOWED: Readonly<Record<string, readonly [why: string, ...types: string[]]>> = {
  'src/core/compaction.ts': ['what a summary replaces', 'compaction', 'configuration_update'],
  'src/fallback/answer-items.ts': ['parts of the AI SDK become items again', 'function_call'],
  'src/fallback/options.ts': ['an option of the AI SDK says it', 'compaction_trigger'],
  'src/fallback/write-prompt.ts': [
    'plain items become a prompt of the AI SDK',
    'function_call',
    'function_call_output',
    'mcp_approval_response',
    'compaction',
    'compaction_trigger',
    'additional_tools',
    'configuration_update',
  ],
  'src/request/convert-content.ts': [
    'writes what the caller asked for',
    'mcp_approval_response',
    'additional_tools',
    'configuration_update',
  ],
  'src/request/convert-turns.ts': ['writes a call', 'function_call'],
  'src/request/convert-reasoning.ts': ['reasoning leads up to what the model made', 'function_call_output'],
  'src/request/convert-tool-output.ts': ['writes an output', 'function_call_output'],
  'src/request/input-items.ts': ['writes what the caller asked for', 'compaction_trigger', 'configuration_update'],
  'src/request/option-table.ts': ['a value of an option', 'compaction'],
  'src/request/trim-input.ts': ['a caller of functions', 'program'],
  'src/sdk/parts/compacted.ts': ['items of a compacted window become parts', 'function_call', 'function_call_output'],
  'src/sdk/prompt/read-assistant-content.ts': ['a part becomes a summary again', 'compaction'],
  'src/stream/handlers/function-call.ts': ['the handler of this type', 'function_call'],
  'src/stream/items.ts': ['types with a handler of their own', 'function_call'],
  'src/transport/socket/socket-ring.ts': ['a round of our own tools will be followed by another', 'function_call'],
};

/** A file that names so many types decides by them. */
const TABLE = 3;

const named = readSources('src')
  .filter(({ path }) => !/^src\/(items|wire|testing|cli)\//.test(path))
  .map(({ path, text }) => {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    return [path, types.filter((type) => new RegExp(`['"\`]${type}['"\`]|^\\s*${type}:`, 'm').test(code))] as const;
  })
  .filter(([, found]) => found.length > 0);

describe('item types', () => {
  it('are named in src/items, and elsewhere only for a reason: a type goes into src/items/kinds or plain.ts', () => {
    const odd = named.flatMap(([path, found]) => {
      const [, ...allowed] = ALLOWED[path] ?? [''];
      return found.filter((type) => !allowed.includes(type)).map((type) => `${path}: ${type}`);
    });
    expect(odd).toEqual([]);
  });

  it('are allowed nowhere that does not name them', () => {
    const all = new Map(named);
    const idle = Object.entries(ALLOWED).flatMap(([path, [, ...allowed]]) =>
      allowed.filter((type) => all.get(path)?.includes(type) !== true).map((type) => `${path}: ${type}`),
    );
    expect(idle).toEqual([]);
  });

  it('are in two tables at most outside src/items', () => {
    const tables = named.filter(([, found]) => found.length >= TABLE).map(([path]) => path);
    expect(tables.length, tables.join(', ')).toBeLessThanOrEqual(2);
  });
});

describe('a family in src/items/kinds', () => {
  it('has no `streaming` and no `output.write` if the server alone runs its calls, because nobody would use them', () => {
    const servers = CALL_KINDS.filter(({ declaredForServer }) => declaredForServer === 'always');
    expect(servers).not.toEqual([]);
    const odd = servers.filter(({ streaming, output }) => streaming !== undefined || output.write !== undefined);
    expect(odd.map(({ type }) => type)).toEqual([]);
  });
});
