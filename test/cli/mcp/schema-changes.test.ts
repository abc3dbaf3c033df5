import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaChanges } from '../../../src/cli/mcp/schema-changes.js';
import { normalizeInputSchema } from '../../../src/tools/schema/normalize-input-schema.js';

const mended = (schema: unknown): readonly string[] => {
  const normalized = normalizeInputSchema(schema);
  return normalized.ok ? schemaChanges(schema, normalized.schema) : [normalized.reason];
};

describe('what the mending of a schema changed, in words', () => {
  it('names a keyword that is left out, by its parameter', () => {
    const x = { type: 'string', minLength: 1 };
    expect(schemaChanges({ properties: { x: { ...x, pattern: '^a' } } }, { properties: { x } })).toEqual([
      'removed pattern from parameters.x',
    ]);
  });

  it('names what was added and what became another value', () => {
    expect(
      schemaChanges(
        { properties: { x: { type: ['string'] } } },
        { type: 'object', properties: { x: { type: 'string' } } },
      ),
    ).toEqual(['added type "object" to parameters', 'changed parameters.x.type from ["string"] to "string"']);
  });

  it('distinguishes a parameter from a keyword of the same name', () => {
    const before = { properties: { properties: { type: 'string', properties: { a: {} } }, type: {} } };
    const after = { properties: { properties: { type: 'string', properties: {} } } };
    expect(schemaChanges(before, after)).toEqual([
      'removed type from parameters.properties',
      'removed a from parameters.properties.properties',
    ]);
  });

  it('goes into lists of schemas', () => {
    const list = (second: object) => ({ anyOf: [{ type: 'string' }, second] });
    expect(schemaChanges(list({ type: 'number', format: 'x' }), list({ type: 'number' }))).toEqual([
      'removed format from parameters.anyOf[1]',
    ]);
  });

  it('says what became of a real schema', () => {
    expect(mended({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: {} })).toEqual([
      'removed $schema from parameters',
    ]);
  });

  it('cuts long values', () => {
    const [change = ''] = schemaChanges({ enum: ['x'.repeat(1_000)] }, { enum: [] });
    expect(change.length).toBeLessThan(150);
  });

  it('says nothing exactly where nothing was changed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        expect(schemaChanges(before, structuredClone(before))).toEqual([]);
        const isSame = JSON.stringify(sorted(before)) === JSON.stringify(sorted(after));
        expect(schemaChanges(before, after).length === 0).toBe(isSame);
      }),
    );
  });
});

/** The order of members says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}
