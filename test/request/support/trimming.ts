import { readApprovals } from '../../../src/loop/read-approvals.js';
import type { JsonObject } from '../../../src/core/json.js';
import type { Message } from '../../../src/core/message.js';
import { createRequestBuilder } from '../../../src/request/build-request.js';
import { PROFILES } from '../../../src/request/profiles.js';
import { InputTrimmer, type Trim } from '../../../src/request/trim-input.js';
import { fromCallOptions } from '../../../src/sdk/prompt/from-call-options.js';
import { pairRounds, user } from './build.js';

interface TrimmingOptions {
  readonly maxChars: number;
  /** As the AI SDK gives it, or as ours. */
  readonly prompt?: readonly unknown[];
  readonly messages?: readonly Message[];
  readonly rounds: readonly (readonly Message[])[];
  /** The first round that is sent; those before it come out of a journal. */
  readonly from?: number;
}

export interface Trimmed {
  /** Inputs of the requests, in order. */
  readonly rounds: readonly { readonly input: readonly JsonObject[] }[];
  readonly trims: readonly Trim[];
  readonly stuck: readonly { readonly round: number; readonly chars: number }[];
}

/** The requests of one call, with a limit for their inputs. */
export function trimming({ maxChars, prompt = [user('Hi')], messages, rounds, from = 0 }: TrimmingOptions): Trimmed {
  const trims: Trim[] = [];
  const stuck: Trimmed['stuck'][number][] = [];
  const profile = PROFILES.openai;
  const { call } = fromCallOptions('gpt-test', { prompt }, { stream: true, profile });
  const said = messages ?? call.messages;
  const builder = createRequestBuilder({
    call: { ...call, messages: said },
    profile,
    overrides: [],
    defaults: {},
    shorten: () =>
      new InputTrimmer({
        maxChars,
        onTrim: (trim) => trims.push(trim),
        onStuck: (round, chars) => stuck.push({ round, chars }),
      }).shorten,
  });
  const { turns } = readApprovals(said);
  const sent = Array.from({ length: rounds.length + 1 - from }, (_, at) => {
    const index = from + at;
    const body = builder.build({
      index,
      prompt: turns,
      added: pairRounds(turns, rounds.slice(0, index).flat()),
      tools: [],
      toolChoice: { type: 'auto' },
      closing: false,
    });
    return { input: body['input'] as readonly JsonObject[] };
  });
  return { rounds: sent, trims, stuck };
}
