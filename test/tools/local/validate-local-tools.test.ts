import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validateLocalTools } from '../../../src/tools/local/validate-local-tools.js';

const execute = (): string => 'done';

describe('local tools that cannot run as meant', () => {
  it.each<[string, unknown, RegExp]>([
    ['no object', 'now', /tools\["now"\] must be an object/],
    ['a function', execute, /tools\["now"\] must be an object/],
    ['no execute', { inputSchema: {} }, /has no `execute` function/],
    [
      'the name of AI SDK 4 for the schema',
      { parameters: z.object({}), execute },
      /has `parameters`; it is called `inputSchema`/,
    ],
    ['a schema in lower case', { inputschema: {}, execute }, /has `inputschema`; it is called `inputSchema`/],
    ['readonly in lower case', { readonly: true, execute }, /has `readonly`; it is called `readOnly`/],
    ['a timeout without its unit', { timeout: 5, execute }, /has `timeout`; it is called `timeoutMs`/],
    ['a zod shape', { inputSchema: { a: z.string() }, execute }, /wrap it in `z\.object/],
    ['a schema as text', { inputSchema: '{"type":"object"}', execute }, /inputSchema must be a schema, not a string/],
    ['a total timeout that is no number', { totalTimeoutMs: -1, execute }, /\.totalTimeoutMs must be a number/],
    ['a flag as text', { destructive: 'yes', execute }, /\.destructive must be `true` or `false`/],
    [
      'an approval as text',
      { needsApproval: 'always', execute },
      /\.needsApproval must be `true`, `false`, or a function/,
    ],
    ['an output mapping that is none', { toModelOutput: {}, execute }, /\.toModelOutput must be a function/],
    [
      'needsapproval in lower case',
      { needsapproval: true, execute },
      /has `needsapproval`; it is called `needsApproval`/,
    ],
    [
      'an approval nobody would see',
      { needApproval: true, execute },
      /has `needApproval`; it is called `needsApproval`/,
    ],
    ['a hint of MCP', { readOnlyHint: true, execute }, /has `readOnlyHint`; it is called `readOnly`/],
    [
      'hints that exclude each other',
      { readOnly: true, destructive: true, execute },
      /is `readOnly` and `destructive`/,
    ],
    ['a timeout that is no number', { timeoutMs: '5', execute }, /timeoutMs must be a number/],
  ])('are refused by name when the provider is created: %s', (_name, now, message) => {
    expect(() => validateLocalTools({ now })).toThrow(message);
  });

  it.each<[string, object]>([
    ['a JSON schema', { inputSchema: { type: 'object', properties: { type: { type: 'string' } } }, execute }],
    ['zod', { inputSchema: z.object({ a: z.string() }), execute }],
    ['no schema', { execute }],
    ['both names', { parameters: {}, inputSchema: {}, execute }],
  ])('all others are taken: %s', (_name, now) => {
    expect(() => validateLocalTools({ now })).not.toThrow();
  });
});
