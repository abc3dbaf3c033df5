import type { ToolSet } from 'ai';
import {
  type AgentFrame,
  currentAgentFrame,
  getSessionId,
  getUiWriter,
  runInAgentFrame,
} from '../context/request-context.js';
import type { ChatModel } from '../models/resolve-chat-model.js';
import { newId } from '../store/ids.js';
import type { SubAgentRequest } from '../tools/sub-agent.js';
import type { ToolOutput, ToolRun } from '../tools/tool-def.js';
import type { SchemaOf } from '../tools/tool-repair.js';
import type { AgentFile, StoredMessage } from '../types.js';
import { AgentJournal } from './agent-journal.js';
import { type AgentPlan, createSubAgent } from './factory.js';
import type { Templates } from './load-templates.js';
import { AgentRegistry } from './registry.js';
import { type AgentOutcome, runAgent } from './run-agent.js';
import type { RunningAgent } from './running-agent.js';

/** The functions of the store that sub-agents are kept by, the same as the chat's. */
export interface AgentStore {
  registerAgentDir(sessionId: string, agentId: string): Promise<void>;
  saveAgentMessage(sessionId: string, agentId: string, message: StoredMessage): Promise<void>;
  writeAgentSessionJson(sessionId: string, agentId: string, file: AgentFile): Promise<void>;
}

export interface AgentManagerOptions {
  readonly templates: Templates;
  readonly store: AgentStore;
  /** Ids of all tools of the app. */
  readonly appTools: () => readonly string[];
  /** Tools whose runs wait for approval themselves: of the app, by id, and of MCP servers, by name, if the AI SDK runs those. */
  readonly buildToolset: (ids: readonly string[], mcpNames: readonly string[]) => Promise<ToolSet>;
  readonly schemaOf: SchemaOf;
  /** Names of the tools of MCP servers. */
  readonly listMcpTools: () => Promise<readonly string[]>;
  /** For the person and for the other agent, without secrets. */
  readonly describeError: (error: unknown) => string;
  /** A model by its id; `undefined`, if there is none. */
  readonly findModel: (id: string) => Promise<ChatModel | undefined>;
  readonly registry?: AgentRegistry;
}

/** Runs sub-agents for the tool `subAgent`. */
export class AgentManager {
  readonly #options: AgentManagerOptions;
  readonly #registry: AgentRegistry;

  constructor(options: AgentManagerOptions) {
    this.#options = options;
    this.#registry = options.registry ?? new AgentRegistry();
  }

  /** `running` on disk, and not running: the server ended meanwhile. */
  isRunning(sessionId: string, agentId: string): boolean {
    return this.#registry.isRunning(sessionId, agentId);
  }

  /** The clocks of a sub-agent, and of those that wait for it, rest while a person thinks. */
  whileWaiting<T>(sessionId: string, agentId: string, wait: Promise<T>): Promise<T> {
    return this.#registry.find(sessionId, agentId)?.hold(wait) ?? wait;
  }

  /** From the request to the report. Ends when the parent does. */
  async run(request: SubAgentRequest, { signal }: ToolRun): Promise<ToolOutput> {
    const parent = currentAgentFrame();
    const depth = (parent?.depth ?? 0) + 1;
    const { limits } = this.#registry;
    if (depth > limits.depth) return { ok: false, error: 'A sub-agent of a sub-agent has none: do it yourself.' };
    const chatModel = request.model === undefined ? undefined : await this.#options.findModel(request.model);
    if (request.model !== undefined && chatModel === undefined) {
      return { ok: false, error: `There is no model "${request.model}"; leave "model" out to use yours.` };
    }
    const plan = await this.#plan(request, parent);
    const agentId = newId('agent');
    const tools = [...plan.appTools.filter((id) => id !== 'subAgent' || depth < limits.depth), ...plan.mcpTools];
    const frame: AgentFrame = { agentId, agentType: plan.agentType, depth, tools, chatModel };
    const journal = new AgentJournal(this.#options.store, {
      sessionId: getSessionId(),
      agentId,
      plan,
      task: request.task,
    });
    await journal.begin();
    getUiWriter().write({
      type: 'data-sub-agent-start',
      data: { agentId, agentType: plan.agentType, task: request.task },
      transient: true,
    });
    const outcome = await this.#runIn(frame, { plan, journal, task: request.task, parent, signal });
    getUiWriter().write({
      type: 'data-sub-agent-end',
      data: { agentId, state: outcome.state, summary: outcome.summary },
      transient: true,
    });
    await journal.end(outcome);
    return outcome.state === 'done'
      ? { ok: true, agentId, summary: outcome.summary }
      : { ok: false, agentId, error: outcome.summary };
  }

  async #plan(request: SubAgentRequest, parent: AgentFrame | undefined): Promise<AgentPlan> {
    const { templates, appTools, listMcpTools } = this.#options;
    const mcpTools = await listMcpTools();
    const master = templates.get('master');
    const parentTools = parent?.tools ?? [...(master?.tools ?? []), ...(master?.mcp === true ? mcpTools : [])];
    return createSubAgent(request, { templates, parentTools, appTools: appTools(), mcpTools });
  }

  async #runIn(frame: AgentFrame, { plan, journal, task, parent, signal }: Started): Promise<AgentOutcome> {
    const { agentId, tools } = frame;
    const agent = { sessionId: getSessionId(), agentId, parentId: parent?.agentId, stop: signal };
    let running: RunningAgent | undefined;
    try {
      return await this.#registry.run(agent, (run) => {
        running = run;
        return runInAgentFrame(frame, async () =>
          runAgent({
            agentId,
            prompt: plan.prompt,
            task,
            tools: await this.#options.buildToolset(
              tools.filter((name) => plan.appTools.includes(name)),
              plan.mcpTools,
            ),
            schemaOf: this.#options.schemaOf,
            steps: this.#registry.limits.steps,
            signal: run.signal,
            isOutOfTime: () => run.isOutOfTime,
            journal,
            describeError: this.#options.describeError,
          }),
        );
      });
    } catch (error) {
      if (signal.aborted) return { state: 'aborted', summary: 'It was stopped.' };
      if (running?.isOutOfTime === true) return { state: 'failed', summary: 'It took too long and was stopped.' };
      return { state: 'failed', summary: this.#options.describeError(error) };
    }
  }
}

interface Started {
  readonly plan: AgentPlan;
  readonly journal: AgentJournal;
  readonly task: string;
  readonly parent: AgentFrame | undefined;
  readonly signal: AbortSignal;
}
