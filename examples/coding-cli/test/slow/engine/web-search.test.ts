import { expect, test } from 'vitest';
import { linesOfSources } from '../../../src/web-search/sources.js';
import { startEngine } from '../../support/engine-rig.js';
import { runCoder, startWorld } from '../../support/run-coder.js';

const cited = (url: string, title: string) => ({ type: 'url_citation', url, title, start_index: 0, end_index: 4 });

const SEARCHED = {
  output: [
    {
      type: 'item' as const,
      item: {
        type: 'web_search_call',
        id: 'ws_1',
        status: 'completed',
        action: { type: 'search', query: 'ducks', sources: [{ type: 'url', url: 'https://ducks.example/all' }] },
      },
    },
    {
      type: 'text' as const,
      text: 'Some ducks swim.',
      annotations: [cited('https://ducks.example/swim', 'Ducks'), cited('https://ducks.example/swim', 'Ducks')],
    },
  ],
};

test('the search of the server is offered if it is switched on, and the answer has its sources, each once', async () => {
  const rig = await startEngine([SEARCHED, 'Yes.'], { flags: { webSearch: true } });
  expect(rig.engine.session.tools).toContain('web_search');
  await rig.say('Do ducks swim?');
  expect(rig.requests[0]?.body['tools']).toContainEqual(expect.objectContaining({ type: 'web_search' }));
  const [{ sources } = { sources: [] }] = rig.data('sources');
  expect(sources).toContainEqual({ url: 'https://ducks.example/swim', title: 'Ducks' });
  expect(new Set(sources.map(({ url }) => url)).size).toBe(sources.length);
  expect(rig.data('tool_execution_begin')).toMatchObject([
    { tool_name: 'web_search', source: 'server', title: 'Search the web' },
  ]);
  expect(rig.data('tool_execution_end')).toMatchObject([{ success: true, title: 'Search the web: ducks' }]);
  expect(rig.data('exec_approval_request')).toEqual([]);
  await rig.close();
  const again = await rig.reopen(['Yes.'], { flags: { webSearch: true } });
  expect(again.engine.view.history.map(({ type }) => type)).toContain('sources');
  await again.say('Really?');
  expect(JSON.stringify(again.requests[0]?.input)).toContain('Some ducks swim.');
});

test('it is not offered unless it is switched on', async () => {
  const rig = await startEngine(['No.']);
  await rig.say('Do ducks swim?');
  expect(rig.engine.session.tools).not.toContain('web_search');
  expect(JSON.stringify(rig.requests[0]?.body['tools'])).not.toContain('"web_search"');
});

test('a server that is not known to have one refuses it at the start, with a sentence', async () => {
  const { at, flags, server } = await startWorld(['Hello.']);
  const { code, stderr } = await runCoder([...flags, '--web-search', 'exec', 'Do ducks swim?'], at);
  expect({ code, asked: server.requests.length }).toEqual({ code: 2, asked: 0 });
  expect(stderr).toMatch(/--web-search: any at \S+ has no known web search \(openai, azure, xai do\)/);
});

test('sources are lines below an answer, with their titles', () => {
  expect(linesOfSources([{ url: 'https://a.example' }, { url: 'https://b.example', title: 'B' }])).toEqual([
    'Sources:',
    '- https://a.example',
    '- B: https://b.example',
  ]);
});
