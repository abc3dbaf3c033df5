import type { JsonObject, JsonValue } from '../../../core/json.js';
import type { Answer } from '../answer.js';
import type { Finding } from '../point.js';
import { judged, message, type Probe, tool } from '../probe.js';
import type { Visit } from '../visit.js';
import { RED_PICTURE } from './pictures.js';

const ADD = tool('add', 'Adds two numbers.', { a: { type: 'number' }, b: { type: 'number' } });
const WEATHER = tool('weather', 'The weather in a city.', { city: { type: 'string' } });
const SUM = message('Call the tool add with 2 and 3.');

/** What a call of this answer is worth. */
function called({ calls, text }: Answer, isForced: boolean, names: readonly string[]): Finding {
  const [call] = calls;
  if (call === undefined && !isForced)
    return { verdict: 'unknown', detail: 'the model answered with a text, as it may' };
  if (call === undefined)
    return { verdict: 'no', detail: text === '' ? 'answered with nothing' : 'answered with a text', limit: UNFORCED };
  if (!names.includes(call.name))
    return { verdict: 'no', detail: `called ${JSON.stringify(call.name)}`, limit: UNFORCED };
  if (call.args === undefined || call.callId === '')
    return { verdict: 'partly', detail: call.callId === '' ? 'no call_id' : 'arguments that are no JSON object' };
  return { verdict: 'yes', detail: `${call.name}(${JSON.stringify(call.args)})` };
}

const UNFORCED = 'a tool call cannot be forced';

interface CallRow {
  readonly name: string;
  readonly choice: JsonValue | undefined;
  readonly names: readonly string[];
}

const ROWS: readonly CallRow[] = [
  { name: 'function call', choice: undefined, names: ['add', 'weather'] },
  { name: 'forced call', choice: 'required', names: ['add', 'weather'] },
  { name: 'call forced by name', choice: { type: 'function', name: 'weather' }, names: ['weather'] },
];

const forced = ROWS.map(({ name, choice, names }): Probe => ({
  name,
  run: async (visit) =>
    judged(await visit.ask({ input: [SUM], tools: [ADD, WEATHER], tool_choice: choice }), {
      yes: (answer) => called(answer, choice !== undefined, names),
      limit: choice === undefined ? 'there are no tools' : UNFORCED,
    }),
}));

const closing: Probe = {
  name: 'tool_choice none',
  run: async (visit) => {
    const wants = { closingTools: { works: (value: string) => value === 'remove', best: 'remove' as const } };
    const answer = await visit.ask({ input: [SUM], tools: [ADD, WEATHER], tool_choice: 'none' });
    return judged(answer, {
      yes: ({ calls }) =>
        calls.length === 0
          ? { verdict: 'yes', detail: 'no call' }
          : { verdict: 'no', detail: 'called a tool all the same', wants },
      wants,
    });
  },
};

const parallel: Probe = {
  name: 'parallel calls',
  run: async (visit) => {
    const input = [message('Call add with 2 and 3, and weather for Paris and for Rome, all at once.')];
    const answer = await visit.ask({
      input,
      tools: [ADD, WEATHER],
      tool_choice: 'required',
      parallel_tool_calls: true,
    });
    return judged(answer, {
      yes: ({ calls }) =>
        calls.length > 1
          ? { verdict: 'yes', detail: `${calls.length} in one answer` }
          : { verdict: 'unknown', detail: calls.length === 1 ? 'one call, as it may' : 'no call' },
      limit: 'parallel_tool_calls cannot be set',
    });
  },
};

/** A conversation with a call that was answered. */
function answered(output: JsonValue): JsonObject[] {
  const call = { type: 'function_call', call_id: 'call_doctor_1', name: 'add', arguments: '{"a":2,"b":3}' };
  return [SUM, call, { type: 'function_call_output', call_id: 'call_doctor_1', output }];
}

function askWith(visit: Visit, output: JsonValue): Promise<Answer> {
  return visit.ask({ input: answered(output), tools: [ADD] });
}

const asText: Probe = {
  name: 'outputs as text',
  run: async (visit) => judged(await askWith(visit, '5'), { limit: 'outputs of tools cannot be sent' }),
};

const STRING_ONLY = {
  toolOutput: { works: (value: string) => value === 'string', best: 'string' as const },
};
const ANY_OUTPUT = {
  toolOutput: { works: () => true, best: 'multimodal' as const, isBetter: true },
};

const asParts: Probe = {
  name: 'outputs as parts',
  run: async (visit) => judged(await askWith(visit, [{ type: 'input_text', text: '5' }]), { wants: STRING_ONLY }),
};

const asPictures: Probe = {
  name: 'pictures in outputs',
  needs: [asParts.name],
  run: async (visit) => {
    const picture = { type: 'input_image', image_url: RED_PICTURE, detail: 'low' };
    return judged(await askWith(visit, [{ type: 'input_text', text: '5' }, picture]), {
      yes: () => ({ verdict: 'yes', detail: 'taken', wants: ANY_OUTPUT }),
      wants: STRING_ONLY,
      limit: 'pictures that tools return are not shown to the model',
    });
  },
};

export const calls: readonly Probe[] = [...forced, closing, parallel, asText, asParts, asPictures];
