import type { CallMembers } from '../core/call-items.js';
import type { CarriedCall } from '../core/carrier.js';
import type { AssistantContent, Message } from '../core/message.js';
import type {
  CallPart,
  CallToolCall,
  CallToolResult,
  ContentPart,
  KeptItem,
  RoundPart,
  RoundResult,
  RoundToolCall,
} from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import { CallLimit } from './call-limit.js';
import { clientInput, requestApprovals, toCallPart, toCarried, toLoopCallPart, toPlaced } from './call-parts.js';
import { defined } from '../util/defined.js';
import { CarrierWriter, type LoopPart } from './carrier-writer.js';
import { ClientCalls, orderToKeep } from './client-calls.js';
import type { LoopOptions } from './loop-options.js';
import { OpenParts } from './open-parts.js';
import { inputOf, ParallelCalls } from './parallel-calls.js';
import { JsonAnswer, type TextPart } from './json-answer.js';
import { ServerTools } from './server-tools.js';
import { ShownInputs } from './shown-inputs.js';
import { answersUnknown, hostedTool, type Ownership, ownershipOf, runsAtServer } from './tool-ownership.js';
import { type RoundPlace, ToolRunner } from './tool-runner.js';

type Delta = Extract<RoundPart, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>;

/** One round as the loop sees it: its parts on their way out, its calls, and what it adds to the conversation. */
export class RoundRun {
  readonly tools: ToolRunner;
  result: RoundResult | undefined;
  readonly limit: CallLimit;
  readonly #options: LoopOptions;
  /** Its first call: replay keeps the calls of a round together, and response ids may come again. */
  #roundName: string | undefined;
  readonly #server: ServerTools;
  /** Set where the answer has to be JSON. */
  readonly #json: JsonAnswer | undefined;
  readonly #carriers: CarrierWriter;
  readonly #open = new OpenParts();
  /** As the round began with it: ids must not depend on how much of the round is known. */
  #responseId: string | undefined;
  readonly #parallel: ParallelCalls;
  readonly #inputs: ShownInputs;
  /** Calls that turned out to be the server's own business. */
  readonly #servers = new Set<string>();
  readonly #client = new ClientCalls();
  /** Calls of ours may come beside the client's: what comes behind those says so. */
  readonly #mayMix: boolean;
  /** All calls, as the server has them in the end. */
  #order: readonly string[] = [];
  readonly #members = new Map<string, CallMembers>();

  constructor(options: LoopOptions, round: RoundPlace, ids: RoundIds) {
    this.#options = options;
    const claim = (id: string): string => ids.claimCallId(id, this.#responseId, id);
    this.#server = new ServerTools(options, { client: this.#client, ...defined({ added: round.added }), claim });
    this.#parallel = new ParallelCalls(claim, options.limits.jsonDepth);
    this.limit = new CallLimit(options.limits.callsPerRound);
    this.tools = new ToolRunner(options, round);
    this.#inputs = new ShownInputs({ options, tools: this.tools, limit: this.limit });
    this.#mayMix = options.carrier !== false && answersUnknown(options);
    this.#carriers = new CarrierWriter((slot) => ids.partId(this.#responseId, slot), options.carrier || undefined);
    this.#json = options.call.responseFormat.type === 'json' ? new JsonAnswer() : undefined;
  }

  /** Turns a batch of round parts into what the caller sees; starts tools that may start early. */
  take(batch: readonly RoundPart[]): CallPart[] {
    const told: CallPart[] = [];
    for (const part of batch) {
      if (this.#isPlainDelta(part)) told.push(part);
      else {
        this.#open.note(part);
        // Not spread: what was held back may be more than a call takes as arguments.
        for (const translated of this.#carriers.pass(this.#translate(part))) told.push(translated);
      }
    }
    // Not before: a batch may hold more calls than may be run.
    if (this.limit.exceeded === undefined) this.tools.startEarly();
    return told;
  }

  /** One of thousands, of something that is shown: nothing hangs on it, and it stays as it is. */
  #isPlainDelta(part: RoundPart): part is Delta {
    if (part.type === 'text-delta') return this.#json?.passes(part.id) ?? true;
    if (part.type === 'tool-input-delta') return this.#inputs.has(part.callId);
    return part.type === 'reasoning-delta';
  }

  /** The round ended by an error instead of an ending: what it opened is closed, and none of it counts. */
  breakOff(error: Error): CallPart[] {
    return this.take(this.#open.breakOff(error));
  }

  /** A result on its way out; hidden ones stay inside until the carrier takes them. */
  show(result: CallToolResult): CallPart[] {
    return this.#options.shows(result.name) ? [result] : [];
  }

  /** The round was read: with nothing hidden in it, there is nothing to hold a part back for. */
  read(): CallPart[] {
    this.#takeServerAnswers();
    const hides =
      this.#carriers.hasPending ||
      this.#client.settled.length > 0 ||
      this.tools.calls().some((call) => !this.#options.shows(call.name));
    return this.#options.carrier && hides ? [] : this.#carriers.release();
  }

  /** Calls that wait for the client. */
  get clientCalls(): readonly RoundToolCall[] {
    return this.#client.waiting;
  }

  /** Ids of what the user was asked about in this round, by us or by the server. */
  get awaited(): readonly string[] {
    return [...this.tools.awaitingUser.map(({ callId }) => callId), ...this.#server.asked];
  }

  /**
   * The round is settled: whatever was not shown travels in a carrier, beside the first of the client's calls if there is
   * one. The client gets its calls only if they count: nobody runs those of a response that failed.
   */
  async settle({ callsClient }: { readonly callsClient: boolean }): Promise<CallPart[]> {
    const hidden = this.#options.carrier === false ? [] : [...this.#hiddenCalls(), ...this.#client.settled];
    // The client may answer its calls and come back before the user has: one of them says so, else a carrier.
    const marks = callsClient && this.clientCalls.length > 0 ? this.awaited : [];
    const [first, ...others] = callsClient ? this.#client.handOver() : [];
    // Marks contain nothing of the round, so they are emitted even with `carrier: 'none'`.
    const carried = first === undefined ? this.#carriers.carry(hidden, marks) : this.#carriers.release();
    if (!callsClient) return carried;
    const requests = await requestApprovals(this.tools.awaitingUser, this.#options.seal);
    if (first === undefined) return [...carried, ...requests];
    const all = { ours: this.tools.calls(), hidden, clients: this.clientCalls };
    const order = this.#options.carrier === false ? [] : orderToKeep(this.#order, all);
    const beside = this.#carriers.carryBeside(first, { calls: hidden, order, asked: marks });
    return [...carried, ...requests, beside, ...others];
  }

  /** What the next request has to hold: the round's items and the outputs of our calls. */
  messages(): Message[] {
    const content = (this.result?.content ?? []).flatMap((item) => this.#replayed(item));
    const outputs = this.tools
      .outputs()
      .filter(({ answeredByServer }) => !answeredByServer)
      .map(({ call, output }) => ({ type: 'tool-result', callId: call.callId, output }) as const);
    const assistant: Message = { role: 'assistant', content };
    return outputs.length === 0 ? [assistant] : [assistant, { role: 'tool', content: outputs }];
  }

  #replayed(content: AssistantContent): AssistantContent[] {
    if (content.type !== 'tool-call') return [content];
    if (content.item !== undefined && this.#servers.has(content.callId)) return [{ type: 'item', item: content.item }];
    return [...this.#parallel.replayed(content)];
  }

  #translate(part: RoundPart): LoopPart[] {
    switch (part.type) {
      case 'round-end':
        this.result = part.result;
        this.#takeCalls(part.result.content);
        return [...this.#server.closePreviews(), ...this.#heldText('end')];
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#text(part);
      case 'tool-input-start':
        return [...this.#heldText('call'), ...this.#inputs.take(part)];
      case 'tool-input-delta':
      case 'tool-input-end':
        return this.#inputs.take(part);
      case 'tool-call':
        return [...this.#heldText('call'), ...this.#toolCall(part)];
      case 'hosted-call':
      case 'hosted-result':
        return this.#server.show(part);
      case 'hosted-preview':
        return this.#server.preview(part);
      default:
        return this.#passOn(part);
    }
  }

  #text(part: TextPart): LoopPart[] {
    return this.#json?.text(part) ?? [part];
  }

  #heldText(until: 'call' | 'end'): LoopPart[] {
    return this.#json?.[until]() ?? [];
  }

  #passOn(part: ContentPart | KeptItem): LoopPart[] {
    if (part.type === 'response') this.tools.responseId = this.#responseId ??= part.responseId;
    if (part.type === 'item') return this.#item(part);
    // Reasoning is replayed with what followed it, so a call before it keeps its place.
    return part.type === 'reasoning-start' ? [...this.#handOverEarly(), part] : [part];
  }

  #item(part: KeptItem): LoopPart[] {
    const asked = this.#server.ask(part.item);
    if (asked !== undefined) return asked;
    if (this.#options.tells?.(part.item) === true) return [{ type: 'shown-item', item: part.item }];
    return this.#options.carrier ? [part] : [];
  }

  /** Not beside calls of ours: the client's first one waits for what they return, to carry it and their order. */
  #handOverEarly(): CallToolCall[] {
    if (this.#mayMix && (this.tools.count > 0 || !this.#options.shows(''))) return [];
    return this.#client.handOverCertain();
  }

  /** The calls as the server has them in the end: their order, and what it said of them after they had been emitted. */
  #takeCalls(content: readonly AssistantContent[]): void {
    const calls = content.flatMap((entry) => (entry.type === 'tool-call' ? this.#parallel.replayed(entry) : []));
    this.#order = calls.map(({ callId }) => callId);
    this.tools.order(this.#order);
    for (const { callId, members } of calls) {
      if (members === undefined) continue;
      this.#members.set(callId, members);
      this.#client.describe(callId, members);
    }
  }

  #toolCall(call: RoundToolCall): LoopPart[] {
    this.#roundName ??= call.callId;
    if (call.item !== undefined) return this.#itemCall(call, call.item);
    const owner = ownershipOf(call.name, this.#options);
    const inner = owner.known ? undefined : this.#parallel.open(call);
    if (inner !== undefined)
      return inner.flatMap((one) => [
        ...inputOf(one).flatMap((part) => this.#inputs.take(part)),
        ...this.#toolCall(one),
      ]);
    if (owner.origin === 'client') return this.#askClient(call, clientInput(call.arguments));
    this.limit.count(call.callId);
    const user = this.#options.asks && this.#shows(call.name, 'loop') ? 'reachable' : 'unreachable';
    this.tools.add(call, owner.tool, user);
    if (this.#shows(call.name, 'loop')) return [toLoopCallPart({ ...call, ...this.#inRound })];
    return this.#options.carrier ? [{ type: 'hidden-call', call: { ...toPlaced(call), ...this.#inRound } }] : [];
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
    return this.#server.run(call, item);
  }

  #askClient(call: RoundToolCall, input: { readonly input: string }): LoopPart[] {
    this.limit.count(call.callId);
    this.#client.ask(call, toCallPart({ ...call, ...this.#inRound }, 'client', input));
    return this.#mayMix ? [{ type: 'held-call', callId: call.callId }] : [];
  }

  /** Calls that the response itself answers are nobody's to run. */
  #takeServerAnswers(): void {
    const answered = new Set(this.result?.answeredCallIds);
    for (const content of this.result?.content ?? []) {
      if (content.type !== 'tool-result' || !answered.has(content.callId)) continue;
      if (!this.tools.takeServerAnswer(content.callId, content.output))
        this.#client.settle(content.callId, content.output, this.#inRound);
    }
  }

  get #inRound(): { readonly inRound?: string } {
    return defined({ inRound: this.#roundName });
  }

  #shows(name: string, origin: Ownership['origin']): boolean {
    return origin === 'client' || this.#options.shows(name);
  }

  #hiddenCalls(): CarriedCall[] {
    return this.tools
      .outputs()
      .filter(({ call }) => !this.#options.shows(call.name))
      .map(({ call, output }) => ({
        ...toCarried({ ...call, ...defined({ members: this.#members.get(call.callId) }) }, output),
        ...this.#inRound,
      }));
  }
}
