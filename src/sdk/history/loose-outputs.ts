import type { AssistantContent } from '../../core/message.js';
import { callOfOutput, pairKey } from '../../core/call-items.js';
import { asString } from '../../util/guards.js';
import type { Reading } from './readers.js';

/** An output goes out only behind its call, and once. Reads the answers of a prompt in order. */
export class LooseOutputs {
  /** Calls among the items that wait for an output, by type and call id. */
  readonly #open = new Map<string, number>();
  /** What programs gave, by the same: a history of two providers has it in a part and in a carrier. */
  readonly #given = new Map<string, unknown>();
  readonly #drop: Reading['drop'];

  constructor(drop: Reading['drop']) {
    this.#drop = drop;
  }

  without(contents: readonly AssistantContent[]): readonly AssistantContent[] {
    return contents.filter((content) => this.#mayStand(content));
  }

  #mayStand(content: AssistantContent): boolean {
    if (content.type !== 'item') return true;
    const type = asString(content.item['type']) ?? '';
    const answers = callOfOutput(type);
    const key = pairKey(answers ?? type, content.item);
    const open = this.#open.get(key) ?? 0;
    this.#open.set(key, Math.max(0, open + (answers === undefined ? 1 : -1)));
    if (answers === undefined) return true;
    // Nothing is lost if the same output stands before it.
    const isProgram = type === 'program_output';
    const isRepeated = isProgram && this.#given.get(key) === content.item['result'];
    if (open === 0 && !isRepeated) this.#drop(type, 'an output without its call');
    if (open > 0 && isProgram) this.#given.set(key, content.item['result']);
    return open > 0;
  }
}
