import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import type { ApiError, NamedField } from '../errors/api-error.js';
import { defined } from '../util/defined.js';
import { clip } from '../util/excerpt.js';
import { effortsIn } from './efforts.js';

/** A part of a request that the server refused, so that the round can be sent once more without it. */
export type Refusal =
  | { readonly kind: 'field'; readonly field: string }
  /**
   * `toolType`: tools of a kind; all of them if it `isKind` that the server does not know. `label`: the known name of
   * one, if there may be others. `declared`: their JSON, once it is known which.
   * `inner`: its position in the namespace at `index`, whose name is `namespace` once that is known.
   */
  | {
      readonly kind: 'tool';
      readonly index?: number;
      readonly inner?: number;
      readonly namespace?: string;
      readonly name?: string;
      readonly toolType?: string;
      readonly isKind?: true;
      readonly label?: string;
      readonly declared?: readonly string[];
    }
  /** A level of reasoning. `among`: the server's levels, valid for one request only. */
  | { readonly kind: 'effort'; readonly level: string; readonly among?: readonly string[] }
  /** `sealed`: the contents that were refused, once it is known which. */
  | { readonly kind: 'reasoning'; readonly sealed?: readonly string[] };

/** All that one error refuses. */
export interface Refused {
  readonly refusals: readonly Refusal[];
  /**
   * The server names it in the intended members (`param` with a `code` or `type`). Its prose may repeat a text of the
   * request, so a refusal found only there changes one further request of this call and is not remembered.
   */
  readonly isNamed: boolean;
}

/**
 * Fields without which the request still means the same. `protects`: they limit storage or identify the caller, so they
 * are dropped only if an error code reports the field as unknown.
 */
const OPTIONAL_FIELDS: ReadonlyMap<string, 'protects' | undefined> = new Map([
  ['context_management', undefined],
  ['include', undefined],
  ['metadata', undefined],
  ['moderation', 'protects'],
  ['parallel_tool_calls', undefined],
  ['prompt_cache_key', undefined],
  ['prompt_cache_options', undefined],
  ['prompt_cache_retention', 'protects'],
  ['reasoning', undefined],
  ['reasoning.effort', undefined],
  ['reasoning.summary', undefined],
  ['reasoning.mode', undefined],
  ['reasoning.context', undefined],
  ['safety_identifier', 'protects'],
  ['service_tier', undefined],
  ['store', 'protects'],
  ['stream_options', undefined],
  ['temperature', undefined],
  ['text.verbosity', undefined],
  ['top_logprobs', undefined],
  ['top_p', undefined],
  ['truncation', undefined],
  ['user', 'protects'],
]);

/** FastAPI sends `extra_forbidden`. */
const UNKNOWN_FIELD_CODE = /^(?:(?:unsupported|unknown|unrecognized)_(?:parameter|argument|field)|extra_forbidden)$/;
/** The server knows the field, but not its value. */
const VALUE_CODE = /^(?:unsupported|invalid)_value$/;
const SEALED_CODE = 'invalid_encrypted_content';

/**
 * How servers report an unknown field. A refused value is the caller's to fix, and never a
 * reason to drop the field: `Invalid value`, `Unsupported value`, `decimal above maximum`.
 */
const UNKNOWN_FIELD = [
  /(?:unsupported|unknown|unrecognized|unexpected|extra) (?:request )?(?:parameter|argument|field|key|input)s?(?: supplied)?[:\s]{1,9}['"`]?([\w.[\]]{1,64})['"`]?/gi,
  /(?:parameter|argument|field|option) ['"`]([\w.[\]]{1,64})['"`] (?:is )?(?:not supported|not permitted|not allowed|unsupported|unknown)/gi,
  /does not support (?:the )?(?:parameter |field |option )?['"`]([\w.[\]]{1,64})['"`]/gi,
  /['"`]([\w.[\]]{1,64})['"`] (?:is|are) not supported/gi,
  // A FastAPI list as Python prints it (vLLM).
  /extra_forbidden', {0,9}'loc': {0,9}\('body', {0,9}'(\w{1,64}(?:', {0,9}'\w{1,64}){0,3})'\)/g,
];
const VALUE_ERROR = /\b(unsupported|invalid) (value|type)|out of range|maximum|minimum|expected one of/i;

/** A tool, or one in a namespace of tools. */
const TOOL_INDEX = /\btools(?:\[(\d{1,9})\]|\.(\d{1,9})\b)(?:\.tools(?:\[(\d{1,9})\]|\.(\d{1,9})\b))?(\.type\b)?/gi;
/** Only if the text concerns the declaration of a tool, not a call. */
const TOOL_NAME = /invalid (?:schema|name|parameters|description) for (?:function|tool)\s['"`]([\w-]{1,64})['"`]/gi;
/** A model that does not reason cannot be asked to seal its reasoning. */
const UNSEALED = /encrypted.content[^.]{0,99}not supported with this model/gi;
const SEALED =
  /encrypted content [^\n]{0,999}?could not be (?:verified|decrypted)|encrypted.content[^.]{0,99}not supported/gi;

/** Statuses that concern the request itself. */
const REFUSING: ReadonlySet<number> = new Set([400, 404, 422]);

/** A server names the refused field early; the rest mostly repeats the request. */
const WORDS_READ = 4_000;
/** The most phrases of a message that are searched for in the request. */
const PHRASES_READ = 16;

/** Returns the parts of `request` that a 4xx refuses; `undefined`: none can be omitted. */
export function readRefused(error: ApiError, request: JsonObject): Refused | undefined {
  if (!REFUSING.has(error.statusCode ?? 0)) return undefined;
  const named = error.facts.named ?? [];
  const words = new Words(clip(error.message, WORDS_READ), request);
  const byName = named.flatMap((field) => readNamed(field, words));
  if (error.serverCode === SEALED_CODE) byName.push({ kind: 'reasoning' });
  if (byName.length > 0) {
    const isEcho = someIsTextOf(request, named);
    // A text of the request in `param` proves nothing for other calls.
    return { refusals: isEcho ? byName.filter(isHarmless) : byName, isNamed: !isEcho };
  }
  const refusals = readWords(named, words).filter(isHarmless);
  return refusals.length === 0 ? undefined : { refusals, isNamed: false };
}

function readNamed({ path, code = '' }: NamedField, words: Words): Refusal[] {
  const level = path === 'reasoning.effort' && VALUE_CODE.test(code) ? words.effort() : undefined;
  if (level !== undefined) return [level];
  const tools = toolsIn(path.matchAll(TOOL_INDEX));
  if (tools.length > 0) return tools;
  const field = fieldOf(path);
  if (field === undefined) return [];
  if (UNKNOWN_FIELD_CODE.test(code)) return [{ kind: 'field', field }];
  // A code that only means "invalid": the prose decides whether it means the field or its value.
  const isMeant = code !== '' && isHarmless({ kind: 'field', field }) && words.unknownFields().includes(field);
  return isMeant ? [{ kind: 'field', field }] : [];
}

function readWords(named: readonly NamedField[], words: Words): Refusal[] {
  const isUnsealed = words.match(UNSEALED).length > 0;
  if (!isUnsealed && words.match(SEALED).length > 0) return [{ kind: 'reasoning' }];
  // `input[3].arguments` is about a call in the history, although it may mention a tool or field.
  if (named.some(({ path }) => path.startsWith('input'))) return [];
  const mayBeTool = named.every(({ path }) => path.startsWith('tools'));
  const tools = mayBeTool ? [...toolsIn(words.match(TOOL_INDEX)), ...namesIn(words.match(TOOL_NAME))] : [];
  if (tools.length > 0) return tools;
  return words.unknownFields().map((field) => ({ kind: 'field', field }));
}

function isHarmless(refusal: Refusal): boolean {
  return refusal.kind !== 'field' || OPTIONAL_FIELDS.get(refusal.field) !== 'protects';
}

function toolsIn(matches: Iterable<RegExpMatchArray>): Refusal[] {
  const places = new Map<string, Refusal>();
  for (const [place, inBrackets, afterDot, innerInBrackets, innerAfterDot, type] of matches) {
    const inner = innerInBrackets ?? innerAfterDot;
    const index = Number(inBrackets ?? afterDot);
    const known = { kind: 'tool', index, ...(inner === undefined ? {} : { inner: Number(inner) }) } as const;
    places.set(place, type === undefined ? known : { ...known, isKind: true });
  }
  return [...places.values()];
}

function namesIn(matches: Iterable<RegExpMatchArray>): Refusal[] {
  const names = new Set(Array.from(matches, ([, name = '']) => name));
  return Array.from(names, (name) => ({ kind: 'tool', name }));
}

/** `include[0]` means `include`; Python's `reasoning', 'summary` means `reasoning.summary`. */
function fieldOf(path: string): string | undefined {
  const name = path
    .split("'")
    .filter((piece) => !piece.startsWith(','))
    .join('.')
    .replace(/\[.{0,64}$/, '');
  return OPTIONAL_FIELDS.has(name) ? name : undefined;
}

/** The words of an error, without phrases that repeat the request. */
class Words {
  readonly #message: string;
  readonly #request: JsonObject;

  constructor(message: string, request: JsonObject) {
    this.#message = message;
    this.#request = request;
  }

  match(pattern: RegExp): RegExpMatchArray[] {
    const found = [...this.#message.matchAll(pattern)].slice(0, PHRASES_READ);
    return found.filter(([phrase]) => !someText(this.#request, (text) => text.includes(phrase)));
  }

  /** The requested level of reasoning, and the levels in the message. */
  effort(): Refusal | undefined {
    const { reasoning } = this.#request;
    const level = isJsonObject(reasoning) ? reasoning['effort'] : undefined;
    if (typeof level !== 'string') return undefined;
    return { kind: 'effort', level, ...defined({ among: effortsIn(this.#message) }) };
  }

  /** Returns optional fields that the server does not know. */
  unknownFields(): string[] {
    if (this.match(UNSEALED).length > 0) return ['include'];
    if (VALUE_ERROR.test(this.#message)) return [];
    const phrases = UNKNOWN_FIELD.flatMap((pattern) => this.match(pattern));
    return [...new Set(phrases.flatMap(([, name = '']) => fieldOf(name) ?? []))];
  }
}

/** Members with texts of users, models and tools. */
const TEXTS: ReadonlySet<string> = new Set([
  'arguments',
  'content',
  'description',
  'filename',
  'input',
  'instructions',
  'name',
  'output',
  'text',
]);

/**
 * Whether a path is a text of the request. A path with blanks may also be part of such a text. No server reports many
 * such paths, so then all count as texts.
 */
function someIsTextOf(request: JsonObject, named: readonly NamedField[]): boolean {
  const said = new Set(named.map(({ path }) => path.trim()));
  const prose = [...said].filter((path) => path.includes(' '));
  if (prose.length > PHRASES_READ) return true;
  return someText(
    request,
    (text, name) => TEXTS.has(name) && (said.has(text.trim()) || prose.some((path) => text.includes(path))),
  );
}

/** Returns whether a text anywhere in the request matches. Stops at the first. */
function someText(value: JsonValue | undefined, isIt: (text: string, name: string) => boolean, name = ''): boolean {
  if (typeof value === 'string') return isIt(value, name);
  if (Array.isArray(value)) return value.some((entry) => someText(entry, isIt, name));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => someText(member, isIt, key));
}
