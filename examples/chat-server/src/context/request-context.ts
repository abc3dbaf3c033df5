import type { ApprovalDescriptor } from '../approval/asked-calls.js';
import type { McpQuestion } from '../elicitation/mcp-questions.js';
import type { ChatModel } from '../models/resolve-chat-model.js';
import type { WhenKept } from '../store/kept-calls.js';
import type { ChatWriter, KeptAnswer } from '../types.js';
import { SparingStorage } from './sparing-storage.js';

/** A sub-agent at work, innermost last. */
export interface AgentFrame {
  readonly agentId: string;
  readonly agentType: string;
  /** 1 for an agent of the chat, 2 for an agent of that. */
  readonly depth: number;
  /** Ids of the tools it may use: its own sub-agents get no others. */
  readonly tools: readonly string[];
  /** Absent: the model of whoever asked for it. */
  readonly chatModel?: ChatModel | undefined;
  /** What it writes. */
  readonly message: MessageInWork;
}

/** A message that is being written, by the chat or by a sub-agent. */
export interface MessageInWork {
  readonly messageId: string;
  /** Answers of the person by `toolCallId`, for tools that want to know more than yes. */
  readonly approvals: Map<string, KeptAnswer>;
  readonly whenKept: WhenKept;
  /** Calls that change nothing wait for that, too: whoever goes on with the message names every call that ran. */
  readonly areReadsKept: boolean;
}

/** What belongs to one turn. */
export interface RequestContext {
  readonly sessionId: string;
  /** The real path of the folder that is worked in. */
  readonly workspaceId: string;
  readonly writer: ChatWriter;
  readonly signal: AbortSignal;
  readonly chatModel: ChatModel;
  readonly message: MessageInWork;
}

/** A question about a call of an app, for the page that shows the app. */
export interface AppQuestion {
  /** What to answer to. */
  readonly id: string;
  readonly toolName: string;
  /** All of it, as it would run. */
  readonly input: unknown;
  readonly descriptor: ApprovalDescriptor;
}

/** What belongs to a call that an app makes. It belongs to no turn: it may come at any time. */
export interface AppCallContext {
  readonly sessionId: string;
  /** Fires once the call is over, or nobody could answer any more. */
  readonly signal: AbortSignal;
  readonly onQuestion: (question: AppQuestion) => void;
  /** All that the server asks during the call and that is open, whenever there are others. */
  readonly onServerQuestions: (open: readonly McpQuestion[]) => void;
  /** A question of the server was cancelled and nobody saw it: why. */
  readonly onCancelled: (why: string) => void;
}

interface Scope {
  readonly context: RequestContext | undefined;
  readonly appCall?: AppCallContext;
  /** Each line of work has its own, so that sub-agents side by side do not pop each other's. */
  readonly frames: AgentFrame[];
}

const storage = new SparingStorage<Scope>();

/** Everything that `work` does until it has settled reads this context. */
export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run({ context, frames: [] }, work);
}

/** The same for a call of an app. */
export function runInAppCall<T>(appCall: AppCallContext, work: () => T): T {
  return storage.run({ context: undefined, appCall, frames: [] }, work);
}

/** The call of an app that is made here; `undefined` in a turn, and outside of both. */
export function currentAppCall(): AppCallContext | undefined {
  return storage.getStore()?.appCall;
}

/** For what others call, later and from anywhere: it runs in the context it was made in. Made outside of any it stays as it is. */
export function bindToContext<Args extends unknown[], T>(work: (...args: Args) => T): (...args: Args) => T {
  const bound = storage.getStore();
  return bound === undefined ? work : (...args) => storage.run(bound, () => work(...args));
}

/** Whether this is a part of a turn. */
export function isInContext(): boolean {
  return storage.getStore()?.context !== undefined;
}

export const getSessionId = (): string => (currentAppCall() ?? current('getSessionId')).sessionId;
export const getWorkspaceId = (): string => current('getWorkspaceId').workspaceId;
export const getUiWriter = (): ChatWriter => current('getUiWriter').writer;
export const getAbortSignal = (): AbortSignal => current('getAbortSignal').signal;
export const getChatModel = (): ChatModel => {
  const { frames } = scope('getChatModel');
  const ofAgent = frames.findLast(({ chatModel }) => chatModel !== undefined)?.chatModel;
  return ofAgent ?? current('getChatModel').chatModel;
};
export const getAssistantMessageId = (): string => current('getAssistantMessageId').message.messageId;

/** Of the sub-agent that is at work, or of the chat. */
export const getMessageInWork = (): MessageInWork => messageInWork('getMessageInWork');

/** What the person answered about this call; given once. */
export function consumeToolApprovalPayload(toolCallId: string): KeptAnswer | undefined {
  const { approvals } = messageInWork('consumeToolApprovalPayload');
  const answer = approvals.get(toolCallId);
  approvals.delete(toolCallId);
  return answer;
}

/** The sub-agent that is at work here; `undefined` in the chat itself. */
export function currentAgentFrame(): AgentFrame | undefined {
  return scope('currentAgentFrame').frames.at(-1);
}

export function pushAgentFrame(frame: AgentFrame): void {
  scope('pushAgentFrame').frames.push(frame);
}

/** Takes the frame away, if it is the innermost one: a second pop of the same takes no other. */
export function popAgentFrame(frame: AgentFrame): boolean {
  const { frames } = scope('popAgentFrame');
  if (frames.at(-1) !== frame) return false;
  frames.pop();
  return true;
}

/** Runs a sub-agent in a line of its own; the frame is popped once, also after an error. */
export function runInAgentFrame<T>(frame: AgentFrame, work: () => Promise<T>): Promise<T> {
  const { context, frames } = scope('runInAgentFrame');
  return storage.run({ context, frames: [...frames] }, async () => {
    pushAgentFrame(frame);
    try {
      return await work();
    } finally {
      popAgentFrame(frame);
    }
  });
}

function messageInWork(caller: string): MessageInWork {
  const { context, frames } = scope(caller);
  return frames.at(-1)?.message ?? (context ?? outside(caller)).message;
}

function current(caller: string): RequestContext {
  return scope(caller).context ?? outside(caller);
}

function scope(caller: string): Scope {
  return storage.getStore() ?? outside(caller);
}

function outside(caller: string): never {
  throw new Error(`${caller}() was called outside a request: no turn is running.`);
}
