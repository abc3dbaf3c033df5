import { asRecord, asString } from '../util/guards.js';

/** What a server would not take, so that the round can be sent once more without it. */
export type Refusal =
  | { readonly kind: 'field'; readonly field: string }
  | { readonly kind: 'tool'; readonly index?: number; readonly name?: string }
  | { readonly kind: 'reasoning' };

/** Fields that make an answer better but without which the request still means the same. */
const OPTIONAL_FIELDS: ReadonlySet<string> = new Set([
  'context_management',
  'include',
  'max_tool_calls',
  'metadata',
  'moderation',
  'parallel_tool_calls',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'reasoning.effort',
  'reasoning.summary',
  'reasoning.mode',
  'reasoning.context',
  'safety_identifier',
  'service_tier',
  'store',
  'stream_options',
  'temperature',
  'text.verbosity',
  'tool_choice',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
]);

/** `Unsupported parameter: 'x'`, `Unknown parameter: "x"`, `does not support 'x'`, `x is not supported`. */
const NAMED_FIELD = [
  /(?:unsupported|unknown|unrecognized|unexpected|invalid|extra)[^'"`]{0,40}['"`]([\w.[\]]+)['"`]/i,
  /(?:does not support|not permitted|not allowed|not supported)[^'"`]{0,20}['"`]([\w.[\]]+)['"`]/i,
  /['"`]([\w.[\]]+)['"`][^'"`]{0,40}(?:is not supported|not permitted|is not allowed|unsupported|is unknown)/i,
];
const TOOL_INDEX = /\btools[[.](\d+)/i;
const TOOL_NAME = /(?:invalid schema for function|for function|function|tool)\s+['"`]([\w-]{1,64})['"`]/i;
const SEALED = /invalid_encrypted_content|encrypted content .*could not be (verified|decrypted)|encrypted_content.*not supported|encrypted content is not supported/i;

/** Reads a 4xx for the one thing in it that can be left out; `undefined`: nothing can. */
export function readRefusal(failure: { readonly statusCode?: number; readonly serverCode?: string; readonly body: string; readonly message: string }): Refusal | undefined {
  const { statusCode } = failure;
  if (statusCode !== 400 && statusCode !== 404 && statusCode !== 422) return undefined;
  const error = asRecord(asRecord(parse(failure.body))?.['error']);
  const message = asString(error?.['message']) ?? failure.message;
  const param = asString(error?.['param']) ?? '';
  if (SEALED.test(`${failure.serverCode ?? ''} ${message}`)) return { kind: 'reasoning' };
  return readTool(param, message) ?? readField(param, message);
}

function readTool(param: string, message: string): Refusal | undefined {
  const index = TOOL_INDEX.exec(param)?.[1] ?? TOOL_INDEX.exec(message)?.[1];
  if (index !== undefined) return { kind: 'tool', index: Number(index) };
  const name = /schema|function|tool/i.test(message) ? TOOL_NAME.exec(message)?.[1] : undefined;
  return name === undefined ? undefined : { kind: 'tool', name };
}

function readField(param: string, message: string): Refusal | undefined {
  const named = [param, ...NAMED_FIELD.map((pattern) => pattern.exec(message)?.[1] ?? '')];
  const field = named.map(withoutIndex).find((name) => OPTIONAL_FIELDS.has(name));
  return field === undefined ? undefined : { kind: 'field', field };
}

/** `include[0]` means `include`. */
function withoutIndex(name: string): string {
  return name.replace(/\[.*$/, '');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
