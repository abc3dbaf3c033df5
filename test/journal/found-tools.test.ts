import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { LocalTool, ResponsesProviderSettings } from 'responses-loop';
import { adoptTools } from '../../src/journal/tools-record.js';
import { offered, outputs } from '../acceptance/support/wire.js';
import { toolsetOf } from '../search/support/tools.js';
import { answer, attempt, calls, Kept, says, tool } from './support/kept.js';

const search = answer('a', [{ type: 'call', name: 'search_tools', arguments: { query: 'ship' }, callId: 'a_0' }]);
const steps = [search, calls('b', 'ship'), says('c', 'Done.')];

const settings = (log: string[], about: Partial<LocalTool>): ResponsesProviderSettings => ({
  backend: 'generic',
  tools: { now: tool(log, 'now'), ship: tool(log, 'ship', about), pay: tool(log, 'pay', about) },
});
const deferred = { deferLoading: true };

/** A loop that searched, and died with these records kept. */
async function begun(about: Partial<LocalTool>, kept: readonly string[], script = steps): Promise<Kept> {
  const journal = new Kept();
  const first = attempt(journal.journal(), script, settings([], about));
  await generateText({ model: first.provider('m'), prompt: 'Go.' });
  for (const key of [...journal.records.keys()]) if (!kept.includes(key)) journal.records.delete(key);
  journal.steps.length = 0;
  return journal;
}

describe('a loop with a search that goes on in another process', () => {
  it.each([
    ['the search', ['0/round/0'], steps.slice(1)],
    ['the output of the search', ['0/round/0', '0/tool/a_0'], steps.slice(1)],
    ['the call of what was found', ['0/round/0', '0/tool/a_0', '0/round/1'], steps.slice(2)],
  ])('has what was found behind %s, with the same steps', async (_what, keys, rest) => {
    const journal = await begun(deferred, keys);
    const log: string[] = [];
    const next = attempt(journal.journal(), rest, settings(log, deferred));
    const { text } = await generateText({ model: next.provider('m'), prompt: 'Go.' });
    expect(text).toBe('Done.');
    expect(log).toEqual(['run b_0']);
    expect(next.requests.map(offered)).toEqual(rest.map(() => ['now', 'search_tools', 'ship']));
    expect(journal.keys).toEqual([
      '0/round/0',
      '0/tool/a_0',
      '0/round/1',
      '0/tool/b_0/start',
      '0/tool/b_0',
      '0/round/2',
    ]);
  });

  it('that offered every tool when it began has no search now', async () => {
    const journal = await begun({}, ['0/round/0'], [calls('a', 'ship'), says('c', 'Done.')]);
    const log: string[] = [];
    const next = attempt(journal.journal(), steps.slice(2), settings(log, deferred));
    await generateText({ model: next.provider('m'), prompt: 'Go.' });
    expect(log).toEqual(['run a_0']);
    expect(next.requests.map(offered)).toEqual([['now', 'ship', 'pay']]);
    expect(JSON.stringify(next.requests[0]?.body)).not.toContain('defer_loading');
  });

  it('whose tools are all offered now still has the output of its search', async () => {
    const journal = await begun(deferred, ['0/round/0', '0/tool/a_0']);
    const log: string[] = [];
    const next = attempt(journal.journal(), steps.slice(1), settings(log, {}));
    await generateText({ model: next.provider('m'), prompt: 'Go.' });
    expect(log).toEqual(['run b_0']);
    expect(outputs(next.requests[0])[0]?.[1]).toContain('ship: ');
    expect(next.requests.map(offered)).toEqual([
      ['now', 'ship', 'pay'],
      ['now', 'ship', 'pay'],
    ]);
  });

  it('does not take the tool of a server for its search, whatever the server is called', async () => {
    const live = await toolsetOf({ search_tools: {} });
    const [theirs] = live.tools.map((one) => ({ ...one, source: { ...one.source, key: 'responses-loop' } }));
    const recorded = [{ name: 'search_tools', source: 'responses-loop', tool: 'search_tools', own: true as const }];
    const adopted = adoptTools({ ...live, tools: theirs === undefined ? [] : [theirs] }, recorded);
    expect(adopted.tools).toEqual([]);
    expect(adopted.byWireName.get('search_tools')?.source.kind).toBe('own');
  });

  it('keeps its search if its names are narrowed', async () => {
    const journal = await begun(deferred, ['0/round/0', '0/tool/a_0']);
    const next = attempt(journal.journal(), steps.slice(1), settings([], deferred));
    await generateText({ model: next.provider('m', { toolNames: ['ship', 'pay'] }), prompt: 'Go.' });
    expect(next.requests.map(offered)).toEqual([
      ['search_tools', 'ship'],
      ['search_tools', 'ship'],
    ]);
  });
});
