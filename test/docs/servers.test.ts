import { describe, expect, it } from 'vitest';
import { createResponsesProvider, type ResponsesProviderSettings } from '../../src/index.js';
import { readPage } from './support/pages.js';

const rows = [...readPage('docs/servers.md').text.matchAll(/^\| (.+?) \| `(\{.+?\})` \| `(.+?)` \|$/gm)];

/** `{ baseURL: 'http://…', backend: 'vllm' }` as it stands on the page. */
function settingsOf(text: string): ResponsesProviderSettings {
  const json = text.replaceAll(/(\w+): '/g, '"$1": \'').replaceAll("'", '"');
  return JSON.parse(json) as ResponsesProviderSettings;
}

describe('the table of servers in docs/servers.md', () => {
  it('has rows', () => expect(rows.length).toBeGreaterThan(5));

  it.each(rows.map(([, server = '', settings = '', url = '']) => [server, settings, url] as const))(
    'says where the requests for %s go',
    (_server, settings, url) => {
      expect(createResponsesProvider(settingsOf(settings)).endpoint('any').url).toBe(url);
    },
  );
});
