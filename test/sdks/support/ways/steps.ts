import * as ai from 'ai';
import { generateText, hasToolCall, stepCountIs, streamText } from 'ai';
import type { ScriptedStep } from 'responses-loop/testing';
import { responseEvents } from 'responses-loop/testing';
import { calls, reply, says, splitBefore } from '../../../acceptance/support/rig.js';
import { adder } from '../../../acceptance/support/tools.js';
import { outline } from '../../../acceptance/support/wire.js';
import { objectOf, wantsObject } from '../sdk.js';
import { adds, type Checks, five, going, later, script } from './going.js';

/** An answer that breaks off in its text. */
const cut: ScriptedStep = {
  events: splitBefore(responseEvents(says('resp_cut', 'Five and')), 'response.output_text.done')[0],
  ending: 'reset',
};

/** What the AI SDK decides between steps, and what goes out with each request. */
export const STEPS: Checks = {
  async "the call's `stopWhen`"(way) {
    const { call, requests } = await going(way, { tools: { add: adder().add } });
    await generateText({ ...call, stopWhen: hasToolCall('add') });
    return requests.length === 1;
  },

  async prepareStep(way) {
    let asked = 0;
    const { call, requests } = await going(way, { tools: { add: adder().add } });
    await generateText({ ...call, prepareStep: () => ((asked += 1), {}) });
    return asked === requests.length;
  },

  async experimental_steering(way) {
    const create = (ai as unknown as Record<string, () => { steer(text: string): unknown }>)[
      'experimental_createSteering'
    ];
    const steering = create?.();
    const add = adder({ execute: () => (steering?.steer('In words.'), '5') }).add;
    const { call, requests } = await going(way, { tools: { add } }, [...script, reply(says('resp_3', 'Five!'))]);
    await generateText({ ...call, ...later({ experimental_steering: steering }) });
    return outline(requests[1]).includes('user In words.');
  },

  async toolChoice(way) {
    const { call, requests } = await going(way, { tools: { add: adder().add } });
    await generateText({ ...call, toolChoice: 'required', stopWhen: stepCountIs(1) });
    return requests[0]?.body['tool_choice'] === 'required';
  },

  async reasoning(way) {
    const { call, requests } = await going(way, { tools: { add: adder().add } });
    await generateText({ ...call, ...later({ reasoning: 'high' }) });
    const efforts = requests.map(({ body }) => (body['reasoning'] as { effort?: unknown } | undefined)?.effort);
    return efforts.join() === 'high,high';
  },

  async 'output (`Output`)'(way) {
    const answer = reply({
      id: 'resp_2',
      output: [
        { type: 'text', text: 'Let me see.' },
        { type: 'text', text: '{"sum":5}' },
      ],
    });
    const { call } = await going(way, { tools: { add: adder().add } }, [adds, answer]);
    const schema = ai.jsonSchema<object>({ type: 'object', properties: { sum: { type: 'number' } } });
    const result = await generateText({ ...call, ...wantsObject(schema) });
    return JSON.stringify(objectOf(result)) === '{"sum":5}';
  },

  async maxRetries(way) {
    const broken: ScriptedStep = { status: 500, headers: { 'retry-after-ms': '1' }, json: { error: { message: 'x' } } };
    const { call, requests } = await going(way, { tools: { add: adder().add } }, [adds, broken, five]);
    await generateText({ ...call, maxRetries: 1 }).catch(() => {});
    return requests.length === 3;
  },

  async streamRetries(way) {
    const { call, requests } = await going(way, { tools: { add: adder().add } }, [adds, cut, five]);
    await streamText({ ...call, ...later({ streamRetries: 1 }), onError: () => {} }).consumeStream();
    return outline(requests[2]).includes('output 5');
  },

  async experimental_repairToolCall(way) {
    const { add, runs } = adder();
    const misspelt = reply(calls('resp_1', ['plus', { a: 2, b: 3 }, 'call_1']));
    const { call } = await going(way, { tools: { add } }, [misspelt, five]);
    const repair = ({ toolCall }: { toolCall: object }): unknown => ({ ...toolCall, toolName: 'add' });
    await generateText({ ...call, experimental_repairToolCall: repair as never });
    return runs.length === 1;
  },

  async experimental_refineToolInput(way) {
    const { add, runs } = adder();
    const { call } = await going(way, { tools: { add } });
    const refine = { add: (input: object) => ({ ...input, a: 20 }) };
    await generateText({ ...call, ...later({ experimental_refineToolInput: refine }) });
    return JSON.stringify(runs) === '[{"a":20,"b":3}]';
  },
};
