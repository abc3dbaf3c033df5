import { describe, expect, it } from 'vitest';
import { readSources } from '../../../test/architecture/read-imports.js';

const sources = readSources('examples/shared').filter(({ path }) => !path.includes('/test/'));

describe('what the applications share', () => {
  it('knows no AI SDK, which would be another version from there, and no application', () => {
    expect(sources.length).toBeGreaterThan(3);
    const specifiers = new Set(sources.flatMap(({ imports }) => imports.map(({ specifier }) => specifier)));
    const known =
      /^(\.{1,2}\/|node:|responses-loop\/(v3|question|testing)$|unbash$|@lydell\/node-pty$|ipaddr\.js$|@mozilla\/readability$|diff$|linkedom$|turndown$|@joplin\/turndown-plugin-gfm$|@dbos-inc\/dbos-sdk$|@restatedev\/restate-sdk$|pg$|zod$)/;
    expect([...specifiers].filter((specifier) => !known.test(specifier))).toEqual([]);
  });
});
