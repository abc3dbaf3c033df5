import { formatApprovalId, parseApprovalId } from '../core/approval-id.js';
import type { HmacKey } from '../util/hash.js';
import type { ToolCallContent } from '../core/message.js';
import type { CallPart } from '../core/part.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';
import { defined } from '../util/defined.js';
import { stableJson } from '../util/json.js';

type MadeCall = Pick<ToolCallContent, 'callId' | 'name' | 'arguments'>;

interface ApprovalSignerOptions {
  /** Derived from the secret. Without a secret, no id is signed. */
  readonly key?: HmacKey | undefined;
  /** How long a request may be answered, in milliseconds. Only with a key. @default for ever */
  readonly maxAgeMs?: number | undefined;
  readonly now?: () => number;
}

/**
 * Creates the ids of questions to the user. The client sends the history, so it may invent a request and its answer.
 * With a secret, an id is valid only for its own call. With an age limit, the signed id includes the time of the
 * request; without one, no id includes a time, so that the same call has the same id.
 */
export class ApprovalSigner {
  readonly #options: ApprovalSignerOptions;
  readonly #now: () => number;

  constructor(options: ApprovalSignerOptions = {}) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** The same signer with another clock. */
  by(now: () => number): ApprovalSigner {
    return new ApprovalSigner({ ...this.#options, now });
  }

  get signs(): boolean {
    return this.#options.key !== undefined;
  }

  async idOf(call: MadeCall): Promise<string> {
    const { key, maxAgeMs } = this.#options;
    const { callId } = call;
    if (key === undefined) return formatApprovalId({ callId, signature: '' });
    const time = maxAgeMs === undefined ? undefined : this.#now();
    return formatApprovalId({ callId, signature: await key.sign(signedText(call, time)), ...defined({ time }) });
  }

  requestApprovals(calls: readonly MadeCall[]): Promise<CallPart[]> {
    return Promise.all(
      calls.map(async (call) => ({ type: 'approval-request', approvalId: await this.idOf(call), callId: call.callId })),
    );
  }

  /** Returns why an approval under this id does not count for this call; `undefined` if it does. */
  async problemOf(approvalId: string, call: MadeCall): Promise<string | undefined> {
    const { key, maxAgeMs } = this.#options;
    if (key === undefined) return undefined;
    const { signature = '', time } = parseApprovalId(approvalId) ?? {};
    if (!(await key.holds(signedText(call, time), signature))) return FORGED;
    if (maxAgeMs === undefined) return undefined;
    const age = time === undefined ? Number.POSITIVE_INFINITY : this.#now() - time;
    return age > maxAgeMs ? EXPIRED : undefined;
  }
}

const FORGED = 'the approval that came with it was not given for this call by this program';
const EXPIRED = 'the approval that came with it is older than `approvalMaxAgeMs` allows';

function signedText(call: MadeCall, time: number | undefined): string {
  return time === undefined ? callAsText(call) : `${callAsText(call)}\n${time}`;
}

/** Stores may change the order of keys and the space between them, and may lose the model's own spelling. */
function callAsText({ callId, name, arguments: text }: MadeCall): string {
  const parsed = parseToolArguments(text);
  return stableJson([callId, name, parsed.ok ? parsed.arguments : text]);
}

/** A history may repeat one call any number of times, and the first may be long: each is parsed once. */
const TEXTS = new WeakMap<MadeCall, string>();

export function isSameCall(one: MadeCall, other: MadeCall): boolean {
  return one.callId === other.callId && textOf(one) === textOf(other);
}

function textOf(call: MadeCall): string {
  const known = TEXTS.get(call);
  if (known !== undefined) return known;
  const text = callAsText(call);
  TEXTS.set(call, text);
  return text;
}
