import type { Profile } from '../../core/profile.js';
import type { Point } from './point.js';

type Effect = (profile: Profile, point: Point) => string;

const listed = (names: readonly string[]): string => names.join(', ');

/** What the package does about a point, under this profile. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  'streamed text': () => 'always streams; generating is the collected stream',
  'key required': ({ requiresKey }) =>
    requiresKey ? 'refuses to ask without a key' : 'asks without a key if none is set',
  'system role': ({ systemRole }) => `sends the system prompt with the role ${systemRole}`,
  'assistant messages': ({ assistantMessageIds }) =>
    assistantMessageIds === 'omit' ? 'sends no ids' : 'makes up an id for each',
  'unknown fields ignored': (_, { verdict }) =>
    verdict === 'no' ? 'leaves out a field that the server names, and sends the rest once more' : 'sends what is set',
  'engine settings': ({ vendorFields }) =>
    vendorFields.length === 0 ? 'leaves them out with a warning' : `sends ${listed(vendorFields)}`,
  include: ({ include }) => (include.length === 0 ? 'asks for nothing' : `asks for ${listed(include)}`),
  'store and previous_response_id': () => 'sends the whole conversation, with store: false unless you set it',
  'tool_choice none': ({ closingTools }) =>
    closingTools === 'remove' ? 'ends the loop by leaving the tools out' : 'ends the loop with tool_choice "none"',
  'parallel calls': () => 'runs read-only ones side by side',
  'outputs as parts': ({ toolOutput }) =>
    toolOutput === 'multimodal' ? 'sends parts where an output has files' : 'sends outputs as text',
  'images in outputs': ({ toolOutput }) =>
    toolOutput === 'multimodal' ? 'sends them' : 'sends a text that names them',
  reasoning: () => 'shows what comes',
  'reasoning replay': ({ reasoningReplay }) =>
    reasoningReplay === 'none'
      ? 'sends none back'
      : `sends it back ${reasoningReplay === 'encrypted' ? 'sealed' : 'as plain text'}`,
  'structured output': () => 'sends the schema; what does not fit it is an error of generateObject',
  'images by URL': ({ inputUrls }) => (inputUrls ? 'sends URLs' : 'lets the AI SDK fetch them'),
  files: ({ inputFiles }) => (inputFiles ? 'sends them' : 'refuses them before anything is sent'),
  'server tools': ({ hostedTools }) =>
    hostedTools === 'any' ? 'sends all' : `sends ${hostedTools.length === 0 ? 'none' : listed(hostedTools)}`,
  WebSocket: (_, { verdict }) =>
    verdict === 'yes' ? "uses it with transport: 'websocket' or 'auto'" : 'goes over HTTP',
};

export function effectOf(point: Point, profile: Profile): string | undefined {
  return Object.hasOwn(EFFECTS, point.name) ? EFFECTS[point.name]?.(profile, point) : undefined;
}
