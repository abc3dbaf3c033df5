import { parseApprovalId } from '../core/approval-id.js';
import type { JsonObject } from '../core/json.js';
import {
  type ApprovalContent,
  type AssistantContent,
  errorOutput,
  type Message,
  type ToolCallContent,
  type ToolMessage,
  type ToolResultContent,
} from '../core/message.js';
import { denialReason, denialText } from '../tools/call/approval.js';
import { approvalRequestId } from '../items/plain.js';
import { isSameCall } from './approval-signer.js';

/** What a prompt says about calls that the user was asked about. */
export interface ApprovalHistory {
  /** The conversation: each call once, also if it was emitted twice; denied calls with their output. */
  readonly messages: readonly Message[];
  /** Calls the user has allowed, in order; nothing but answers has followed them. */
  readonly allowed: readonly { readonly call: ToolCallContent; readonly approvalId: string }[];
  /** Calls the user has denied since. */
  readonly denied: readonly { readonly call: ToolCallContent; readonly reason: string }[];
  /** Calls at the end that have neither an output nor the user's answer. */
  readonly open: readonly ToolCallContent[];
  /** Requests of a server at the end, which the user has not answered. */
  readonly openRequests: readonly JsonObject[];
  /** The user was asked about something at the end: what is open waits. Otherwise it counts as interrupted. */
  readonly isAsking: boolean;
  /** It says nothing of the kind. */
  readonly isEmpty: boolean;
}

/**
 * Reads the user's answers out of a prompt. An answer counts for the call before it, and only at the very end of the
 * conversation is a call run or asked about again: where the conversation has gone on, it counts as interrupted.
 */
export function readApprovals(prompt: readonly Message[]): ApprovalHistory {
  if (!prompt.some(({ role }) => role === 'assistant' || role === 'tool')) return { messages: prompt, ...NOTHING };
  const reader = new HistoryReader();
  for (const message of prompt) reader.read(message);
  const history = reader.history();
  // Most prompts hold nothing of this, and stay the object they are.
  return history.isAsking || reader.isChanged ? history : { ...history, messages: prompt };
}

const NOTHING = { allowed: [], denied: [], open: [], openRequests: [], isAsking: false, isEmpty: true };

/** What the user may have been asked about, and what became of it. */
interface Asked {
  /** Of the message it stands in. */
  readonly at: number;
  wasAsked: boolean;
  isSettled: boolean;
}

interface AskedCall extends Asked {
  readonly call: ToolCallContent;
  answer: ApprovalContent | undefined;
}

/** A server's own approval request. */
interface AskedServer extends Asked {
  readonly item: JsonObject;
}

class HistoryReader {
  readonly #messages: Message[] = [];
  readonly #calls: AskedCall[] = [];
  /** The last call with an id: servers may give one twice. */
  readonly #byId = new Map<string, AskedCall>();
  readonly #requests = new Map<string, AskedServer>();
  /** Where the user spoke last. */
  #lastUser = -1;
  isChanged = false;

  read(message: Message): void {
    if (message.role === 'assistant') this.#readAssistant(message.content);
    else if (message.role === 'tool') this.#readTool(message.content);
    else {
      if (message.role === 'user') this.#lastUser = this.#messages.length;
      this.#messages.push(message);
    }
  }

  history(): ApprovalHistory {
    const at = this.#messages.findLastIndex(({ role }) => role !== 'tool' && role !== 'system');
    const calls = this.#calls.filter((asked) => asked.at === at);
    const requests = [...this.#requests.values()].filter((request) => request.at === at);
    const allowed = calls.flatMap(({ call, answer, isSettled }) =>
      answer?.approved === true && !isSettled ? [{ call, approvalId: answer.approvalId }] : [],
    );
    const denied = calls.flatMap(({ call, answer }) =>
      answer?.approved === false ? [{ call, reason: denialReason(answer.reason) }] : [],
    );
    const open = calls.filter(({ answer, isSettled }) => answer === undefined && !isSettled).map(({ call }) => call);
    const openRequests = requests.filter(({ isSettled }) => !isSettled).map(({ item }) => item);
    const isAsking = [...calls, ...requests].some(({ wasAsked }) => wasAsked);
    const isEmpty = !isAsking && allowed.length + denied.length + open.length === 0;
    return { messages: this.#withDenials(), allowed, denied, open, openRequests, isAsking, isEmpty };
  }

  #readAssistant(contents: readonly AssistantContent[]): void {
    const kept = contents.filter((content) => content.type !== 'asked' && !this.#isRepeated(content));
    this.isChanged ||= kept.length < contents.length;
    const isRest = kept.length < contents.length && kept.every(({ type }) => type === 'tool-result');
    // What is left of a request that was repeated belongs to the message it repeats.
    if (isRest) this.#pushTool(kept.filter((content) => content.type === 'tool-result'));
    else this.#messages.push({ role: 'assistant', content: kept });
    for (const content of contents) if (content.type === 'asked') this.#markAsked(content.callId);
  }

  /** Notes a content, unless it is a call that was noted before. */
  #isRepeated(content: AssistantContent): boolean {
    if (content.type === 'tool-result') this.#settle(content.callId);
    if (content.type === 'item') return this.#isKnownRequest(content.item);
    // The user is never asked about hidden calls: an approval of one was made up by the client.
    if (content.type !== 'tool-call' || content.wasHidden === true) return false;
    const known = this.#byId.get(content.callId);
    if (known !== undefined && this.#isOpenIn(known) && isSameCall(known.call, content)) return true;
    const asked = { call: content, at: this.#messages.length, wasAsked: false, isSettled: false, answer: undefined };
    this.#calls.push(asked);
    this.#byId.set(content.callId, asked);
    return false;
  }

  #readTool(contents: ToolMessage['content']): void {
    const kept = contents.filter((content) => !isOurs(content) && !this.#isDeniedTwice(content));
    this.isChanged ||= kept.length < contents.length;
    this.#pushTool(kept);
    for (const content of contents) {
      if (content.type === 'approval') this.#readAnswer(content);
      else this.#settle(content.callId);
    }
  }

  #readAnswer(answer: ApprovalContent): void {
    const request = this.#requests.get(answer.approvalId);
    if (request !== undefined) Object.assign(request, { wasAsked: true, isSettled: true });
    const callId = parseApprovalId(answer.approvalId)?.callId;
    const asked = callId === undefined ? undefined : this.#byId.get(callId);
    if (asked === undefined) return;
    asked.wasAsked = true;
    asked.answer = answer;
  }

  /** A call that several messages repeat may be denied behind each of them. */
  #isOpenIn({ at, answer, isSettled }: AskedCall): boolean {
    if (!isSettled) return true;
    return answer?.approved === false && this.#lastUser < at;
  }

  #isDeniedTwice(content: ToolMessage['content'][number]): boolean {
    if (content.type !== 'tool-result') return false;
    const asked = this.#byId.get(content.callId);
    return asked?.isSettled === true && asked.answer?.approved === false;
  }

  #isKnownRequest(item: JsonObject): boolean {
    const id = approvalRequestId(item);
    if (id === undefined) return false;
    if (this.#requests.has(id)) return true;
    this.#requests.set(id, { item, at: this.#messages.length, wasAsked: false, isSettled: false });
    return false;
  }

  #markAsked(id: string): void {
    const asked = this.#byId.get(id) ?? this.#requests.get(id);
    if (asked !== undefined) asked.wasAsked = true;
  }

  #settle(callId: string): void {
    const asked = this.#byId.get(callId);
    if (asked !== undefined) asked.isSettled = true;
  }

  #pushTool(content: ToolMessage['content']): void {
    if (content.length > 0) this.#messages.push({ role: 'tool', content });
  }

  /** A denied call has its output right behind it. */
  #withDenials(): Message[] {
    /** By the position of the message. */
    const denials = new Map<number, ToolResultContent[]>();
    for (const { call, at, answer, isSettled } of this.#calls) {
      if (isSettled || answer?.approved !== false) continue;
      const output = errorOutput(denialText(call.name, denialReason(answer.reason)));
      const denial: ToolResultContent = { type: 'tool-result', callId: call.callId, output };
      const others = denials.get(at);
      if (others === undefined) denials.set(at, [denial]);
      else others.push(denial);
    }
    if (denials.size === 0) return this.#messages;
    return this.#messages.flatMap((message, index): Message[] => {
      const content = denials.get(index);
      return content === undefined ? [message] : [message, { role: 'tool', content }];
    });
  }
}

/** An answer to a request of ours; a server's is the server's to read. */
function isOurs(content: ToolMessage['content'][number]): boolean {
  return content.type === 'approval' && parseApprovalId(content.approvalId) !== undefined;
}
