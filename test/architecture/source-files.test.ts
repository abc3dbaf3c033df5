import { describe, expect, it } from 'vitest';
import { readSources } from './read-imports.js';

const sources = readSources('src');
const wholeRepository = ['src', 'test', 'examples'].flatMap(readSources);

const limitOf = (path: string): number => (path.startsWith('src/wire/') ? 400 : 300);

describe('source files', () => {
  it('stay short', () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
      .filter(({ path, lines }) => lines > limitOf(path));
    expect(long).toEqual([]);
  });

  it('have kebab-case names', () => {
    const odd = wholeRepository.filter(
      ({ path }) =>
        !path.split('/').every((name) => /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.test-d|\.config|\.d)?(\.ts)?$/.test(name)),
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  it('hold no reminders: what is open is in an issue', () => {
    // Brackets, so that this file does not find itself.
    const reminder = /\b(TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b/;
    expect(wholeRepository.filter(({ text }) => reminder.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('name no test by a number of a list that is not here', () => {
    const numbered = /\b(?:it|test|describe)(?:\.\w+)*\(\s*['"`](?:S\d-\d+|[A-Z]\d{2}) /;
    expect(wholeRepository.filter(({ text }) => numbered.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('say in few places that an item came from a response: only such a one goes back unread', () => {
    const says = sources.filter(({ text }) => /\bserverItem\(/.test(text)).map(({ path }) => path);
    expect(says).toEqual([
      'src/core/call-items.ts',
      // What reads responses.
      // The door of histories.
      'src/sdk/history/check-item.ts',
      'src/sdk/prompt/read-assistant-content.ts',
      'src/stream/handlers/answered.ts',
      'src/stream/handlers/kept.ts',
    ]);
    const passes = sources.filter(({ text }) => /as unknown as VerbatimItem/.test(text)).map(({ path }) => path);
    expect(passes).toEqual(['src/request/convert-turns.ts']);
  });

  it('read the wall clock in only a few places, because it can be changed', () => {
    const reads = sources.filter(({ text }) =>
      /\bDate\.now\b|\bnew Date\(\)/.test(text.replaceAll(/^ *(\*|\/\/).*$/gm, '')),
    );
    expect(reads.map(({ path }) => path)).toEqual([
      // Times that are kept: of a journal, of signed approvals, of events and spans, of a recording.
      'src/journal/call-journal.ts',
      'src/journal/live-round.ts',
      'src/loop/approval-signer.ts',
      'src/node/record-events.ts',
      'src/observe/http-log.ts',
      'src/provider/open-telemetry.ts',
      // Dates that a server names.
      'src/request/key-pool.ts',
      'src/rounds/after-failure.ts',
      'src/rounds/background.ts',
      'src/testing/record/recording.ts',
    ]);
  });

  it('switch no check off in src without a reason beside it', () => {
    const directive = /(oxlint|eslint)-disable(?!.*--\s*\S)|@ts-(ignore|nocheck)/;
    const silent = sources.flatMap(({ path, text }) =>
      text
        .split('\n')
        .map((line, index) => ({ line, place: `${path}:${index + 1}` }))
        .filter(({ line }) => directive.test(line))
        .map(({ place }) => place),
    );
    expect(silent).toEqual([]);
  });
});
