import { createHmac, timingSafeEqual } from 'node:crypto';
import { getToolName, isToolUIPart } from 'ai';
import type { AgentFile, ChatPart, SealedQuestion } from '../types.js';
import type { ToolCallPart } from './answer-effects.js';

/** Whose question it is. */
export interface Asker {
  readonly sessionId: string;
  readonly agentId: string;
}

/** A request in the message of a sub-agent, and what is answered to. */
export interface SealedRequest {
  readonly id: string;
  readonly part: ToolCallPart;
}

/**
 * Binds what a sub-agent asks to its chat, to itself, and to the call. The signatures of the AI SDK and of the provider do not
 * know of sub-agents: a question that was copied from another one would count.
 */
export class QuestionSeals {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  seal(asker: Asker, { id, part }: SealedRequest): SealedQuestion {
    const approvalId = part.approval?.id ?? '';
    return { id, approvalId, seal: this.#sealOf(asker, { id, part }) };
  }

  /** The requests, answered or not, that were asked by this very sub-agent about these very calls. */
  sealedIn(asker: Asker, { asked = [] }: AgentFile, parts: readonly ChatPart[]): SealedRequest[] {
    return parts.filter(isToolUIPart).flatMap((part) => {
      const question = asked.find(({ approvalId }) => approvalId === part.approval?.id);
      if (question === undefined) return [];
      const request = { id: question.id, part };
      return isSame(question.seal, this.#sealOf(asker, request)) ? [request] : [];
    });
  }

  #sealOf({ sessionId, agentId }: Asker, { id, part }: SealedRequest): string {
    const call = [part.toolCallId, getToolName(part), part.input];
    const text = JSON.stringify(['question of a sub-agent', sessionId, agentId, id, part.approval?.id, ...call]);
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }
}

/** Compares seals in the same time, however much of them is the same. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
