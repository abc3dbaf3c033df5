import type { RoundPart, RoundResult } from '../core/part.js';

/** Which part closes one that was opened, made from its id. */
const ENDING: Readonly<Record<string, (id: string) => RoundPart>> = {
  'text-start': (id) => ({ type: 'text-end', id }),
  'reasoning-start': (id) => ({ type: 'reasoning-end', id }),
  'tool-input-start': (callId) => ({ type: 'tool-input-end', callId }),
};

const ENDS: ReadonlySet<string> = new Set(['text-end', 'reasoning-end', 'tool-input-end']);

/** Parts that were opened and not closed yet, so that a round which just stops can be closed for it. */
export class OpenParts {
  readonly #endings = new Map<string, RoundPart>();

  note(part: RoundPart): void {
    const ending = ENDING[part.type];
    if (ending === undefined && !ENDS.has(part.type)) return;
    const id = idOf(part);
    if (ending === undefined) this.#endings.delete(id);
    else this.#endings.set(id, ending(id));
  }

  /** What ends a round that an error ended: nothing of it counts. */
  breakOff(error: Error): RoundPart[] {
    const result: RoundResult = {
      outcome: 'failed',
      finishReason: 'error',
      usage: {},
      content: [],
      answeredCallIds: [],
      warnings: [],
      error,
    };
    return [...this.#endings.values(), { type: 'round-end', result }];
  }
}

function idOf(part: RoundPart): string {
  if ('callId' in part) return part.callId;
  return 'id' in part ? part.id : '';
}
