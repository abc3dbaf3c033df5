import { createHmac } from 'node:crypto';
import type { ChangedFile, Changes } from 'responses-loop-example-shared/call-view.js';
import { isSame } from './question-seal.js';

/** What a call would do to a file, as the person is asked about it. It is kept with the question. */
export interface ShownChange extends Changes {
  readonly files: readonly [ChangedFile];
  /** Names the file, what it holds, and what the call puts in its place as far as that is known. */
  readonly fingerprint: string;
  /** How long the file is. Absent: there is none. */
  readonly bytes?: number | undefined;
}

export interface SealedChange extends ShownChange {
  /** Binds it to the call, its message, its sub-agent and its chat. */
  readonly seal: string;
}

/** The call that a change is shown for. */
export interface ChangingCall {
  readonly sessionId: string;
  /** Absent: the chat's own. */
  readonly agentId: string | undefined;
  readonly messageId: string;
  readonly toolCallId: string;
  readonly tool: string;
}

/** The signature of the AI SDK on a question covers the call alone, not what a person was shown beside it. */
export class ChangeSeals {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  seal(call: ChangingCall, change: ShownChange): SealedChange {
    return { ...change, seal: this.#sealOf(call, change) };
  }

  /** The change in the description of a question, if the person was asked about this very call with it. */
  sealedIn(call: ChangingCall, descriptor: unknown): ShownChange | undefined {
    const { change: sealed } = (descriptor ?? {}) as { readonly change?: Partial<SealedChange> };
    if (typeof sealed?.seal !== 'string') return undefined;
    const { seal, ...change } = sealed as SealedChange;
    return isSame(seal, this.#sealOf(call, change)) ? change : undefined;
  }

  #sealOf({ sessionId, agentId, messageId, toolCallId, tool }: ChangingCall, change: ShownChange): string {
    const text = JSON.stringify(['change of a file', sessionId, agentId ?? null, messageId, toolCallId, tool, change]);
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }
}
