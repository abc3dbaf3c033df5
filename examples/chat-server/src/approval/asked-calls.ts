import type { ChatChunk } from '../types.js';
import { describeGrant } from './grants.js';
import type { SealedChange } from './shown-change.js';
import type { AskVerdict } from './verdict.js';

/** What a person should know before answering, beside the call itself; kept with the question. */
export interface ApprovalDescriptor {
  readonly class: 'ask' | 'danger';
  readonly reason: string;
  /** Whether "Always in this chat" is offered, and what it would allow. */
  readonly always: boolean;
  readonly rule?: string;
  /** Of a call that writes a file. */
  readonly change?: SealedChange;
}

export interface AskedAbout {
  readonly verdict: AskVerdict;
  readonly change?: SealedChange | undefined;
  /** Of a sub-agent, whose calls may have the ids of others. */
  readonly agentId?: string | undefined;
}

/** What the calls of running turns are asked about for, until their questions go out. */
export class AskedCalls {
  readonly #bySession = new Map<string, Map<string, ApprovalDescriptor>>();

  add(sessionId: string, toolCallId: string, { verdict, change, agentId }: AskedAbout): void {
    const calls = this.#bySession.get(sessionId) ?? new Map<string, ApprovalDescriptor>();
    this.#bySession.set(sessionId, calls);
    calls.set(keyOf(toolCallId, agentId), descriptorOf(verdict, change));
  }

  /** Puts it into a question. The AI SDK keeps it with the part as `approval.descriptor`. */
  describe(sessionId: string, chunk: ChatChunk, agentId?: string): ChatChunk {
    if (chunk.type !== 'tool-approval-request') return chunk;
    const descriptor = this.#bySession.get(sessionId)?.get(keyOf(chunk.toolCallId, agentId));
    return descriptor === undefined ? chunk : { ...chunk, approvalDescriptor: descriptor };
  }

  endTurn(sessionId: string): void {
    this.#bySession.delete(sessionId);
  }
}

function keyOf(toolCallId: string, agentId = ''): string {
  return `${agentId} ${toolCallId}`;
}

export function descriptorOf(
  { reason, grant, isDangerous = false }: AskVerdict,
  change?: SealedChange,
): ApprovalDescriptor {
  return {
    class: isDangerous ? 'danger' : 'ask',
    reason,
    always: grant !== undefined,
    ...(grant === undefined ? {} : { rule: describeGrant(grant) }),
    ...(change === undefined ? {} : { change }),
  };
}
