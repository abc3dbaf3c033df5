import { clean, type Clean, type CleanError, messageOf } from '../core/clean-text.js';
import { notify } from '../observe/notify.js';
import { Redactor } from '../observe/redactor.js';
import { toCleanError } from '../observe/redact-error.js';
import type { CarriedCall } from '../core/carrier.js';
import type { FinishReason, CallFinish, CallPart, ResponseFacts, RoundResult, RoundSummary } from '../core/part.js';
import type { ReachedLimit } from '../core/limits.js';
import type { ToolOutput } from '../core/message.js';
import { sumUsage } from '../core/usage.js';
import { limitOf } from '../errors/limit-reached.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';
import { defined } from '../util/defined.js';
import { shortHash } from '../util/hash.js';
import { stableJson } from '../util/json.js';
import type { GoingOn } from './broken-round.js';
import type { BetweenView } from './between-rounds.js';
import type { LoopOptions } from './loop-options.js';
import { type AnsweredCall, summariesOf, toCarried } from './own-calls.js';
import type { RoundRun } from './round-run.js';
import type { ToolRunner } from './tool-runner.js';
import { ApiError } from '../errors/api-error.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';

type EndedRound = Pick<RoundSummary, 'finishReason'> & { readonly modelId: string | undefined };

/** The progress of a call: its rounds, its runs of tools, its warnings, and the limit that ends it. */
export class CallRecord {
  readonly rounds: RoundSummary[] = [];
  readonly warnings: string[] = [];
  last: RoundResult | undefined;
  /** The condition or function that stopped the loop, if one did. */
  stoppedBy: string | undefined;
  readonly #options: LoopOptions;
  /** Completed runs of our tools in this call; an error that ends the call reports them. */
  readonly #completed: CarriedCall[] = [];
  /** Warnings about withheld reasoning. */
  readonly #warned = new Set<string>();
  #isCut = false;
  #limit: ReachedLimit | undefined;
  #repeated: RepeatedRounds | undefined;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  get toolBudget(): number {
    const { limits, late } = this.#options;
    return limits.maxToolCalls - this.#completed.length - (late?.size ?? 0);
  }

  addRound({ calls }: RoundRun, result: RoundResult, { finishReason, modelId }: EndedRound): void {
    const outputs = calls === undefined ? [] : this.#addCalls(calls.tools);
    this.last = result;
    this.warnings.push(...result.warnings, ...(calls?.tools.warnings ?? []));
    // The loop continued from the complete parts, so a warning reports the missing rest.
    if (result.error !== undefined && finishReason !== 'error') this.warnings.push(result.error.message);
    this.#isCut = finishReason === 'error' && hasCode(result.error, CUT_OFF);
    const { toolUsage, inputTransformations } = result.responseFacts ?? {};
    this.rounds.push({
      finishReason: outputs.length > 0 && finishReason !== 'error' ? 'tool-calls' : finishReason,
      usage: result.usage,
      calls: calls?.summaries() ?? [],
      ...defined({ responseId: result.responseId, modelId, toolUsage, inputTransformations }),
    });
  }

  /** Warns once a call, because each round sends the same reasoning again. */
  async warnOfWithheld({ inputTransformations: withheld }: ResponseFacts = {}): Promise<void> {
    if (withheld === undefined) return;
    const { warningsOfWithheld } = await import('./withheld-reasoning.js');
    for (const warning of warningsOfWithheld(withheld)) {
      if (this.#warned.has(warning)) continue;
      this.#warned.add(warning);
      this.warnings.push(warning);
    }
  }

  #addCalls({ calls, isOverBudget }: ToolRunner): readonly AnsweredCall[] {
    const outputs = calls.answered();
    this.addRuns(outputs);
    if (outputs.length > 0) (this.#repeated ??= new RepeatedRounds()).note(outputs);
    if (isOverBudget) this.#limit = this.#limitNamed('maxToolCalls');
    return outputs;
  }

  addRuns(outputs: readonly AnsweredCall[]): void {
    for (const { call, output, acted } of outputs) if (acted) this.#completed.push(toCarried(call, output));
  }

  /** Takes the outputs of calls of earlier rounds. */
  addLate(outputs: readonly AnsweredCall[]): void {
    this.addRuns(outputs);
    (this.#repeated ??= new RepeatedRounds()).note(outputs);
  }

  /** Whether a limit is reached. */
  get isAtLimit(): boolean {
    return this.#closingLimit() !== undefined;
  }

  #closingLimit(): ClosingLimit | undefined {
    const { limits } = this.#options;
    if (this.rounds.length >= limits.maxRounds) return 'maxRounds';
    if (this.toolBudget <= 0) return 'maxToolCalls';
    return (this.#repeated?.inARow ?? 0) >= limits.maxRepeatedRounds ? 'maxRepeatedRounds' : undefined;
  }

  /** Whether a limit is reached, so that the model has to answer without tools. */
  mustClose(): boolean {
    const { limits, observer } = this.#options;
    const name = this.#closingLimit();
    this.#limit = name && this.#limitNamed(name);
    if (name === undefined) return false;
    const message = `The call reached ${name} (${limits[name]}); the model was asked to answer without tools.`;
    this.warnings.push(message);
    notify(observer, () => ({ type: 'warning', message }));
    return true;
  }

  /** Returns how the call continues after a round with an error. `undefined`: it ends. */
  async afterBreak({ result, calls }: RoundRun, error: Error): Promise<GoingOn | undefined> {
    const call = this.#options;
    const { rounds } = this;
    const hasActed = calls?.mayHaveActed === true;
    const goingOn = await call.afterBreak?.({ call, rounds, result, hasActed, error });
    if (goingOn !== undefined) this.warnings.push(goingOn.warning);
    return goingOn;
  }

  /** Returns the state of the call for code that acts between its rounds. */
  viewOf(answered: readonly AnsweredCall[], place: Omit<BetweenView, 'rounds' | 'calls' | 'usage'>): BetweenView {
    return {
      ...place,
      // A copy: the app may keep it.
      rounds: [...this.rounds],
      calls: answered.map(({ call, output }) => {
        const { callId, name, arguments: text } = call;
        return { callId, name, arguments: text, output };
      }),
      usage: sumUsage(this.rounds),
    };
  }

  /** `resumed`: calls of an earlier call that ran now. */
  finish(finishReason: FinishReason, resumed?: readonly AnsweredCall[]): CallFinish {
    const { rawFinishReason, responseFacts, readBody, logprobs } = this.last ?? {};
    return {
      type: 'finish',
      finishReason,
      usage: sumUsage(this.rounds),
      rounds: this.rounds,
      warnings: this.warnings.length === 0 ? [] : (this.#options.redactor?.value(this.warnings) ?? this.warnings),
      ...defined({ rawFinishReason, responseFacts, readBody, logprobs, limit: this.#limit, stoppedBy: this.stoppedBy }),
      ...(this.#isCut && { isCut: true }),
      ...(resumed === undefined ? {} : { resumed: summariesOf(resumed) }),
    };
  }

  failure(error: unknown): CallPart {
    this.#limit = limitOf(error).limit ?? this.#limit;
    const { redactor = Redactor.NONE } = this.#options;
    return { type: 'error', error: afterTools(toCleanError(error, redactor), redactor.value(this.#completed)) };
  }

  #limitNamed(name: ClosingLimit): ReachedLimit {
    return { name, value: this.#options.limits[name] };
  }
}

const CUT_OFF: ReadonlySet<string> = new Set(['stream-truncated', 'stream-reset']);

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return ResponsesLoopError.isInstance(error) && codes.has(error.code);
}

type ClosingLimit = 'maxRounds' | 'maxToolCalls' | 'maxRepeatedRounds';

/**
 * Counts consecutive rounds without news: each call in them repeats an earlier one, with the same arguments and output.
 * A model that repeats one call or several would do so until the last round (lmstudio-bug-tracker#1362). A model that
 * waits for a change gets a new output some day.
 */
class RepeatedRounds {
  /**
   * The output of each call by its name and arguments; for repeated calls, prints of all outputs. Most calls are made
   * once and cost nothing here.
   */
  readonly #seen = new Map<string, ToolOutput | Set<string>>();
  inARow = 0;

  note(calls: readonly AnsweredCall[]): void {
    let isNew = false;
    for (const { call, output } of calls) {
      const parsed = parseToolArguments(call.arguments);
      const key = `${call.name}\n${parsed.ok ? stableJson(parsed.arguments) : call.arguments}`;
      const known = this.#seen.get(key);
      const prints = known instanceof Set ? known : new Set(known && [printOf(known)]);
      this.#seen.set(key, known === undefined ? output : prints);
      if (known === undefined || prints.size < prints.add(printOf(output)).size) isNew = true;
    }
    this.inARow = isNew ? 0 : this.inARow + 1;
  }
}

/** Two outputs that share it by chance would only count as a repetition. */
function printOf({ isError, content }: ToolOutput): string {
  const text = JSON.stringify(content);
  return `${isError}.${text.length}.${shortHash(text)}`;
}

/** The error of a call in which tools have already run: the same facts, but never to be retried. */
export function afterTools(error: CleanError, completedCalls: Clean<readonly CarriedCall[]>): CleanError {
  if (completedCalls.length === 0) return error;
  const code = ResponsesLoopError.isInstance(error) ? { code: error.code, ...limitOf(error) } : {};
  const facts = ApiError.isInstance(error) ? error.facts : { message: messageOf(error), url: clean`` };
  return new ApiError({ ...facts, ...code, isRetryable: false, cause: error, completedCalls });
}
