import { expect, it } from 'vitest';
import { readSources } from './read-imports.js';

/** Files that take words of the app itself for clean, each with whose words they are. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  'src/between/prepare-round.ts': 'what a function of the app returned, and names of tools of the call',
  'src/core/clean-text.ts': 'declares it',
  'src/errors/invalid-settings.ts': 'settings, shown to the developer who wrote them',
  'src/errors/limit-reached.ts': 'names of our settings',
  'src/items/kinds/shell.ts': 'declarations of tools of the call',
  'src/journal/read-record.ts': 'keys of the app for its records',
  'src/provider/check-choice.ts': 'names of tools of the call',
  'src/request/convert-content.ts': 'media types of the prompt',
  'src/request/convert-options.ts': 'options of the call',
  'src/request/convert-tools.ts': 'names of tools of the call',
  'src/request/tool-fields.ts': 'names of tools of the call',
  'src/rounds/hints.ts': 'how we made the URL of the settings, and an address out of a clean message',
  'src/settings/check-loop-settings.ts': 'names of options of the call, and of our settings',
  'src/settings/environment-key.ts': 'a URL of the settings, without its secrets',
  'src/tools/mcp/sdk-gaps/guard-fetch.ts': 'our own error, come back through the SDK',
  'src/tools/mcp/stdio-node.ts': 'a number of ours',
  'src/transport/http-transport.ts': 'the class of an object',
};
/** Files that make a `CleanText` of a text by a cast. */
const CASTS = ['src/core/clean-text.ts', 'src/observe/redactor.ts'];

it('only listed files take a text for clean without a redactor', () => {
  const sources = readSources('src');
  const own = sources.filter(({ text }) => /\bownWords\(/.test(text)).map(({ path }) => path);
  expect(own.toSorted()).toEqual(Object.keys(OWN_WORDS).toSorted());
  const casts = sources.filter(({ text }) => /\bas CleanText\b/.test(text)).map(({ path }) => path);
  expect(casts.toSorted()).toEqual(CASTS);
});
