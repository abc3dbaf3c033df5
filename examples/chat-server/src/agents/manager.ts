import { createHmac } from 'node:crypto';
import { getToolName, isToolUIPart, type ToolSet } from 'ai';
import type { AgentQuestions } from '../approval/agent-questions.js';
import { settleCutOff } from '../chat/open-calls.js';
import {
  type AgentFrame,
  currentAgentFrame,
  getMessageInWork,
  getSessionId,
  getUiWriter,
  runInAgentFrame,
} from '../context/request-context.js';
import type { ChatModel } from '../models/resolve-chat-model.js';
import { readSubAgentRequest, type SubAgentRequest } from '../tools/sub-agent.js';
import type { ToolOutput, ToolRun } from '../tools/tool-def.js';
import type { SchemaOf } from '../tools/tool-repair.js';
import type { AgentFile, ChatChunk, ChatPart } from '../types.js';
import { AgentJournal } from './agent-journal.js';
import { isEnded } from './agent-state.js';
import { agentFiles, type AgentStore } from './agent-store.js';
import { type AgentPlan, createSubAgent } from './factory.js';
import type { Templates } from './load-templates.js';
import { AgentRegistry } from './registry.js';
import { type AgentOutcome, runStretch } from './run-agent.js';
import type { RunningAgent } from './running-agent.js';

export interface AgentManagerOptions {
  readonly templates: Templates;
  readonly store: AgentStore;
  readonly questions: AgentQuestions;
  /** Signs what sub-agents ask. */
  readonly secret: string;
  readonly describeQuestion: (sessionId: string, chunk: ChatChunk, agentId: string) => ChatChunk;
  /** Ids of all tools of the app. */
  readonly appTools: () => readonly string[];
  /** Of the app, by id, and of MCP servers, by name, if the AI SDK runs those. */
  readonly buildToolset: (ids: readonly string[], mcpNames: readonly string[]) => Promise<ToolSet>;
  readonly schemaOf: SchemaOf;
  /** Names of the tools of MCP servers. */
  readonly listMcpTools: () => Promise<readonly string[]>;
  /** For the person and for the other agent, without secrets. */
  readonly describeError: (error: unknown) => string;
  /** A model by its id; `undefined`, if there is none. */
  readonly findModel: (id: string) => Promise<ChatModel | undefined>;
  readonly onWarning: (message: string) => void;
  readonly registry?: AgentRegistry;
}

/** The message with calls of `subAgent`, of the chat or of a sub-agent. */
export interface CallingMessage {
  readonly messageId: string;
  readonly agentId?: string | undefined;
  readonly parts: readonly ChatPart[];
}

type ToolPart = Extract<ChatPart, { toolCallId: string }>;
export type OnOutput = (part: ToolPart, output: ToolOutput) => void | Promise<void>;

/** Runs sub-agents for the tool `subAgent`, and lets those go on whose turn ended before they did. */
export class AgentManager {
  readonly #options: AgentManagerOptions;
  readonly #registry: AgentRegistry;

  constructor(options: AgentManagerOptions) {
    this.#options = options;
    this.#registry = options.registry ?? new AgentRegistry();
  }

  isRunning(sessionId: string, agentId: string): boolean {
    return this.#registry.isRunning(sessionId, agentId);
  }

  /** The clocks of a sub-agent, and of those that wait for it, rest while a person thinks. */
  whileWaiting<T>(sessionId: string, agentId: string, wait: Promise<T>): Promise<T> {
    return this.#registry.find(sessionId, agentId)?.hold(wait) ?? wait;
  }

  /** From the request to the report. Ends when the parent does. */
  async run(request: SubAgentRequest, { signal, toolCallId }: ToolRun): Promise<ToolOutput> {
    const parent = currentAgentFrame();
    const depth = (parent?.depth ?? 0) + 1;
    if (depth > this.#registry.limits.depth) {
      return { ok: false, error: 'A sub-agent of a sub-agent cannot delegate: do it yourself.' };
    }
    const chatModel = request.model === undefined ? undefined : await this.#options.findModel(request.model);
    if (request.model !== undefined && chatModel === undefined) {
      return { ok: false, error: `There is no model "${request.model}"; leave "model" out to use yours.` };
    }
    const plan = await this.#plan(request, parent);
    const { messageId, whenKept } = getMessageInWork();
    // A sub-agent whose call is not on disk would work for nobody after a restart.
    await whenKept(toolCallId, signal);
    const journal = await AgentJournal.begin(this.#options.store, {
      sessionId: getSessionId(),
      parent: { messageId, toolCallId, agentId: parent?.agentId },
      plan,
      task: request.task,
    });
    return this.#toItsEnd({ plan, journal, parent, depth, chatModel, signal });
  }

  /**
   * Lets the sub-agents go on that open calls of this message wait for, side by side. `onOutput` gets what each call gives;
   * a call that was cut off before its sub-agent began stays open. Rejects when the signal fires.
   */
  async finishCalls(message: CallingMessage, signal: AbortSignal, onOutput: OnOutput): Promise<void> {
    const calls = openAgentCalls(message.parts);
    if (calls.length === 0) return;
    const files = await agentFiles(this.#options.store, getSessionId());
    await Promise.all(
      calls.map(async (part) => {
        const file = files.find((one) => isOf(one, message, part));
        const output = file && (await this.#resume(file, readSubAgentRequest(part.input), signal));
        signal.throwIfAborted();
        if (output !== undefined) await onOutput(part, output);
      }),
    );
  }

  async #resume(
    file: AgentFile,
    request: SubAgentRequest | undefined,
    signal: AbortSignal,
  ): Promise<ToolOutput | undefined> {
    if (isEnded(file.state)) return outputOf(file);
    const parent = currentAgentFrame();
    const depth = (parent?.depth ?? 0) + 1;
    const journal = await AgentJournal.open(this.#options.store, getSessionId(), file);
    if (journal === undefined || request === undefined || depth > this.#registry.limits.depth) return undefined;
    const chatModel = request.model === undefined ? undefined : await this.#options.findModel(request.model);
    const plan = await this.#plan(request, parent);
    await this.#closeCutOff(journal);
    return this.#toItsEnd({ plan, journal, parent, depth, chatModel, signal });
  }

  /** What had begun does not begin again. Answers count, if nothing began since they were given. */
  async #closeCutOff(journal: AgentJournal): Promise<void> {
    const { questions } = this.#options;
    const sealed = new Set(questions.sealedOf(journal).map(({ part }) => part));
    const isWaiting = journal.file.state === 'waiting';
    const agentCalls = new Set<ChatPart>(openAgentCalls(journal.parts));
    const staysOpen = (part: ToolPart): boolean =>
      agentCalls.has(part) || (sealed.has(part) && (isWaiting || part.state === 'approval-requested'));
    await journal.saveAnswer(settleCutOff(journal.parts, staysOpen));
  }

  async #plan(request: SubAgentRequest, parent: AgentFrame | undefined): Promise<AgentPlan> {
    const { templates, appTools, listMcpTools } = this.#options;
    const mcpTools = await listMcpTools();
    const master = templates.get('master');
    const parentTools = parent?.tools ?? [...(master?.tools ?? []), ...(master?.mcp === true ? mcpTools : [])];
    return createSubAgent(request, { templates, parentTools, appTools: appTools(), mcpTools });
  }

  async #toItsEnd(started: Started): Promise<ToolOutput> {
    const { journal, plan, signal } = started;
    const { agentId, file } = journal;
    getUiWriter().write({
      type: 'data-sub-agent-start',
      data: { agentId, agentType: plan.agentType, task: file.task },
      transient: true,
    });
    const { event, summary } = await this.#runIn(started).catch((error: unknown) => this.#outcomeOf(error, signal));
    await journal.become(event, { summary });
    const { state } = journal.file;
    getUiWriter().write({ type: 'data-sub-agent-end', data: { agentId, state, summary }, transient: true });
    return outputOf(journal.file);
  }

  #outcomeOf(error: unknown, signal: AbortSignal): AgentOutcome {
    if (!signal.aborted) return { event: 'failed', summary: this.#options.describeError(error) };
    return FOR_GOOD.has(messageOf(signal.reason))
      ? { event: 'stopped', summary: 'It was stopped.' }
      : { event: 'cutOff', summary: 'It was interrupted.' };
  }

  async #runIn({ plan, journal, parent, depth, chatModel, signal }: Started): Promise<AgentOutcome> {
    const { sessionId, agentId, answerId: messageId, whenKept } = journal;
    const { limits } = this.#registry;
    const tools = [...plan.appTools.filter((id) => id !== 'subAgent' || depth < limits.depth), ...plan.mcpTools];
    const message = { messageId, approvals: new Map(), whenKept, areReadsKept: true };
    const frame: AgentFrame = { agentId, agentType: plan.agentType, depth, tools, chatModel, message };
    const agent = { sessionId, agentId, parentId: parent?.agentId, stop: signal };
    return this.#registry.run(agent, (running) =>
      runInAgentFrame(frame, async () => {
        try {
          return await this.#goOn({ plan, journal, frame, running });
        } catch (error) {
          if (signal.aborted || !running.isOutOfTime) throw error;
          return { event: 'failed', summary: 'It took too long and was stopped.' };
        }
      }),
    );
  }

  /** One stretch after the other, and between them the answers to what it asked. Live and after a restart it is the same. */
  async #goOn({ plan, journal, frame, running }: Working): Promise<AgentOutcome> {
    const { questions, secret, describeQuestion, buildToolset, ...options } = this.#options;
    const { sessionId, agentId, answerId: messageId } = journal;
    const { signal } = running;
    await this.finishCalls({ messageId, agentId, parts: journal.parts }, signal, (part, output) =>
      journal.replace({ ...part, state: 'output-available', output } as ToolPart),
    );
    const tools = await buildToolset(
      frame.tools.filter((name) => plan.appTools.includes(name)),
      plan.mcpTools,
    );
    for (;;) {
      await running.hold(questions.waitForAnswers(journal, signal));
      await journal.become('goesOn');
      const outcome = await runStretch({
        ...options,
        journal,
        message: frame.message,
        prompt: plan.prompt,
        tools,
        approvalSecret: createHmac('sha256', secret).update(`approvals of ${sessionId} ${agentId}`).digest('base64url'),
        describeQuestion: (chunk) => describeQuestion(sessionId, chunk, agentId),
        maxSteps: this.#registry.limits.steps,
        signal,
      });
      if (outcome !== 'asks') return outcome;
      await questions.seal(journal);
    }
  }
}

/** A person stopped it. Whatever else ends a turn leaves its sub-agents to go on later. */
const FOR_GOOD: ReadonlySet<string> = new Set(['stopped', 'the chat was deleted']);

/** Calls of `subAgent` without an output. */
export function openAgentCalls(parts: readonly ChatPart[]): ToolPart[] {
  return parts.filter(
    (part): part is ToolPart =>
      isToolUIPart(part) &&
      part.type !== 'dynamic-tool' &&
      getToolName(part) === 'subAgent' &&
      part.state === 'input-available',
  );
}

/** Whether it works for this call. */
export function isOf({ parent }: AgentFile, { messageId, agentId }: CallingMessage, { toolCallId }: ToolPart): boolean {
  return parent?.messageId === messageId && parent.toolCallId === toolCallId && parent.agentId === agentId;
}

function outputOf({ id: agentId, state, summary = 'It ended without a report.' }: AgentFile): ToolOutput {
  return state === 'done' ? { ok: true, agentId, summary } : { ok: false, agentId, error: summary };
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : '';
}

interface Started {
  readonly plan: AgentPlan;
  readonly journal: AgentJournal;
  readonly parent: AgentFrame | undefined;
  readonly depth: number;
  readonly chatModel: ChatModel | undefined;
  readonly signal: AbortSignal;
}

interface Working {
  readonly plan: AgentPlan;
  readonly journal: AgentJournal;
  readonly frame: AgentFrame;
  readonly running: RunningAgent;
}
