import type { Grant } from '../types.js';

/**
 * Who has to agree to a call: no one, the person, or no one can. `grant` is what "Always in this chat" would allow; it is
 * absent if nothing may be granted.
 */
export type Verdict =
  | { readonly decision: 'run' }
  | {
      readonly decision: 'ask';
      readonly reason: string;
      readonly grant?: Grant | undefined;
      /** Of a command: whether the rules that were granted, taken together, let it run. */
      readonly isCovered?: (rules: readonly string[]) => boolean;
      /** Of a kind that nobody should approve without a second look. */
      readonly isDangerous?: boolean;
    }
  | { readonly decision: 'refuse'; readonly reason: string };

export type AskVerdict = Extract<Verdict, { decision: 'ask' }>;

export const RUN: Verdict = { decision: 'run' };
