import { stepCountIs } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import { calls, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { outputs } from '../acceptance/support/wire.js';
import { CHATS, chatting } from './support/approvals.js';
import { sdk } from './support/sdk.js';

const upTo5 = { stopWhen: stepCountIs(5) };
const adds = (response: string, a: number) => calls(response, ['add', { a, b: 1 }, 'call_1']);

describe.runIf(sdk > 5).each(Object.entries(CHATS))(
  'approvals of tools that the AI SDK runs, kept in %s',
  (_kept, road) => {
    it('ask the user, run once after a yes, and are asked again of approve', async () => {
      const { add, runs } = adder();
      const asked: string[] = [];
      const approve = ({ callId }: { callId: string }): 'ask' => {
        asked.push(callId);
        return 'ask';
      };
      const { chat, requests, provider } = await chatting(
        road,
        [calls('resp_1', ['add', { a: 4, b: 1 }, 'call_1']), says('resp_2', 'Five.')],
        {
          tools: { add },
          approve,
        },
      );
      const tools = await provider.tools({ runBy: 'sdk' });
      const { told } = await chat.send({ tools, ...upTo5 });
      expect(told).toContain('tool-approval-request');
      expect(runs).toEqual([]);
      chat.answer('call_1', { approved: true });
      expect(await chat.send({ tools, ...upTo5 })).toMatchObject({ text: 'Five.' });
      expect(runs).toEqual([{ a: 4, b: 1 }]);
      expect(outputs(requests[1])).toEqual([['call_1', '5']]);
      expect(asked.length).toBeGreaterThanOrEqual(2);
    });

    it('do not run after a no', async () => {
      const { add, runs } = adder();
      const { chat, requests, provider } = await chatting(
        road,
        [calls('resp_1', ['add', { a: 4, b: 1 }, 'call_1']), says('resp_2', 'I see.')],
        {
          tools: { add: { ...add, needsApproval: true } },
        },
      );
      const tools = await provider.tools({ runBy: 'sdk' });
      await chat.send({ tools, ...upTo5 });
      chat.answer('call_1', { approved: false, reason: 'Too dear.' });
      expect(await chat.send({ tools, ...upTo5 })).toMatchObject({ text: 'I see.' });
      expect(runs).toEqual([]);
      expect(outputs(requests[1])).toEqual([['call_1', expect.stringMatching(/Too dear|denied|not allow/)]]);
    });

    it('run after a yes with which approve was told to ask no more, and once more without a question', async () => {
      const { add, runs } = adder();
      let isGranted = false;
      const approve: ResponsesProviderSettings['approve'] = () => (isGranted ? true : 'ask');
      // The server gives both calls one id, as some do in every response.
      const rounds = [adds('resp_1', 4), adds('resp_2', 7), says('resp_3', 'Done.')];
      const { chat, requests, provider } = await chatting(road, rounds, { tools: { add }, approve });
      const tools = await provider.tools({ runBy: 'sdk' });
      expect(await chat.send({ tools, ...upTo5 })).toMatchObject({ asked: ['call_1'] });
      chat.answer('call_1', { approved: true });
      isGranted = true;
      expect(await chat.send({ tools, ...upTo5 })).toMatchObject({ text: 'Done.', asked: [] });
      expect(runs.map((run) => (run as { a: number }).a)).toEqual([4, 7]);
      expect(outputs(requests[1])).toEqual([['call_1', '5']]);
    });

    it('do not run after a yes if approve denies by then', async () => {
      const { add, runs } = adder();
      let isDenied = false;
      const approve: ResponsesProviderSettings['approve'] = () =>
        isDenied ? { approved: false, reason: 'closed by now' } : 'ask';
      const rounds = [adds('resp_1', 4), says('resp_2', 'I see.')];
      const { chat, requests, provider } = await chatting(road, rounds, { tools: { add }, approve });
      const tools = await provider.tools({ runBy: 'sdk' });
      await chat.send({ tools, ...upTo5 });
      chat.answer('call_1', { approved: true });
      isDenied = true;
      expect(await chat.send({ tools, ...upTo5 })).toMatchObject({ text: 'I see.' });
      expect(runs).toEqual([]);
      expect(outputs(requests[1])).toEqual([['call_1', expect.stringMatching(/closed by now/)]]);
    });
  },
);
