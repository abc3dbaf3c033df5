import { createUIMessageStream } from 'ai';
import { type AgentManager, openAgentCalls } from '../agents/manager.js';
import { runInContext, type RequestContext } from '../context/request-context.js';
import type { ChatModel } from '../models/resolve-chat-model.js';
import type { ChatQueues } from '../queue/chat-queues.js';
import { TurnSteering } from '../queue/turn-steering.js';
import { newId } from '../store/ids.js';
import { warnOfEvents } from '../models/warn-of-events.js';
import { openApprovalIds } from '../store/message-log.js';
import type { MessageStore } from '../store/message-store.js';
import type { SessionStore } from '../store/session-store.js';
import type { ChatAgentParts } from '../tools/runtime.js';
import type { ChatChunk, ChatMessage, ChatPart, ChatWriter, KeptAnswer, SessionFile, StoredMessage } from '../types.js';
import { AgentOutputs } from './agent-outputs.js';
import { describeError, type Failure } from './describe-error.js';
import { withoutErrorNote } from './error-note.js';
import { recordInPieces } from './record-in-pieces.js';
import { readUntil } from './read-until.js';
import type { RunningTurn } from './running-turn.js';
import { isSavePoint, SavePoints } from './save-points.js';
import { ShownInOrder } from './shown-in-order.js';
import { timeThoughts } from './time-thoughts.js';
import { openAgentStream } from './turn-agent.js';
import { endOf } from './turn-end.js';
import { TurnEvents } from './turn-events.js';
import { TurnRecorder } from './turn-recorder.js';
import { usageOfStep } from './usage.js';

export interface OrchestratorOptions {
  readonly messages: MessageStore;
  readonly sessions: SessionStore;
  readonly workspace: string;
  /** Made for each turn, in its context. */
  readonly makeAgent: (session: SessionFile) => Promise<ChatAgentParts>;
  /** Lets the sub-agents of a message that goes on come to their ends. */
  readonly finishAgents: AgentManager['finishCalls'];
  /** Never shown to anybody. */
  readonly secrets: readonly string[];
  readonly queues: Pick<ChatQueues, 'load'>;
  readonly onWarning: (message: string) => void;
}

export interface TurnPlan {
  readonly session: SessionFile;
  readonly chatModel: ChatModel;
  /** From the root to the user's message, or to the assistant's message that goes on. */
  readonly path: readonly StoredMessage[];
  /** The last of the path, if it goes on after its approvals. */
  readonly resumed?: StoredMessage | undefined;
  /** Of the message that it writes, if it has one already. */
  readonly messageId?: string | undefined;
  /** It was begun by an instance that has died. */
  readonly isTakenOver?: boolean | undefined;
  /** By `toolCallId`. */
  readonly approvals?: ReadonlyMap<string, KeptAnswer> | undefined;
  /** Nobody has just sent it: the message had waited. */
  readonly isFromQueue?: boolean | undefined;
}

/** A turn that was checked. What it brings is stored once it is sure that the turn begins, here or at another server. */
export interface TurnDraft extends Omit<TurnPlan, 'session'> {
  /** Stores it, and gives the chat as it is then. @throws StoreError */
  readonly store: () => Promise<SessionFile>;
}

export interface TurnResult {
  /** As it is stored; `undefined`, if nothing was said. */
  readonly message: StoredMessage | undefined;
  readonly finishReason: string;
  readonly failure: Failure | undefined;
}

/** After an abort: requests, tools and MCP servers end at once, or they are not waited for. */
const PATIENCE_MS = 3_000;

/** Runs one turn from what is stored to what is stored. */
export class Orchestrator {
  readonly #options: OrchestratorOptions;

  constructor(options: OrchestratorOptions) {
    this.#options = options;
  }

  /** Never rejects; the turn is over when it settles, however it ended. */
  async run(turn: RunningTurn, plan: TurnPlan): Promise<TurnResult> {
    const run = new TurnRun(this.#options, turn, plan);
    try {
      const result = await run.toItsEnd();
      turn.cameTo(endOf(result, turn.signal));
      return result;
    } finally {
      turn.end();
    }
  }
}

class TurnRun {
  readonly #options: OrchestratorOptions;
  readonly #turn: RunningTurn;
  readonly #plan: TurnPlan;
  readonly #messageId: string;
  readonly #recorder: TurnRecorder;
  /** The message that goes on. */
  readonly #resumed: StoredMessage | undefined;
  readonly #events = new TurnEvents((chunk) => this.#show(chunk));
  readonly #inOrder = new ShownInOrder((chunk) => this.#show(chunk));
  readonly #savePoints = new SavePoints();
  #steering: TurnSteering | undefined;
  #failure: Failure | undefined;
  #finishReason = 'other';
  #isGivenUp = false;

  constructor(options: OrchestratorOptions, turn: RunningTurn, plan: TurnPlan) {
    this.#options = options;
    this.#turn = turn;
    this.#plan = plan;
    const { path, resumed, session, chatModel } = plan;
    this.#resumed = resumed && { ...resumed, parts: withoutErrorNote(resumed.parts) };
    this.#messageId = resumed?.id ?? plan.messageId ?? newId('msg');
    this.#recorder = new TurnRecorder({
      messages: options.messages,
      sessions: options.sessions,
      sessionId: session.id,
      messageId: this.#messageId,
      parentMessageId: resumed === undefined ? (path.at(-1)?.id ?? null) : resumed.parentMessageId,
      chatModel,
      resumed,
    });
  }

  async toItsEnd(): Promise<TurnResult> {
    try {
      const { signal } = this.#turn;
      const onGivenUp = (): void => {
        this.#isGivenUp = true;
      };
      for await (const chunk of readUntil(this.#stream(), { signal, patienceMs: PATIENCE_MS, onGivenUp }))
        this.#inOrder.recorded(chunk);
      if (this.#isGivenUp) await this.#giveUp();
    } catch (error) {
      // Of the stream's own making; what was said up to the last save point stays.
      this.#show({ type: 'error', errorText: this.#fail(error) });
      await this.#save(this.#recorder.stored?.parts ?? []);
    }
    if (!this.#turn.isLost) await this.#recorder.close().catch((error: unknown) => this.#storeFailed(error));
    return { message: this.#recorder.stored, finishReason: this.#finishReason, failure: this.#failure };
  }

  /** What was said up to the last save point stays; what a tool still says comes too late. */
  async #giveUp(): Promise<void> {
    await this.#store(this.#recorder.stored?.parts ?? [], true);
    if (this.#finishReason !== 'aborted') this.#show({ type: 'abort' });
  }

  #stream(): ReadableStream<ChatChunk> {
    const { path } = this.#plan;
    const last = this.#resumed;
    return createUIMessageStream<ChatMessage>({
      originalMessages: [...path.slice(0, last === undefined ? undefined : -1), ...(last ? [last] : [])].map(toUi),
      generateId: () => this.#messageId,
      execute: ({ writer }) => this.#answer(writer),
      // Also called for what was emitted as an `error` chunk already: the first one counts.
      onError: (error) => this.#failure?.message ?? this.#fail(error),
      onStepFinish: ({ responseMessage }) => this.#save(responseMessage.parts),
      onFinish: ({ responseMessage }) => this.#save(responseMessage.parts, true),
    });
  }

  async #answer(writer: ChatWriter): Promise<void> {
    const { session } = this.#plan;
    const before = this.#resumed?.parts ?? [];
    // A page that joins cannot know of what they give which part was there before.
    const isUnknown = this.#plan.isTakenOver === true || openAgentCalls(before).length > 0;
    const partsBefore = isUnknown ? before.length : undefined;
    const start: ChatChunk = {
      type: 'start',
      messageId: this.#messageId,
      ...(partsBefore === undefined ? {} : { messageMetadata: { partsBefore } }),
    };
    writer.write(this.#inOrder.now(start));
    this.#show({ type: 'data-session', data: { id: session.id, title: session.title }, transient: true });
    const context = this.#context(writer);
    const parts = await runInContext(context, () => this.#options.makeAgent(session));
    const path = await runInContext(context, () => this.#pathAfterAgents(writer));
    if (path === undefined) return;
    const stream = (): Promise<void> => this.#stepThrough(parts, writer, path);
    await (parts.isContextRead ? runInContext(context, stream) : stream());
  }

  /** What the model goes on from; `undefined`, if the turn was stopped before, or the chat's own question is still open. */
  async #pathAfterAgents(writer: ChatWriter): Promise<readonly StoredMessage[] | undefined> {
    const { path } = this.#plan;
    const resumed = this.#resumed;
    if (resumed === undefined) return path;
    const { signal } = this.#turn;
    const agents = new AgentOutputs(resumed, writer);
    try {
      await this.#options.finishAgents(agents.calling, signal, agents.add);
    } catch (error) {
      if (!signal.aborted) throw error;
      writer.write({ type: 'abort' });
      return undefined;
    }
    if (openApprovalIds(agents.message).size === 0) return [...path.slice(0, -1), agents.message];
    writer.write({ type: 'finish', finishReason: 'tool-calls' });
    return undefined;
  }

  async #stepThrough(parts: ChatAgentParts, writer: ChatWriter, path: readonly StoredMessage[]): Promise<void> {
    const plan = this.#plan;
    const steering = await this.#listen();
    const chunks = await openAgentStream({
      parts,
      plan: { ...plan, path: await this.#options.messages.forModel(plan.session.id, path) },
      settings: this.#events.settings(warnOfEvents(this.#options.onWarning)),
      steering,
      onAttempt: (attempt) => this.#events.attempt(attempt),
      signal: this.#turn.signal,
      ui: {
        onError: (error) => this.#textOf(error),
        messageMetadata: ({ part }) => {
          if (part.type === 'error') this.#failure = describeError(part.error, this.#options.secrets);
          if (part.type === 'finish-step') {
            this.#recorder.addUsage(usageOfStep(part.usage, part.providerMetadata));
            this.#events.stepEnded();
          }
          return undefined;
        },
      },
    });
    const timed = timeThoughts();
    await recordInPieces(chunks, {
      onChunk: (chunk) => this.#inOrder.nowOrLater(timed(parts.describeQuestion(steering.shown(chunk)))),
      onPiece: (piece) => {
        this.#inOrder.note(piece);
        for (const chunk of this.#savePoints.behind(piece.chunk)) writer.write(chunk);
      },
    });
  }

  /** To what the person says from now on. */
  async #listen(): Promise<TurnSteering> {
    const chat = await this.#options.queues.load(this.#plan.session.id);
    if (chat.queue.items.length > 0 || this.#plan.isFromQueue)
      this.#show({ type: 'data-queue', data: { items: chat.queue.view }, transient: true });
    return (this.#steering = new TurnSteering(chat));
  }

  #context(writer: ChatWriter): RequestContext {
    const { session, chatModel, approvals } = this.#plan;
    return {
      sessionId: session.id,
      workspaceId: this.#options.workspace,
      // What is not kept takes no way through the record, where it would come late.
      writer: { ...writer, write: (chunk) => (isTransient(chunk) ? this.#show(chunk) : writer.write(chunk)) },
      signal: this.#turn.signal,
      chatModel,
      message: {
        messageId: this.#messageId,
        approvals: new Map(approvals),
        areReadsKept: this.#options.messages.isShared,
        whenKept: async (toolCallId, callSignal) => {
          for (const chunk of this.#savePoints.want(toolCallId)) writer.write(chunk);
          await this.#recorder.whenKept(toolCallId, callSignal);
          await this.#turn.mayAct();
        },
      },
    };
  }

  #show(chunk: ChatChunk): void {
    if (isSavePoint(chunk)) return;
    if (chunk.type === 'finish') {
      this.#finishReason = chunk.finishReason ?? 'other';
      this.#turn.push({ type: 'data-usage', data: this.#recorder.usage, transient: true });
    }
    if (chunk.type === 'abort') this.#finishReason = 'aborted';
    if (chunk.type !== 'error') return this.#turn.push(chunk);
    this.#finishReason = 'error';
    this.#turn.push({ ...chunk, ...(this.#failure === undefined ? {} : { code: this.#failure.code }) });
  }

  /** A store that fails ends the turn: what goes on without being kept would be lost. */
  async #save(parts: readonly ChatPart[], isLast = false): Promise<void> {
    if (!this.#isGivenUp) await this.#store(parts, isLast);
  }

  async #store(parts: readonly ChatPart[], isLast: boolean): Promise<void> {
    if (this.#failure?.code === 'store_failed' || this.#turn.isLost) return;
    this.#failure ??= this.#turn.failure;
    const isAborted = this.#turn.signal.aborted;
    const failure = isLast || this.#failure !== undefined ? this.#failure : undefined;
    const end = isLast && !isAborted && failure === undefined ? 'well' : 'cut';
    if (isLast) this.#countOpenStep();
    try {
      await this.#recorder.save(parts, { end, failure, isAborted });
      this.#steering?.saved(parts);
    } catch (error) {
      this.#storeFailed(error);
    }
  }

  /** A step that was stopped ends without a count; the server has told of its rounds, but for the last. */
  #countOpenStep(): void {
    this.#recorder.addUsage(this.#events.openUsage);
    this.#events.stepEnded();
  }

  #storeFailed(error: unknown): void {
    if (this.#turn.isLost) return;
    this.#options.onWarning(`chat ${this.#plan.session.id}: ${causeOf(error)}`);
    if (this.#turn.signal.reason?.message === 'the chat was deleted') return;
    this.#show({ type: 'error', errorText: this.#fail(error) });
    this.#turn.abort('store failed');
  }

  #fail(error: unknown): string {
    this.#failure = describeError(error, this.#options.secrets);
    return this.#failure.message;
  }

  /** Of a tool, too, whose failure ends no turn. */
  #textOf(error: unknown): string {
    return describeError(error, this.#options.secrets).message;
  }
}

function isTransient(chunk: ChatChunk): boolean {
  return 'transient' in chunk && chunk.transient;
}

function toUi({ id, role, parts, metadata }: StoredMessage): ChatMessage {
  return { id, role: role === 'subagent' ? 'assistant' : role, parts: [...parts], metadata };
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
