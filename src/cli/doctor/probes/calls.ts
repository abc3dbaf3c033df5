import type { JsonObject, JsonValue } from '../../../core/json.js';
import type { Answer } from '../answer.js';
import type { Finding, Wants } from '../point.js';
import { asking, message, must, may, type Probe, taken, tool } from '../probe.js';
import { RED_PICTURE } from './pictures.js';

const ADD = tool('add', 'Adds two numbers.', { a: { type: 'number' }, b: { type: 'number' } });
const WEATHER = tool('weather', 'The weather in a city.', { city: { type: 'string' } });
const SUM = message('Call the tool add with 2 and 3.');
const TOOLS = [ADD, WEATHER];

/** A tool choice, and what a server that ignores it cannot do. */
interface Forced {
  readonly choice: JsonValue;
  readonly limit: string;
}

/** Judges the call in this answer. */
function called({ calls, text }: Answer, forced: Forced | undefined, names: readonly string[]): Finding {
  const [call] = calls;
  const limit = forced?.limit ?? 'the model calls tools that do not exist';
  if (call === undefined && forced === undefined)
    return { verdict: 'unknown', detail: 'the model answered with a text, as it may' };
  if (call === undefined)
    return { verdict: 'no', detail: text === '' ? 'answered with nothing' : 'answered with a text', limit };
  if (!names.includes(call.name)) return { verdict: 'no', detail: `called ${JSON.stringify(call.name)}`, limit };
  if (call.args === undefined || call.callId === '')
    return { verdict: 'partly', detail: call.callId === '' ? 'no call_id' : 'arguments that are not a JSON object' };
  return { verdict: 'yes', detail: `${call.name}(${JSON.stringify(call.args)})` };
}

function calling(name: string, names: readonly string[], forced?: Forced): Probe {
  return asking(
    name,
    { input: [SUM], tools: TOOLS, tool_choice: forced?.choice },
    { yes: (answer) => called(answer, forced, names), limit: forced?.limit ?? 'there are no tools' },
  );
}

const REMOVED: Wants = { closingTools: must('remove') };
const TEXT_ONLY: Wants = { toolOutput: must('string') };

/** Builds a conversation in which a call has this output. */
function afterOutput(output: JsonValue): JsonObject {
  const call = { type: 'function_call', call_id: 'call_doctor_1', name: 'add', arguments: '{"a":2,"b":3}' };
  return { input: [SUM, call, { type: 'function_call_output', call_id: 'call_doctor_1', output }], tools: [ADD] };
}

const FIVE = { type: 'input_text', text: '5' };
const PARTS = 'outputs as parts';

export const calls: readonly Probe[] = [
  calling('function call', ['add', 'weather']),
  calling('forced call', ['add', 'weather'], { choice: 'required', limit: 'a tool call cannot be forced' }),
  calling('call forced by name', ['weather'], {
    choice: { type: 'function', name: 'weather' },
    limit: 'the call of a certain tool cannot be forced',
  }),
  asking(
    'tool_choice none',
    { input: [SUM], tools: TOOLS, tool_choice: 'none' },
    {
      yes: (answer) =>
        answer.calls.length === 0
          ? { verdict: 'yes', detail: 'no call' }
          : { verdict: 'no', detail: 'called a tool all the same', wants: REMOVED },
      wants: REMOVED,
    },
  ),
  asking(
    'parallel calls',
    {
      input: [message('Call add with 2 and 3, and weather for Paris and for Rome, all at once.')],
      tools: TOOLS,
      tool_choice: 'required',
      parallel_tool_calls: true,
    },
    {
      yes: ({ calls: { length } }) =>
        length > 1
          ? { verdict: 'yes', detail: `${length} in one answer` }
          : { verdict: 'unknown', detail: length === 1 ? 'one call, as it may' : 'no call' },
      limit: 'parallel_tool_calls cannot be set',
    },
  ),
  asking('outputs as text', afterOutput('5'), { limit: 'outputs of tools cannot be sent' }),
  asking(PARTS, afterOutput([FIVE]), { wants: TEXT_ONLY }),
  {
    needs: [PARTS],
    ...asking(
      'images in outputs',
      afterOutput([FIVE, { type: 'input_image', image_url: RED_PICTURE, detail: 'low' }]),
      {
        yes: () => taken({ toolOutput: may('multimodal') }),
        wants: TEXT_ONLY,
        limit: 'pictures that tools return are not shown to the model',
      },
    ),
  },
];
