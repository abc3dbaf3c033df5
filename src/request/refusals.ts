import { asRecord, asString } from '../util/guards.js';
import { parseJson } from '../util/parse-json.js';

/** What a server would not take, so that the round can be sent once more without it. */
export type Refusal =
  | { readonly kind: 'field'; readonly field: string }
  /** `toolType`: all tools of a kind that the server does not know. */
  | { readonly kind: 'tool'; readonly index?: number; readonly name?: string; readonly toolType?: string }
  /** `sealed`: the contents that were refused, once it is known which. */
  | { readonly kind: 'reasoning'; readonly sealed?: readonly string[] };

/** Fields that make an answer better but without which the request still means the same. */
const OPTIONAL_FIELDS: ReadonlySet<string> = new Set([
  'context_management',
  'include',
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
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
]);

/**
 * How servers say that they do not know a field at all. A value they do not like is the caller's to mend, and never a
 * reason to leave the field out: `Invalid value`, `Unsupported value`, `decimal above maximum`.
 */
const UNKNOWN_FIELD = [
  /(?:unsupported|unknown|unrecognized|unexpected|extra) (?:request )?(?:parameter|argument|field|key|input)s?(?: supplied)?[:\s]+['"`]?([\w.[\]]+)['"`]?/gi,
  /(?:parameter|argument|field|option) ['"`]([\w.[\]]+)['"`] (?:is )?(?:not supported|not permitted|not allowed|unsupported|unknown)/gi,
  /does not support (?:the )?(?:parameter |field |option )?['"`]([\w.[\]]+)['"`]/gi,
  /['"`]([\w.[\]]+)['"`] (?:is|are) not supported(?: with| by| for| on)? ?(?:this|the)? ?(?:model|server|endpoint|api)?/gi,
];
/** FastAPI's list of what did not validate, as JSON or as Python prints it (vLLM): the path of a field too many. */
const EXTRA_FIELD = /extra_forbidden['"],\s*['"]loc['"]:\s*[[(]\s*['"]body['"]((?:\s*,\s*['"]\w+['"])+)\s*[\])]/;
const UNKNOWN_FIELD_CODE = /^(unsupported|unknown|unrecognized)_(parameter|argument|field)$/;
const VALUE_ERROR = /\b(unsupported|invalid) (value|type)|out of range|maximum|minimum|expected one of/i;

const TOOL_INDEX = /\btools\[(\d+)\]|\btools\.(\d+)\b/i;
/** Only where the text is about the declaration of a tool, not about a call of it. */
const TOOL_NAME = /invalid (?:schema|name|parameters|description) for (?:function|tool)\s+['"`]([\w-]{1,64})['"`]/i;
/** A model that does not reason cannot be asked to seal its reasoning. */
const UNSEALED = /encrypted.content.*not supported with this model/i;
const SEALED =
  /invalid_encrypted_content|encrypted content .*could not be (?:verified|decrypted)|encrypted.content.*not supported/i;

/** Statuses that speak of the request itself. */
const REFUSING: ReadonlySet<number> = new Set([400, 404, 422]);

/** Reads a 4xx for the one thing in it that can be left out; `undefined`: nothing can. */
export function readRefusal(failure: {
  readonly statusCode?: number;
  readonly serverCode?: string;
  readonly body: string;
  readonly message: string;
}): Refusal | undefined {
  const { statusCode = 0, serverCode = '' } = failure;
  if (!REFUSING.has(statusCode)) return undefined;
  const error = asRecord(asRecord(parseJson(failure.body))?.['error']);
  if (error === undefined) return readSaid({ param: '', message: failure.message, serverCode, list: failure.body });
  const message = asString(error['message']) ?? failure.message;
  return readSaid({ param: asString(error['param']) ?? '', message, serverCode, list: message });
}

interface Said {
  readonly param: string;
  readonly message: string;
  readonly serverCode: string;
  /** Where a list of validation errors would stand. */
  readonly list: string;
}

function readSaid(said: Said): Refusal | undefined {
  if (UNSEALED.test(said.message)) return { kind: 'field', field: 'include' };
  if (SEALED.test(`${said.serverCode} ${said.message}`)) return { kind: 'reasoning' };
  const extra = readExtraField(said.list);
  if (extra !== undefined) return toFieldRefusal([extra]);
  return readTool(said.param, said.message) ?? readField(said);
}

function readExtraField(text: string): string | undefined {
  return EXTRA_FIELD.exec(text)?.[1]?.match(/\w+/g)?.join('.');
}

function toFieldRefusal(names: readonly string[]): Refusal | undefined {
  const field = names.map(withoutIndex).find((name) => OPTIONAL_FIELDS.has(name));
  return field === undefined ? undefined : { kind: 'field', field };
}

function readTool(param: string, message: string): Refusal | undefined {
  // `input[3].arguments` is about a call in the history, whatever tool it names.
  if (param !== '' && !param.startsWith('tools')) return undefined;
  const index = TOOL_INDEX.exec(param) ?? TOOL_INDEX.exec(message);
  if (index !== null) return { kind: 'tool', index: Number(index[1] ?? index[2]) };
  const name = TOOL_NAME.exec(message)?.[1];
  return name === undefined ? undefined : { kind: 'tool', name };
}

function readField({ param, message, serverCode }: Said): Refusal | undefined {
  // What is said of an item of the input is not said of a field.
  if (VALUE_ERROR.test(message) || param.startsWith('input')) return undefined;
  const named = UNKNOWN_FIELD.flatMap((pattern) => [...message.matchAll(pattern)].map((match) => match[1] ?? ''));
  return toFieldRefusal(UNKNOWN_FIELD_CODE.test(serverCode) ? [param, ...named] : named);
}

/** `include[0]` means `include`. */
function withoutIndex(name: string): string {
  return name.replace(/\[.*$/, '');
}
