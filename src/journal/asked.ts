import type { Call } from '../core/call.js';
import type { AskedRecord } from './journal.js';
import type { FileContent, Message, TextContent, ToolOutput } from '../core/message.js';
import { defined } from '../util/defined.js';
import { HmacKey } from '../util/hash.js';
import { isDeeperThan, parseJson, stableJson } from '../util/json.js';

/** The identity of a call, and the key that keeps it unreadable. */
export interface AskedOptions {
  readonly call: Call;
  /** `historySecret`, if it is set. */
  readonly key: HmacKey | undefined;
}

/**
 * Hashes the question of a call: the model, the messages with their roles, and the options that shape the answer. Facts
 * that may differ in a later attempt are not hashed: headers, signals, metadata of parts, tools (a deployment may
 * change them, and the record lists those of the loop), and the options in `APART`.
 */
export async function hashAsked({ call, key }: AskedOptions, salt: string): Promise<AskedRecord> {
  const hmac = key ?? new HmacKey(salt);
  // Nothing else that is signed with the secret begins like this.
  const hash = (name: string, said: string): Promise<string> =>
    hmac.sign(`responses-loop journal 1\n${salt}\n${name}\n${said}`);
  const { modelId, messages, settings, responseFormat, toolChoice, options, loop } = call;
  const shaping = Object.fromEntries(Object.entries(options).filter(([name]) => !APART.has(name)));
  const [model, prompt, hashed, secret] = await Promise.all([
    hash('model', modelId),
    hash('prompt', stableJson(messages.map(whatIsSaid))),
    hash(
      'options',
      stableJson({ settings, responseFormat, toolChoice, options: shaping, ...defined({ loop }) }, evenOut),
    ),
    key && hash('secret', ''),
  ]);
  return { model, prompt, options: hashed, ...defined({ secret }) };
}

/** Returns the difference of two calls in words; `undefined` if they are the same. */
export function differenceOf(recorded: AskedRecord, now: AskedRecord): string | undefined {
  // Another key changes every hash.
  if (recorded.secret !== now.secret) return 'with another `historySecret`, so that the two cannot be compared';
  const parts = PARTS.filter((part) => recorded[part] !== now[part]).map((part) => NAMES[part]);
  return parts.length === 0 ? undefined : `with ${parts.join(' and ')}`;
}

const PARTS = ['model', 'prompt', 'options'] as const;
const NAMES = { model: 'another model', prompt: 'another prompt', options: 'other options' } as const;

/** Options about labels, payment or caches, which do not change the answer. */
const APART: ReadonlySet<string> = new Set([
  'metadata',
  'promptCacheKey',
  'promptCacheOptions',
  'promptCacheRetention',
  'reasoningSummary',
  'serviceTier',
]);

/** AI SDKs and schema libraries may or may not write these for the same schema. */
function evenOut(name: string, member: unknown): unknown {
  if (typeof member === 'bigint') return String(member);
  if (name === '$schema' || (name === 'additionalProperties' && member === false)) return undefined;
  const isNames = name === 'required' && Array.isArray(member) && member.every((one) => typeof one === 'string');
  return isNames ? member.toSorted() : member;
}

type Content = Exclude<Message, { role: 'system' }>['content'][number];

/** Returns a message without parts that depend on the SDK's version, the server's ids, or the store. */
function whatIsSaid(message: Message): unknown {
  if (message.role === 'system') return { role: message.role, text: message.text };
  const content: readonly Content[] = message.content;
  return { role: message.role, content: content.map(saidIn).filter((said) => said !== undefined) };
}

/** `undefined` for items and marks of servers, which no person or model wrote. */
function saidIn(content: Content): unknown {
  switch (content.type) {
    case 'text':
    case 'file':
      return saidToModel(content);
    case 'tool-call':
      return [content.type, content.callId, content.name, evenText(content.arguments)];
    case 'tool-result':
      return [content.type, content.callId, saidByTool(content.output)];
    case 'approval':
      return [content.type, content.approvalId, content.approved, content.reason];
    default:
      return undefined;
  }
}

function saidToModel(content: TextContent | FileContent): unknown {
  if (content.type === 'text') return [content.type, content.text];
  const { mediaType, source, filename } = content;
  return [content.type, mediaType, source, filename];
}

function saidByTool({ isError, content }: ToolOutput): unknown {
  return [isError, content.map((one) => (one.type === 'text' ? evenText(one.text) : saidToModel(one)))];
}

/** Stores may reorder the members of JSON. */
function evenText(text: string): string {
  const value = text.startsWith('{') || text.startsWith('[') ? parseJson(text) : undefined;
  return value === undefined || isDeeperThan(value, EVEN_LEVELS) ? text : stableJson(value);
}

const EVEN_LEVELS = 500;
