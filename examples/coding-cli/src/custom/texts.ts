import type { CustomText, Places, TextKind } from './find-texts.js';
import { findTexts } from './find-texts.js';

/** Commands and skills of the user and of the workspace. What a person was shown of a call is what is used by it. */
export class Texts {
  readonly #places: Places;
  /** By the call. */
  readonly #taken = new Map<string, CustomText>();

  constructor(places: Places) {
    this.#places = places;
  }

  all(kind: TextKind): readonly CustomText[] {
    return findTexts(kind, this.#places);
  }

  /** The same for one call, however often it is asked for, and whatever becomes of the file meanwhile. */
  of(kind: TextKind, name: unknown, callId: string): CustomText | undefined {
    const text = this.#taken.get(callId) ?? this.all(kind).find((candidate) => candidate.name === name);
    if (text !== undefined) this.#taken.set(callId, text);
    return text;
  }

  /** The call is over. */
  forget(callId: string): void {
    this.#taken.delete(callId);
  }
}

/** What is said for a command: its text with what was written behind its name. */
export function expand({ body }: CustomText, given: string): string {
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => given);
  return given === '' ? body : `${body}\n\n${given}`;
}
