import type { CarriedCall } from '../core/carrier.js';
import type { AssistantContent, Message, ToolResultContent } from '../core/message.js';
import type {
  CallPart,
  KeptItem,
  RoundResult,
  RoundSummary,
  RoundToolCall,
  ToolInputPart,
  ToolInputStart,
} from '../core/part.js';
import { limitReached } from '../errors/limit-reached.js';
import { runsAtServer } from '../items/kinds.js';
import { defined } from '../util/defined.js';
import { toCallPart } from './call-parts.js';
import type { LoopPart } from './carrier-writer.js';
import { ClientCalls } from './client-calls.js';
import type { LoopOptions, RoundPlace } from './loop-options.js';
import { inputOf, ParallelCalls } from './parallel-calls.js';
import { type PlacedRoundCall, summariesOf, toCarried, toPlaced } from './own-calls.js';
import { ServerTools } from './server-tools.js';
import { answersUnknown, hostedTool, isParallelWrapper, mayOverlap, ownershipOf } from './tool-ownership.js';
import { ToolRunner } from './tool-runner.js';

/** The calls of a round: who runs each, what is shown of it, and what the next request has of it. */
export class RoundCalls {
  readonly tools: ToolRunner;
  readonly client = new ClientCalls();
  /** Set once there are more calls than a round may make: none of them runs. */
  exceeded: Error | undefined;
  /** Something of the round is not shown, so that a carrier has to take it. */
  hides = false;
  /** Calls whose inputs are shown on their way: not of hidden tools, nor of what the server runs. */
  readonly shownInputs = new Set<string>();
  readonly #options: LoopOptions;
  readonly #counted = new Set<string>();
  readonly #round: RoundPlace;
  #parallel: ParallelCalls | undefined;
  #server: ServerTools | undefined;
  /** Its first call: replay keeps the calls of a round together, and response ids may come again. */
  #inRound: string | undefined;
  /** Calls that turned out to be the server's own business. */
  readonly #servers = new Set<string>();
  /** Ids of all calls, as the server has them in the end. */
  order: readonly string[] = [];

  constructor(options: LoopOptions, round: RoundPlace) {
    this.#options = options;
    this.#round = round;
    this.tools = new ToolRunner(options, round);
  }

  get server(): ServerTools {
    return (this.#server ??= new ServerTools(this.#options, this.client, this.#round));
  }

  /** Ids of what the user was asked about in this round, by us or by the server. */
  get awaited(): readonly string[] {
    const own = this.tools.calls.awaitingUser().map(({ callId }) => callId);
    return [...own, ...(this.#server?.asked ?? [])];
  }

  get count(): number {
    return this.tools.calls.all.length + this.client.waiting.size;
  }

  input(part: ToolInputPart): CallPart[] {
    if (part.type !== 'tool-input-start') return this.shownInputs.has(part.callId) ? [part] : [];
    const { isItem, ...start } = part;
    const shown = isItem === true ? this.#itemInput(start) : this.#functionInput(start);
    if (shown.length > 0) this.shownInputs.add(part.callId);
    return shown;
  }

  call(call: RoundToolCall): LoopPart[] {
    this.#inRound ??= call.callId;
    const placed = { ...call, inRound: this.#inRound };
    if (call.item !== undefined) return this.#itemCall(placed, call.item);
    const { carrier, isVisible, canAskUser } = this.#options;
    const owner = ownershipOf(call.name, this.#options);
    const inner = owner.known || !isParallelWrapper(call.name) ? undefined : this.#open(call);
    if (inner !== undefined) return inner;
    if (owner.origin === 'client') return this.#askClient(placed);
    this.#count(call.callId);
    const shows = isVisible(call.name);
    this.hides ||= !shows;
    this.tools.add(call, owner.tool, canAskUser && shows ? 'reachable' : 'unreachable');
    if (shows) return [toCallPart(placed, 'loop')];
    return carrier ? [{ type: 'hidden-call', call: toPlaced(placed) }] : [];
  }

  /** Ends the round. The server may have reordered its calls and added members to emitted ones. */
  end({ content }: RoundResult): readonly CallPart[] {
    const order: string[] = [];
    for (const entry of this.#parallel?.replayed(content) ?? content) {
      if (entry.type !== 'tool-call') continue;
      const { callId, members } = entry;
      order.push(callId);
      if (members === undefined) continue;
      this.tools.calls.describe(callId, members);
      this.client.describe(callId, members);
    }
    this.order = order;
    if (this.tools.calls.all.length > 1) this.tools.calls.order(order);
    return this.#server?.closePreviews() ?? [];
  }

  /** Calls that the response itself answers are not run. */
  takeServerAnswers({ content, answeredCallIds }: RoundResult): void {
    const answered = new Set(answeredCallIds);
    for (const entry of content) {
      if (entry.type !== 'tool-result' || !answered.has(entry.callId)) continue;
      if (!this.tools.calls.takeServerAnswer(entry.callId, entry.output))
        this.client.settle(entry.callId, entry.output);
    }
    this.hides ||= this.client.settled.length > 0;
  }

  /** Calls with their outputs that are not shown. */
  hidden(): CarriedCall[] {
    const { carrier, isVisible } = this.#options;
    if (carrier === false || !this.hides) return [];
    const round = defined({ inRound: this.#inRound });
    const hidden: CarriedCall[] = [];
    for (const { call, output } of this.tools.calls.answered())
      if (!isVisible(call.name)) hidden.push(toCarried({ ...call, ...round }, output));
    return [...hidden, ...this.client.settled];
  }

  /** Returns the messages for the next request: the round's items and the outputs of our calls. */
  messages(content: readonly AssistantContent[]): Message[] {
    const outputs: ToolResultContent[] = [];
    for (const { call, output, answeredByServer } of this.tools.calls.answered())
      if (!answeredByServer) outputs.push({ type: 'tool-result', callId: call.callId, output });
    const unwrapped = this.#parallel?.replayed(content) ?? content;
    const replayed = this.#servers.size === 0 ? unwrapped : unwrapped.map((entry) => this.#asServers(entry));
    const assistant: Message = { role: 'assistant', content: replayed };
    return outputs.length === 0 ? [assistant] : [assistant, { role: 'tool', content: outputs }];
  }

  summaries(): RoundSummary['calls'] {
    const { calls } = this.tools;
    return [
      ...summariesOf(calls.answered()),
      ...calls.awaitingUser().map(({ callId, name }) => ({ callId, name, origin: 'loop' }) as const),
      ...[...this.client.waiting.values()].map(({ callId, name }) => ({ callId, name, origin: 'client' }) as const),
    ];
  }

  #functionInput(start: Omit<ToolInputStart, 'isItem'>): CallPart[] {
    const { callId, name } = start;
    const { origin, tool } = ownershipOf(name, this.#options);
    const isWrapper = isParallelWrapper(name);
    this.tools.schedule.begin({ callId, overlaps: !isWrapper && (origin === 'client' || mayOverlap(tool)) });
    // A wrapper is emitted as the calls inside it.
    if (isWrapper) return [];
    this.#count(callId);
    return origin === 'client' || this.#options.isVisible(name) ? [{ ...start, origin }] : [];
  }

  /** A call that is no function call, under the caller's name for the tool. */
  #itemInput({ name: kind, ...start }: Omit<ToolInputStart, 'isItem'>): CallPart[] {
    const tool = hostedTool(kind, this.#options.call);
    if (tool === undefined || runsAtServer(tool)) return [];
    this.#count(start.callId);
    return [{ ...start, name: tool.name, origin: 'client' }];
  }

  #open(wrapper: RoundToolCall): LoopPart[] | undefined {
    this.#parallel ??= new ParallelCalls(this.#round, this.#options.limits.jsonDepth);
    const inner = this.#parallel.open(wrapper);
    return inner?.flatMap((call) => [...inputOf(call).flatMap((part) => this.input(part)), ...this.call(call)]);
  }

  /**
   * A call that is no function call is the caller's if the caller declared such a tool, and declared it to run there; else
   * the server runs it (containers, xAI's `x_search`).
   */
  #itemCall(call: PlacedRoundCall, item: KeptItem['item']): LoopPart[] {
    const tool = hostedTool(call.name, this.#options.call);
    if (tool !== undefined && !runsAtServer(tool)) return this.#askClient({ ...call, name: tool.name });
    this.#servers.add(call.callId);
    // Without a declaration it has no name that the caller knows.
    if (tool === undefined) return this.#options.carrier ? [{ type: 'item', item }] : [];
    return this.server.showRun(call, item);
  }

  #askClient(call: PlacedRoundCall): LoopPart[] {
    this.#count(call.callId);
    this.client.ask(call);
    return this.#options.carrier === false ? [] : [{ type: 'held-call', callId: call.callId, mayCarry: this.#mayMix }];
  }

  /** The client's calls that may go out now: not beside calls of ours, since the first has to carry what these return. */
  handOverEarly(): CallPart[] {
    const waits = this.#mayMix && (this.tools.calls.all.length > 0 || !this.#options.isVisible(''));
    return waits ? [] : this.client.handOver({ isOver: false });
  }

  /** Calls of ours may be beside the client's; parts after them are marked. */
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

  #asServers(entry: AssistantContent): AssistantContent {
    if (entry.type !== 'tool-call' || entry.item === undefined || !this.#servers.has(entry.callId)) return entry;
    return { type: 'item', item: entry.item };
  }
}
