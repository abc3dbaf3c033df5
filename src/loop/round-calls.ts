import { clean, type CleanError } from '../core/clean-text.js';
import type { CarriedCall } from '../core/carrier.js';
import type { AssistantContent, ToolCallContent, ToolResultContent } from '../core/message.js';
import type { CallPart, RoundResult, RoundSummary, ToolInputPart } from '../core/part.js';
import { limitReached } from '../errors/limit-reached.js';
import { defined } from '../util/defined.js';
import { toCallPart } from './call-parts.js';
import type { LoopPart } from './carrier-writer.js';
import { ClientCalls } from './client-calls.js';
import { type Fate, fateOf, fateOfItem } from './fate.js';
import type { LoopOptions, RoundPlace } from './loop-options.js';
import { summariesOf, toCarried } from './own-calls.js';
import { inputOf, ParallelCalls } from './parallel-calls.js';
import { ServerTools } from './server-tools.js';
import { ToolRunner } from './tool-runner.js';

/** The calls of a round with their fates: the caller's view of each, and the next request's. */
export class RoundCalls {
  readonly tools: ToolRunner;
  readonly client = new ClientCalls();
  readonly server: ServerTools;
  readonly #options: LoopOptions;
  /** Fates by call id. */
  readonly #fates = new Map<string, Fate>();
  /** The fate of a call of a tool that does not exist. */
  readonly #unknown: Fate;
  readonly #parallel: ParallelCalls;
  /** The number of calls for the loop and the client, announced or complete. */
  #count = 0;
  /** The id of the first call, which names the round: servers may repeat response ids. */
  #inRound: string | undefined;
  /** The round's content, with the calls inside wrappers. Set at the end. */
  #content: readonly AssistantContent[] = [];

  constructor(options: LoopOptions, round: RoundPlace) {
    this.#options = options;
    this.tools = new ToolRunner(options, round);
    this.server = new ServerTools(options, { round, client: this.client, fates: this.#fates });
    this.#unknown = fateOf('', options);
    this.#parallel = new ParallelCalls(round, options.limits.jsonDepth);
  }

  /** Ids of the calls and requests that the user has to decide about. */
  get awaited(): readonly string[] {
    return [...this.tools.calls.awaitingUser().map(({ callId }) => callId), ...this.server.asked];
  }

  get count(): number {
    return this.tools.calls.all.length + this.client.waiting.size;
  }

  /** Ids of all calls, in the server's final order. */
  get order(): readonly string[] {
    const callIds: string[] = [];
    for (const entry of this.#content) if (entry.type === 'tool-call') callIds.push(entry.callId);
    return callIds;
  }

  /** The error of a round with too many calls. None of them runs. */
  get exceeded(): CleanError | undefined {
    const { callsPerRound } = this.#options.limits;
    if (this.#count <= callsPerRound) return undefined;
    const what = clean`A round may make ${callsPerRound} calls, and this one made more`;
    return limitReached(what, { name: 'limits.callsPerRound', value: callsPerRound });
  }

  /** Whether a tool has started, or the client or the user has a call. */
  get mayHaveActed(): boolean {
    return this.tools.started || this.client.waiting.size > 0 || this.awaited.length > 0;
  }

  /** Whether a carrier must contain calls of the round. */
  get hides(): boolean {
    return this.client.settled.length > 0 || this.tools.calls.all.some(({ fate }) => fate.shownAs === undefined);
  }

  /** Whether the caller sees the input of a call while it streams. Instead of a wrapper it sees the calls inside. */
  showsInput(callId: string): boolean {
    const fate = this.#fates.get(callId);
    return fate?.shownAs !== undefined && fate.origin !== 'hosted' && fate.isWrapper !== true;
  }

  input(part: ToolInputPart): CallPart[] {
    const { callId } = part;
    if (part.type !== 'tool-input-start') return this.showsInput(callId) ? [part] : [];
    const { isItem = false, ...start } = part;
    const { origin, overlaps, shownAs: name = '', isWrapper } = this.#decide(start, isItem);
    if (!isItem) this.tools.schedule.begin({ callId, overlaps: overlaps && isWrapper !== true });
    return this.showsInput(callId) ? [{ ...start, name, origin }] : [];
  }

  call(call: ToolCallContent): LoopPart[] {
    this.#inRound ??= call.callId;
    const placed = { ...call, inRound: this.#inRound };
    const { carrier, canAskUser } = this.#options;
    const fate = this.#decide(call, call.item !== undefined);
    const { callId } = call;
    if (fate.isWrapper === true) {
      const inner = this.#parallel.open(call);
      if (inner !== undefined)
        return inner.flatMap((one) => [...inputOf(one).flatMap((part) => this.input(part)), ...this.call(one)]);
      this.#count += 1;
    }
    if (fate.origin === 'hosted') return this.server.showRun(call, fate);
    if (fate.origin === 'client') {
      this.client.ask({ ...placed, name: fate.shownAs ?? call.name });
      return carrier === false ? [] : [{ type: 'unshown-call', callId, hides: this.#mayMix }];
    }
    const isShown = fate.shownAs !== undefined;
    this.tools.add(call, fate, canAskUser && isShown ? 'reachable' : 'unreachable');
    if (isShown) return [toCallPart(placed, 'loop', fate.tool)];
    return carrier === false ? [] : [{ type: 'unshown-call', callId, hides: true }];
  }

  /** Ends the round. The server may have reordered its calls and added members to emitted ones. */
  end({ content }: RoundResult): readonly CallPart[] {
    this.#content = this.#parallel.replayed(content);
    for (const entry of this.#content) {
      if (entry.type !== 'tool-call' || entry.members === undefined) continue;
      this.tools.calls.describe(entry.callId, entry.members);
      this.client.describe(entry.callId, entry.members);
    }
    if (this.tools.calls.all.length > 1) this.tools.calls.order(this.order);
    return this.server.closePreviews();
  }

  /** Takes the outputs that the response has, so that those calls do not run. */
  takeServerAnswers({ content, answeredCallIds }: RoundResult): void {
    const answered = new Set(answeredCallIds);
    for (const entry of content) {
      if (entry.type !== 'tool-result' || !answered.has(entry.callId)) continue;
      if (!this.tools.calls.takeServerAnswer(entry.callId, entry.output))
        this.client.settle(entry.callId, entry.output);
    }
  }

  /** Hidden calls with their outputs. */
  hidden(): CarriedCall[] {
    if (this.#options.carrier === false) return [];
    const round = defined({ inRound: this.#inRound });
    const hidden: CarriedCall[] = [];
    for (const { call, fate, output } of this.tools.calls.answered())
      if (fate.shownAs === undefined) hidden.push(toCarried({ ...call, ...round }, output));
    return [...hidden, ...this.client.settled];
  }

  /** Returns the round's content for the next request, in which a call that the server ran is an item. */
  replayed(): AssistantContent[] {
    return this.#content.map((entry) => {
      if (entry.type === 'tool-call' && this.tools.calls.get(entry.callId)?.runsOn === true)
        return { ...entry, runsOn: true };
      const isItem = entry.type === 'tool-call' && entry.item !== undefined;
      if (!isItem || this.#fates.get(entry.callId)?.origin !== 'hosted') return entry;
      return { type: 'item', item: entry.item };
    });
  }

  /** Returns the outputs of the loop's own runs. */
  outputs(): ToolResultContent[] {
    const outputs: ToolResultContent[] = [];
    for (const { call, output, answeredByServer } of this.tools.calls.answered())
      if (!answeredByServer) outputs.push({ type: 'tool-result', callId: call.callId, output });
    return outputs;
  }

  summaries(): RoundSummary['calls'] {
    const { calls } = this.tools;
    return [
      ...summariesOf(calls.answered()),
      ...[...calls.awaitingUser(), ...calls.runningOn()].map(
        ({ callId, name }) => ({ callId, name, origin: 'loop' }) as const,
      ),
      ...[...this.client.waiting.values()].map(({ callId, name }) => ({ callId, name, origin: 'client' }) as const),
    ];
  }

  /** Hands over the client's calls, unless the loop has calls too: the first one has to carry their outputs. */
  handOverEarly(): CallPart[] {
    const waits = this.#mayMix && (this.tools.calls.all.length > 0 || this.#unknown.shownAs === undefined);
    return waits ? [] : this.client.handOver({ isOver: false });
  }

  /** Decides about a call once, and counts it unless the server runs it or it is a wrapper. */
  #decide({ callId, name }: Pick<ToolCallContent, 'callId' | 'name'>, isItem: boolean): Fate {
    const known = this.#fates.get(callId);
    if (known !== undefined) return known;
    const fate = isItem ? fateOfItem(name, this.#options) : fateOf(name, this.#options);
    this.#fates.set(callId, fate);
    if (fate.origin !== 'hosted' && fate.isWrapper !== true) this.#count += 1;
    return fate;
  }

  /** Whether the loop and the client may both have calls. Parts after the client's are marked. */
  get #mayMix(): boolean {
    return this.#options.carrier !== false && this.#unknown.origin === 'loop';
  }
}
