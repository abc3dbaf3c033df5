import type { CallPart, ToolInputPart } from '../core/part.js';
import type { CallLimit } from './call-limit.js';
import type { LoopOptions } from './loop-options.js';
import { mayOverlap } from './own-call.js';
import { isParallelWrapper } from './parallel-calls.js';
import { hostedTool, ownershipOf, runsAtServer } from './tool-ownership.js';
import type { ToolRunner } from './tool-runner.js';

type Start = Extract<ToolInputPart, { type: 'tool-input-start' }>;

export interface ShownInputsOptions {
  readonly options: LoopOptions;
  readonly tools: ToolRunner;
  readonly limit: CallLimit;
}

/** Inputs of calls on their way: those of hidden tools, and of what the server runs, are not shown. */
export class ShownInputs {
  readonly #shown = new Set<string>();
  readonly #context: ShownInputsOptions;

  constructor(context: ShownInputsOptions) {
    this.#context = context;
  }

  has(callId: string): boolean {
    return this.#shown.has(callId);
  }

  take(part: ToolInputPart): CallPart[] {
    if (part.type !== 'tool-input-start') return this.#shown.has(part.callId) ? [part] : [];
    const shown = part.isItem === true ? this.#ofItem(part) : this.#ofFunction(part);
    if (shown.length > 0) this.#shown.add(part.callId);
    return shown;
  }

  #ofFunction(part: Start): CallPart[] {
    const { options, tools, limit } = this.#context;
    const owner = ownershipOf(part.name, options);
    const isWrapper = isParallelWrapper(part.name);
    const overlaps = owner.origin === 'client' || mayOverlap({ tool: owner.tool }, options);
    tools.announce(part.callId, overlaps && !isWrapper);
    // A wrapper is told as the calls inside it.
    if (isWrapper) return [];
    limit.count(part.callId);
    return owner.origin === 'client' || options.shows(part.name) ? [{ ...part, origin: owner.origin }] : [];
  }

  /** A call that is no function call, under the caller's name for the tool. */
  #ofItem({ isItem: _isItem, name: kind, ...part }: Start): CallPart[] {
    const { options, limit } = this.#context;
    const tool = hostedTool(kind, options.call);
    if (tool === undefined || runsAtServer(tool)) return [];
    limit.count(part.callId);
    return [{ ...part, name: tool.name, origin: 'client' }];
  }
}
