import { createHmac } from 'node:crypto';
import type { ToolCallRepairFunction, ToolSet } from 'ai';
import type { Approve, McpElicitationRequest, OnElicitation, ResponsesProviderSettings } from 'responses-loop/v3';
import type { McpConfig } from 'responses-loop-example-shared/mcp-config.js';
import { createPathGuard } from 'responses-loop-example-shared/path-guard.js';
import type { Sandbox } from 'responses-loop-example-shared/sandbox.js';
import type { AddressRules } from 'responses-loop-example-shared/web-address.js';
import { webFetch } from 'responses-loop-example-shared/web-fetch.js';
import { hideTools } from '../agents/hide-tools.js';
import { loadTemplates } from '../agents/load-templates.js';
import { askedIds } from '../agents/agent-store.js';
import { AgentManager } from '../agents/manager.js';
import { StoredAgents, type StoredAgentsOptions } from '../agents/stored-agents.js';
import { AgentQuestions } from '../approval/agent-questions.js';
import { AnswerEffects } from '../approval/answer-effects.js';
import { AskedCalls } from '../approval/asked-calls.js';
import { ApprovalGate } from '../approval/gate.js';
import type { GrantStore } from '../approval/grants.js';
import { createMcpApprove, trustedServers } from '../approval/mcp-approval.js';
import { PendingRegistry, UNKEPT_QUESTION_MS } from '../approval/pending-registry.js';
import { QuestionSeals } from '../approval/question-seal.js';
import { ChangeSeals } from '../approval/shown-change.js';
import { buildSystemPrompt, skillText } from '../chat/preface.js';
import { listSkills, readSkill, type Skill } from '../chat/skill-selector.js';
import { currentAgentFrame, currentAppCall, getSessionId, isInContext } from '../context/request-context.js';
import { type Caller, CallsOfChats } from '../elicitation/calls-of-chats.js';
import { McpQuestions, type McpQuestionsOptions } from '../elicitation/mcp-questions.js';
import { HttpError } from '../errors.js';
import type { ChatModel } from '../models/resolve-chat-model.js';
import type { PictureStore } from '../pictures/picture-store.js';
import type { ChatChunk, Grant, SessionFile, SwitchedOff } from '../types.js';
import { createBrowserTools } from './browser-step.js';
import { checkTools } from './capability-groups.js';
import { ChatTerminals } from './chat-terminals.js';
import { createToolDefs } from './defs.js';
import { type McpToolset, withMcpTools } from './mcp-tools.js';
import { createToolRegistry, type ToolRegistry } from './registry.js';
import { isListedOff, isOff, namesOff, type ReadSwitches } from './switches.js';
import { createToolRepair } from './tool-repair.js';

/** A tool of an MCP server, as `provider.listTools()` has it. */
export interface McpTool {
  readonly name: string;
  readonly source: string;
  readonly originalName: string;
  readonly description?: string;
}

export interface ToolRuntimeOptions {
  /** Real path. */
  readonly workspace: string;
  /** Folders out of reach of every tool. Real paths. */
  readonly closed: readonly string[];
  readonly grants: GrantStore;
  /** What is off in a chat. */
  readonly switches: ReadSwitches;
  readonly store: StoredAgentsOptions['store'];
  /** Signs what the app's tools ask. */
  readonly secret: string;
  readonly approvalTimeoutMs?: number | undefined;
  readonly isTurnRunning: (sessionId: string) => boolean;
  readonly onQuestions: McpQuestionsOptions['onChange'];
  readonly onWarning: (message: string) => void;
  readonly listMcpTools: () => Promise<readonly McpTool[]>;
  /** Those of them that the AI SDK runs: none, if the provider runs them. */
  readonly sdkMcpTools: () => Promise<McpToolset>;
  /** For a sub-agent that is to have another model. */
  readonly findModel: (id: string) => Promise<ChatModel | undefined>;
  readonly describeError: (error: unknown) => string;
  readonly pictures: PictureStore;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox: Sandbox;
  /** Of addresses, for the browser; no flag sets them. Default: those of `openUrl`. */
  readonly browserRules?: AddressRules | undefined;
}

/** What answers in a chat, made for each turn. */
export interface ChatAgentParts {
  readonly instructions: string;
  readonly tools: ToolSet;
  readonly repair: ToolCallRepairFunction<ToolSet>;
  /** Binds what was approved to this chat. */
  readonly approvalSecret: string;
  readonly skillText: (name: string) => string;
  /** Whether the stream of the model, too, has to run in the context of its turn. */
  readonly isContextRead: boolean;
  /** Says in a question of this turn why it is asked; other chunks stay as they are. */
  readonly describeQuestion: (chunk: ChatChunk) => ChatChunk;
}

/** Tools, approvals, sub-agents and skills of one server. */
export interface ToolRuntime {
  readonly registry: ToolRegistry;
  readonly pending: PendingRegistry;
  readonly agents: AgentManager;
  readonly storedAgents: StoredAgents;
  readonly agentQuestions: AgentQuestions;
  readonly effects: AnswerEffects;
  readonly questions: McpQuestions;
  readonly onElicitation: OnElicitation;
  readonly transformRequest: NonNullable<ResponsesProviderSettings['transformRequest']>;
  approve(mcpServers: McpConfig): Approve;
  makeAgent(session: SessionFile): Promise<ChatAgentParts>;
  /** Forgets what belongs to a turn that is over. */
  endTurn(sessionId: string, wasAborted: boolean): void;
  /** Ends what goes on between turns of a chat. */
  endChat(sessionId: string): Promise<void>;
  /** Whether something goes on between turns of a chat, or waits for a person. */
  isInUse(sessionId: string): boolean;
  close(): Promise<void>;
  listSkills(): Promise<readonly Skill[]>;
  /** @throws HttpError `no_such_skill`. */
  checkSkills(names: readonly string[]): Promise<void>;
}

/**
 * Puts them together once, at the start.
 *
 * @throws SettingsError for a template, a group or a tool that is wrong.
 */
export function createToolRuntime(options: ToolRuntimeOptions): ToolRuntime {
  const { workspace, closed, grants, switches } = options;
  // Without them the chat goes on; the provider says why they are missing.
  const listMcpTools = (): Promise<readonly McpTool[]> => options.listMcpTools().catch(() => []);
  const listMcpToolsOn = async (off: readonly SwitchedOff[]): Promise<readonly McpTool[]> =>
    (await listMcpTools()).filter((tool) => !isListedOff(off, tool));
  const sdkMcpToolsOn = async (off: readonly SwitchedOff[]): Promise<McpToolset> => {
    const [tools, listed] = await Promise.all([options.sdkMcpTools().catch(() => ({})), listMcpToolsOn(off)]);
    const on = new Set(listed.map(({ name }) => name));
    return Object.fromEntries(Object.entries(tools).filter(([name]) => on.has(name)));
  };
  const guard = createPathGuard({ roots: [workspace], closed });
  const templates = loadTemplates();
  const pending = new PendingRegistry({ timeoutMs: options.approvalTimeoutMs, isTurnRunning: options.isTurnRunning });
  const asked = new AskedCalls();
  const calls = new CallsOfChats();
  const questions = new McpQuestions({
    timeoutMs: options.approvalTimeoutMs ?? UNKEPT_QUESTION_MS,
    onChange: options.onQuestions,
    onWarning: options.onWarning,
  });
  const gate = new ApprovalGate({ grants, switches, pending, asked, changes: new ChangeSeals(options.secret) });
  const effects = new AnswerEffects({
    grants,
    grantFor: async ({ toolName, isMcp, input }) => {
      if (isMcp) return mcpGrant(toolName, await listMcpTools());
      const verdict = await registry.judge(toolName, input);
      return verdict?.decision === 'ask' ? verdict.grant : undefined;
    },
    isOff: async (sessionId, { toolName, isMcp }) => {
      const off = await switches(sessionId);
      if (!isMcp) return isOff(off, { kind: 'tool', tool: toolName });
      const found = findMcpTool(toolName, await listMcpTools());
      return found !== undefined && isListedOff(off, found);
    },
  });
  const agentQuestions = new AgentQuestions({
    pending,
    seals: new QuestionSeals(options.secret),
    effects,
    askedIds: (sessionId) => askedIds(options.store, sessionId),
  });
  const terminals = new ChatTerminals();
  const browser = createBrowserTools(options);
  const defs = createToolDefs({
    files: { root: workspace, guard },
    shell: { env: options.env, closed, sandbox: options.sandbox },
    terminals,
    pictures: options.pictures,
    webFetch,
    browser,
    runSubAgent: (request, run) => agents.run(request, run),
  });
  checkTools(defs);
  const registry = createToolRegistry(defs, gate);
  const appToolsOn = (ids: readonly string[], off: readonly SwitchedOff[]): string[] =>
    ids.filter((tool) => !registry.missing.has(tool) && !isOff(off, { kind: 'tool', tool }));
  const agents = new AgentManager({
    templates,
    store: options.store,
    questions: agentQuestions,
    secret: options.secret,
    describeQuestion: (...question) => asked.describe(...question),
    onWarning: options.onWarning,
    appTools: () => registry.ids,
    buildToolset: async (ids, mcpNames) => {
      const wanted = new Set(mcpNames);
      const off = await switches(getSessionId());
      const mcpTools = Object.entries(await sdkMcpToolsOn(off)).filter(([name]) => wanted.has(name));
      return withMcpTools(registry.buildToolset(appToolsOn(ids, off)), Object.fromEntries(mcpTools), registry.ids);
    },
    schemaOf: registry.schemaOf,
    listMcpTools: async () => (await listMcpToolsOn(await switches(getSessionId()))).map(({ name }) => name),
    describeError: options.describeError,
    findModel: options.findModel,
  });
  const storedAgents = new StoredAgents({
    store: options.store,
    questions: agentQuestions,
    isRunning: (...agent) => agents.isRunning(...agent),
  });
  const ownCaller = (): Caller | undefined => currentAppCall() ?? (isInContext() ? getSessionId() : undefined);
  const callerThatAsked = ({ server, callIds }: McpElicitationRequest): Caller | undefined =>
    calls.callerOf(callIds, (caller) => questions.list(caller).some((question) => question.server === server));
  const master = templates.get('master');
  // The provider asks about calls of MCP tools in the middle of its stream, and only the context tells whose they are.
  let isApproveUsed = false;
  return {
    registry,
    pending,
    agents,
    storedAgents,
    agentQuestions,
    effects,
    questions,
    onElicitation: (request) => {
      const caller = ownCaller() ?? callerThatAsked(request);
      if (caller === undefined) {
        questions.tellCancelled(calls.of(request.callIds), request.server, 'several chats or apps may have asked');
        return { action: 'cancel' };
      }
      const answer = questions.ask(caller, request);
      const frame = isInContext() ? currentAgentFrame() : undefined;
      return frame === undefined ? answer : agents.whileWaiting(getSessionId(), frame.agentId, answer);
    },
    transformRequest: hideTools(async (sessionId) => {
      const off = await switches(sessionId);
      return off.length === 0 ? NONE : namesOff(off, await listMcpTools(), registry.ids);
    }),
    approve: (mcpServers) => {
      isApproveUsed = Object.keys(mcpServers).length > 0;
      const approve = createMcpApprove(gate, trustedServers(mcpServers));
      return (call) => {
        const caller = ownCaller();
        if (caller !== undefined) calls.add(caller, call.callId);
        if (typeof caller === 'object')
          caller.signal.addEventListener('abort', () => calls.end(caller), { once: true });
        return approve(call);
      };
    },
    makeAgent: async ({ id, instructions, off = [] }) => {
      const [skills, mcpTools, runBySdk] = await Promise.all([
        listSkills(workspace, guard),
        listMcpToolsOn(off),
        sdkMcpToolsOn(off),
      ]);
      const texts = new Map(skills.map(({ name, text }) => [name, text]));
      const ids = appToolsOn(master?.tools ?? [], off);
      return {
        instructions: buildSystemPrompt({
          template: master?.prompt ?? '',
          now: new Date(),
          workspace,
          tools: [...ids, ...mcpTools.map(({ name }) => name)],
          skills,
          instructions,
        }),
        tools: withMcpTools(registry.buildToolset(ids), runBySdk, registry.ids),
        repair: createToolRepair(registry.schemaOf),
        approvalSecret: createHmac('sha256', options.secret).update(`approvals of ${id}`).digest('base64url'),
        skillText: (name) => skillText(name, texts.get(name) ?? 'It is not there any more.'),
        isContextRead: isApproveUsed,
        describeQuestion: (chunk) => asked.describe(id, chunk),
      };
    },
    endTurn: (sessionId, wasAborted) => {
      if (wasAborted) terminals.stop(sessionId);
      pending.endTurn(sessionId);
      agentQuestions.endTurn(sessionId);
      asked.endTurn(sessionId);
      calls.end(sessionId);
      questions.endTurn(sessionId);
    },
    endChat: async (sessionId) => {
      pending.endChat(sessionId);
      await Promise.all([terminals.endChat(sessionId), browser.browsers.endChat(sessionId)]);
    },
    isInUse: (sessionId) =>
      terminals.isOpen(sessionId) ||
      browser.browsers.find(sessionId) !== undefined ||
      pending.count(sessionId) > 0 ||
      questions.list(sessionId).length > 0,
    close: async () => {
      await Promise.all([terminals.close(), browser.browsers.close()]);
    },
    listSkills: () => listSkills(workspace, guard),
    checkSkills: async (names) => {
      for (const name of names) {
        if ((await readSkill(name, workspace, guard)) === undefined) {
          throw new HttpError(
            404,
            'no_such_skill',
            `Unknown skill "${name}". Skills are in the folder .skills of the workspace.`,
          );
        }
      }
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

/** By its name in a call: with its server in front where a tool of the app has the same. */
function findMcpTool(toolName: string, tools: readonly McpTool[]): McpTool | undefined {
  return (
    tools.find(({ name }) => name === toolName) ??
    tools.find(({ source, originalName }) => `${source}__${originalName}` === toolName)
  );
}

function mcpGrant(toolName: string, tools: readonly McpTool[]): Grant | undefined {
  const found = findMcpTool(toolName, tools);
  return found && { kind: 'mcp', server: found.source, tool: found.originalName };
}
