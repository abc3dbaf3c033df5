import type { CallMembers } from '../core/call-items.js';
import type { CarriedCall } from '../core/carrier.js';
import type { AssistantContent, Message, ToolResultContent } from '../core/message.js';
import type { CallPart, KeptItem, RoundResult, RoundSummary, RoundToolCall, ToolInputPart } from '../core/part.js';
import { limitReached } from '../errors/limit-reached.js';
import { defined } from '../util/defined.js';
import { clientInput, toCallPart, toLoopCallPart } from './call-parts.js';
import { type LoopPart, toCarried, toPlaced } from './carrier-writer.js';
import { ClientCalls, orderToKeep } from './client-calls.js';
import type { LoopOptions } from './loop-options.js';
import { inputOf, ParallelCalls } from './parallel-calls.js';
import { summariesOf } from './own-calls.js';
import type { ServerTools } from './server-tools.js';
import {
  answersUnknown,
  hostedTool,
  isParallelWrapper,
  mayOverlap,
  ownershipOf,
  runsAtServer,
} from './tool-ownership.js';
import { type RoundPlace, ToolRunner } from './tool-runner.js';

interface RoundCallsContext {
  readonly round: RoundPlace;
  /** Takes an id for a call, or another one made from it. */
  readonly claim: (id: string) => string;
  readonly server: () => ServerTools;
}

/** The calls of a round: whose each is, what of it is shown, and what the next request holds of it. */
export class RoundCalls {
  readonly tools: ToolRunner;
  /** Set once a call is the client's to answer. */
  client: ClientCalls | undefined;
  /** Set once there are more calls than a round may make: none of them runs. */
  exceeded: Error | undefined;
  /** Something of the round is not shown, so that a carrier has to take it. */
  hides = false;
  /** Calls whose inputs are shown on their way: not of hidden tools, nor of what the server runs. */
  readonly shownInputs = new Set<string>();
  readonly #options: LoopOptions;
  readonly #context: RoundCallsContext;
  readonly #counted = new Set<string>();
  #parallel: ParallelCalls | undefined;
  /** Its first call: replay keeps the calls of a round together, and response ids may come again. */
  #inRound: { readonly inRound: string } | undefined;
  /** Calls that turned out to be the server's own business. */
  readonly #servers = new Set<string>();
  /** All calls, as the server has them in the end. */
  #order: readonly string[] = [];
  readonly #members = new Map<string, CallMembers>();

  constructor(options: LoopOptions, context: RoundCallsContext) {
    this.#options = options;
    this.#context = context;
    this.tools = new ToolRunner(options, context.round);
  }

  /** Calls that wait for the client. */
  get waiting(): readonly RoundToolCall[] {
    return this.client?.waiting ?? [];
  }

  get count(): number {
    return this.tools.calls.all.length + this.waiting.length;
  }

  /** The input of a call on its way. */
  input(part: ToolInputPart): CallPart[] {
    if (part.type !== 'tool-input-start') return this.shownInputs.has(part.callId) ? [part] : [];
    const { isItem, ...start } = part;
    const shown = isItem === true ? this.#itemInput(start) : this.#functionInput(start);
    if (shown.length > 0) this.shownInputs.add(part.callId);
    return shown;
  }

  /** A complete call. */
  call(call: RoundToolCall): LoopPart[] {
    this.#inRound ??= { inRound: call.callId };
    if (call.item !== undefined) return this.#itemCall(call, call.item);
    const { carrier, isVisible, canAskUser } = this.#options;
    const owner = ownershipOf(call.name, this.#options);
    if (!owner.known && isParallelWrapper(call.name)) {
      const inner = this.#opened(call);
      if (inner !== undefined) return inner;
    }
    if (owner.origin === 'client') return this.#askClient(call, clientInput(call.arguments));
    this.#count(call.callId);
    const shows = isVisible(call.name);
    this.hides ||= !shows;
    this.tools.add(call, owner.tool, canAskUser && shows ? 'reachable' : 'unreachable');
    if (shows) return [toLoopCallPart({ ...call, ...this.#inRound })];
    return carrier ? [{ type: 'hidden-call', call: { ...toPlaced(call), ...this.#inRound } }] : [];
  }

  /** The calls as the server has them in the end: their order, and what it said of them after they had been emitted. */
  end({ content }: RoundResult): void {
    const order: string[] = [];
    for (const entry of content) {
      if (entry.type !== 'tool-call') continue;
      for (const { callId, members } of this.#parallel?.replayed(entry) ?? [entry]) {
        order.push(callId);
        if (members === undefined) continue;
        this.#members.set(callId, members);
        this.client?.describe(callId, members);
      }
    }
    this.#order = order;
    if (this.tools.calls.all.length > 1) this.tools.calls.order(order);
  }

  /** Calls that the response itself answers are not run. */
  takeServerAnswers({ content, answeredCallIds }: RoundResult): void {
    const answered = new Set(answeredCallIds);
    for (const entry of content) {
      if (entry.type !== 'tool-result' || !answered.has(entry.callId)) continue;
      if (!this.tools.calls.takeServerAnswer(entry.callId, entry.output))
        this.client?.settle(entry.callId, entry.output, this.#inRound);
    }
    this.hides ||= (this.client?.settled.length ?? 0) > 0;
  }

  /** Calls with their outputs that are not shown. */
  hidden(): CarriedCall[] {
    const { carrier, isVisible } = this.#options;
    if (carrier === false || !this.hides) return [];
    const hidden: CarriedCall[] = [];
    for (const { call, output } of this.tools.calls.answered()) {
      if (isVisible(call.name)) continue;
      const members = this.#members.get(call.callId);
      hidden.push({ ...toCarried({ ...call, ...defined({ members }) }, output), ...this.#inRound });
    }
    return [...hidden, ...(this.client?.settled ?? [])];
  }

  /** The order to keep on the client's first call. */
  orderBeside(hidden: readonly CarriedCall[]): readonly string[] {
    if (this.#options.carrier === false) return [];
    return orderToKeep(this.#order, {
      ours: this.tools.calls.all.map(({ call }) => call),
      hidden,
      clients: this.waiting,
    });
  }

  /** What the next request has to hold: the round's items and the outputs of our calls. */
  messages(content: readonly AssistantContent[]): Message[] {
    const isPlain = this.#parallel === undefined && this.#servers.size === 0;
    const replayed = isPlain ? content : content.flatMap((entry) => this.#replayed(entry));
    const outputs: ToolResultContent[] = [];
    for (const { call, output, answeredByServer } of this.tools.calls.answered())
      if (!answeredByServer) outputs.push({ type: 'tool-result', callId: call.callId, output });
    const assistant: Message = { role: 'assistant', content: replayed };
    return outputs.length === 0 ? [assistant] : [assistant, { role: 'tool', content: outputs }];
  }

  summaries(): RoundSummary['calls'] {
    const summaries = summariesOf(this.tools.calls.answered());
    for (const { callId, name } of this.tools.calls.awaitingUser()) summaries.push({ callId, name, origin: 'loop' });
    for (const { callId, name } of this.waiting) summaries.push({ callId, name, origin: 'client' });
    return summaries;
  }

  #functionInput(start: Omit<InputStart, 'isItem'>): CallPart[] {
    const { callId, name } = start;
    const { origin, tool } = ownershipOf(name, this.#options);
    const isWrapper = isParallelWrapper(name);
    this.tools.order.begin(callId, !isWrapper && (origin === 'client' || mayOverlap(tool, this.#options)));
    // A wrapper is emitted as the calls inside it.
    if (isWrapper) return [];
    this.#count(callId);
    return origin === 'client' || this.#options.isVisible(name) ? [{ ...start, origin }] : [];
  }

  /** A call that is no function call, under the caller's name for the tool. */
  #itemInput({ name: kind, ...start }: Omit<InputStart, 'isItem'>): CallPart[] {
    const tool = hostedTool(kind, this.#options.call);
    if (tool === undefined || runsAtServer(tool)) return [];
    this.#count(start.callId);
    return [{ ...start, name: tool.name, origin: 'client' }];
  }

  /** The calls inside a wrapper. */
  #opened(call: RoundToolCall): LoopPart[] | undefined {
    this.#parallel ??= new ParallelCalls(this.#context.claim, this.#options.limits.jsonDepth);
    return this.#parallel
      .open(call)
      ?.flatMap((one) => [...inputOf(one).flatMap((part) => this.input(part)), ...this.call(one)]);
  }

  /**
   * A call that is no function call is the caller's if the caller declared such a tool, and declared it to run there; else
   * the server runs it (containers, xAI's `x_search`).
   */
  #itemCall(call: RoundToolCall, item: KeptItem['item']): LoopPart[] {
    const tool = hostedTool(call.name, this.#options.call);
    if (tool !== undefined && !runsAtServer(tool))
      return this.#askClient({ ...call, name: tool.name }, { input: call.arguments });
    this.#servers.add(call.callId);
    // Without a declaration it has no name that the caller knows.
    if (tool === undefined) return this.#options.carrier ? [{ type: 'item', item }] : [];
    return this.#context.server().run(call, item);
  }

  #askClient(call: RoundToolCall, input: { readonly input: string }): LoopPart[] {
    this.#count(call.callId);
    this.clientNow().ask(call, toCallPart({ ...call, ...this.#inRound }, 'client', input));
    return this.#mayMix ? [{ type: 'held-call', callId: call.callId }] : [];
  }

  /** The client's calls that may go out now: not beside calls of ours, since the first has to carry what these return. */
  handOverEarly(): CallPart[] {
    const waits = this.#mayMix && (this.tools.calls.all.length > 0 || !this.#options.isVisible(''));
    return waits ? [] : (this.client?.handOverCertain() ?? []);
  }

  clientNow(): ClientCalls {
    return (this.client ??= new ClientCalls());
  }

  /** Calls of ours may come beside the client's: what comes behind those says so. */
  get #mayMix(): boolean {
    return this.#options.carrier !== false && answersUnknown(this.#options);
  }

  /** Counts a call once, whether it was announced or is complete. */
  #count(callId: string): void {
    const { callsPerRound } = this.#options.limits;
    this.#counted.add(callId);
    if (this.#counted.size <= callsPerRound) return;
    const what = `A round may make ${callsPerRound} calls, and this one made more`;
    this.exceeded ??= limitReached(what, { name: 'limits.callsPerRound', value: callsPerRound });
  }

  #replayed(entry: AssistantContent): readonly AssistantContent[] {
    if (entry.type !== 'tool-call') return [entry];
    if (entry.item !== undefined && this.#servers.has(entry.callId)) return [{ type: 'item', item: entry.item }];
    return this.#parallel?.replayed(entry) ?? [entry];
  }
}

type InputStart = Extract<ToolInputPart, { type: 'tool-input-start' }>;
