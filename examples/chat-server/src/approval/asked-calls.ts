import type { ChatChunk } from '../types.js';
import { describeGrant } from './grants.js';
import type { AskVerdict } from './verdict.js';

/** What a person should know before answering, beside the call itself; kept with the question. */
export interface ApprovalDescriptor {
  readonly class: 'ask' | 'danger';
  readonly reason: string;
  /** Whether "Always in this chat" is offered, and what it would allow. */
  readonly always: boolean;
  readonly rule?: string;
}

/** What the calls of running turns are asked about for, until their questions go out. */
export class AskedCalls {
  readonly #bySession = new Map<string, Map<string, ApprovalDescriptor>>();

  add(sessionId: string, toolCallId: string, verdict: AskVerdict): void {
    const calls = this.#bySession.get(sessionId) ?? new Map<string, ApprovalDescriptor>();
    this.#bySession.set(sessionId, calls);
    calls.set(toolCallId, descriptorOf(verdict));
  }

  /** Puts it into a question. The AI SDK keeps it with the part as `approval.descriptor`. */
  describe(sessionId: string, chunk: ChatChunk): ChatChunk {
    if (chunk.type !== 'tool-approval-request') return chunk;
    const descriptor = this.#bySession.get(sessionId)?.get(chunk.toolCallId);
    return descriptor === undefined ? chunk : { ...chunk, approvalDescriptor: descriptor };
  }

  endTurn(sessionId: string): void {
    this.#bySession.delete(sessionId);
  }
}

export function descriptorOf({ reason, grant, isDangerous = false }: AskVerdict): ApprovalDescriptor {
  return {
    class: isDangerous ? 'danger' : 'ask',
    reason,
    always: grant !== undefined,
    ...(grant === undefined ? {} : { rule: describeGrant(grant) }),
  };
}
