import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { countSource, isOfRing } from '../../.ci/count-source.mjs';

const ENTRY = 'an entry exports the public names';
const EVENT = 'a public name of an event';
const SETTING = 'a public name of a setting';

/** The files outside of a ring that may name it, each with its reason: public names, and facts about servers. */
const MAY_NAME: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  journal: {
    'src/every-entry.ts': ENTRY,
    'src/errors/error-code.ts': 'a public code of an error',
    'src/observe/event.ts': EVENT,
    'src/provider/rings.ts': 'the one file that loads rings',
    'src/settings/check-settings.ts': SETTING,
    'src/settings/settings.ts': SETTING,
  },
  socket: {
    'src/core/limits.ts': SETTING,
    'src/core/profile.ts': 'whether a server has sockets',
    'src/observe/event.ts': EVENT,
    'src/observe/log-events.ts': EVENT,
    'src/provider/rings.ts': 'the one file that loads rings',
    'src/request/option-table.ts': 'a public value of an option',
    'src/request/profiles.ts': 'which servers have sockets',
    'src/settings/check-settings.ts': SETTING,
    'src/settings/settings.ts': SETTING,
    'src/tools/mcp/stdio-node.ts': 'a class of Node',
  },
  fallback: {
    'src/every-entry.ts': ENTRY,
    'src/index.ts': ENTRY,
    'src/v3.ts': ENTRY,
    'src/v4.ts': ENTRY,
    'src/core/round.ts': 'a value that journals have recorded',
    'src/observe/event.ts': EVENT,
    'src/observe/log-events.ts': EVENT,
    'src/sdk/parts/metadata.ts': 'a public member of the finish metadata',
  },
};

/** The names in `LATER` of a file. */
function laterIn(path: string): readonly string[] {
  const [, table = ''] = /LATER\b.*? = [[{]\n(.*?)\n[\]}]/s.exec(readFileSync(path, 'utf8')) ?? [];
  return [...table.matchAll(/^ {2}'?([\w-]+)'?[:,]/gm)].map(([, name = '']) => name).toSorted();
}

it('what import() loads is in LATER of tsup.config.ts and of .size-limit.js', () => {
  const measured = laterIn('.size-limit.js');
  expect(measured.length).toBeGreaterThan(10);
  // It has a row of its own in the sizes.
  expect(laterIn('tsup.config.ts')).toEqual([...measured, 'first-call'].toSorted());
});

describe('the core names no ring', () => {
  const { naming } = countSource('.');

  it('each word of RINGS in .ci/count-source.mjs has a row here', () => {
    expect(Object.keys(naming).toSorted()).toEqual(Object.keys(MAY_NAME).toSorted());
  });

  it('what src/provider/rings.ts loads is of a ring: a row of RINGS or MORE_RINGS in .ci/count-source.mjs', () => {
    const loaded = [...readFileSync('src/provider/rings.ts', 'utf8').matchAll(/import\('([^']+)\.js'\)/g)];
    const paths = loaded.map(([, path = '']) => join('src/provider', `${path}.ts`));
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter((path) => !isOfRing(path))).toEqual([]);
  });

  it.each(Object.entries(MAY_NAME))('%s: only public names and facts about servers', (ring, allowed) => {
    expect(naming[ring]?.toSorted()).toEqual(Object.keys(allowed).toSorted());
  });
});
