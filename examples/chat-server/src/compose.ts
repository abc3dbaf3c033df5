import type { Owners } from 'responses-loop-example-shared/engine/owners.js';
import type { OpenedModel } from 'responses-loop-example-shared/open-model.js';
import { ChatTexts } from './search/chat-texts.js';
import { readAhead } from './search/read-ahead.js';
import type { Sandbox } from 'responses-loop-example-shared/sandbox.js';
import { homeFolder } from 'responses-loop-example-shared/user-folders.js';
import type { GrantStore } from './approval/grants.js';
import { sessionGrants } from './approval/session-grants.js';
import { describeError } from './chat/describe-error.js';
import { AgentService } from './chat/agent-service.js';
import { Commands } from './chat/commands.js';
import { Orchestrator } from './chat/orchestrator.js';
import { getChatModel } from './context/request-context.js';
import { RunningTurns } from './chat/running-turns.js';
import { ChatService } from './chat/service.js';
import type { KeeperParts } from './engine/open-chat-engine.js';
import { KeptInMemory, type TurnKeeper } from './chat/turn-keeper.js';
import { SideService } from './chat/side-service.js';
import type { OpenLoop } from './models/open-provider.js';
import type { ProviderDefinition } from './models/provider-definitions.js';
import { createModelRegistry, type ModelRegistry } from './models/registry.js';
import { findModel } from './models/resolve-chat-model.js';
import { chatsInMemory } from './owners/chats-in-memory.js';
import { keepChats } from './owners/keep-chats.js';
import { MessagePictures } from './pictures/message-pictures.js';
import { ChatQueues } from './queue/chat-queues.js';
import { QueueService } from './queue/queue-service.js';
import { PictureStore } from './pictures/picture-store.js';
import { shortPath } from './short-path.js';
import type { About } from './routes/catalog.js';
import type { ChatStorage } from './store/chat-storage.js';
import { MessageStore } from './store/message-store.js';
import { SessionStore } from './store/session-store.js';
import { type RunTools, sdkTools } from './tools/mcp-tools.js';
import { createToolRuntime, type McpTool, type ToolRuntime, type ToolRuntimeOptions } from './tools/runtime.js';

export interface ComposeOptions {
  /** A real path. */
  readonly workspace: string;
  /** Closed by whoever opened it. */
  readonly storage: ChatStorage;
  /** Of several servers, which has which chat. Absent: this one has all. Closed by whoever opened it. */
  readonly owners?: Owners | undefined;
  readonly closed: ToolRuntimeOptions['closed'];
  readonly graceMs: number;
  /** Absent: sub-agents wait as long as it takes, MCP servers five minutes. */
  readonly approvalTimeoutMs: number | undefined;
  /** Signs what people are asked. */
  readonly secret: string;
  /** Never shown to anybody. */
  readonly secrets: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What commands run in. */
  readonly sandbox: Sandbox;
  readonly runTools: RunTools;
  readonly openModel: (runtime: ToolRuntime) => Promise<OpenedModel>;
  /** Models beside the one that `openModel` opens. */
  readonly definitions: readonly ProviderDefinition[];
  readonly openLoop: (runtime: ToolRuntime) => OpenLoop;
  /** Absent: turns run in this server, and end with it. */
  readonly keeperOf?: ((parts: KeeperParts) => TurnKeeper) | undefined;
  readonly onWarning: (message: string) => void;
  readonly browserRules?: ToolRuntimeOptions['browserRules'];
}

/** The rooms of one server. */
export interface ChatApp {
  readonly sessions: SessionStore;
  readonly messages: MessageStore;
  /** Read ahead for the first search. */
  readonly texts: ChatTexts;
  readonly grants: GrantStore;
  readonly pictures: PictureStore;
  readonly turns: RunningTurns;
  readonly keeper: TurnKeeper;
  readonly models: ModelRegistry;
  readonly runtime: ToolRuntime;
  readonly service: ChatService;
  readonly agentService: AgentService;
  readonly side: SideService;
  readonly queue: QueueService;
  readonly opened: OpenedModel;
  readonly about: About;
  /** What a person reads of an MCP server that did not do what its app asked for. */
  readonly describeAppError: (error: unknown) => string;
  readonly owners: Owners | undefined;
  /** Tools of MCP servers, as far as these can be reached. */
  readonly listMcpTools: () => Promise<readonly McpTool[]>;
  /** Ends turns and MCP servers; what was said is stored by then. */
  close(): Promise<void>;
}

/** Puts the rooms together. @throws SettingsError, if tools, groups, templates or the model's settings do not fit. */
export async function compose(options: ComposeOptions): Promise<ChatApp> {
  const { workspace, storage, owners, closed, secret, secrets, env, onWarning } = options;
  const sessions = new SessionStore({ storage, onWarning });
  const pictures = new PictureStore(storage, (sessionId) => sessions.folderOf(sessionId));
  const messages = new MessageStore({
    storage,
    sessions,
    pictures: new MessagePictures(pictures),
    isOurs: owners && ((sessionId) => owners.isHere(sessionId)),
    onWarning,
  });
  const texts = new ChatTexts(messages);
  const ended = new AbortController();
  const turns = new RunningTurns(options.graceMs, (turn) => {
    runtime.endTurn(turn.sessionId, turn.signal.aborted);
    if (!turn.isLost) queue.turnEnded(turn);
  });
  const queues = new ChatQueues({
    storage,
    folderOf: (sessionId) => sessions.folderOf(sessionId),
    messagesOf: (sessionId) => messages.all(sessionId),
    goesOn: (sessionId) => keeper.goesOn(sessionId),
    onChange: (sessionId, items) =>
      turns.get(sessionId)?.tell({ type: 'data-queue', data: { items }, transient: true }),
    onWarning,
  });
  const grants = sessionGrants(sessions);
  // The model's approvals are the runtime's, and its list of tools has the model's.
  let model: OpenedModel | undefined;
  const listMcpTools = async (): Promise<readonly McpTool[]> => (await model?.provider.listTools()) ?? [];
  const describeAll = (error: unknown): string => describeError(error, secrets).message;
  const runtime = createToolRuntime({
    workspace,
    closed,
    grants,
    switches: async (sessionId) => (await sessions.get(sessionId)).off ?? [],
    store: messages,
    secret,
    approvalTimeoutMs: options.approvalTimeoutMs,
    isTurnRunning: (sessionId) => turns.get(sessionId) !== undefined,
    onQuestions: (sessionId, items) =>
      turns.get(sessionId)?.push({ type: 'data-questions', data: { items }, transient: true }),
    onWarning,
    listMcpTools,
    sdkMcpTools: async () => {
      const isRunBySdk = options.runTools === 'sdk' || !getChatModel().runsMcpTools;
      return isRunBySdk && model ? sdkTools(model.provider) : {};
    },
    findModel: (id) => findModel(models, id),
    describeError: describeAll,
    pictures,
    env,
    sandbox: options.sandbox,
    browserRules: options.browserRules,
  });
  const opened = await options.openModel(runtime);
  model = opened;
  const { provider, stockProvider = provider, model: defaultModel, server } = opened;
  const { definitions } = options;
  const openLoop = options.openLoop(runtime);
  const modelLabel = opened.isStandIn ? 'Demo model' : defaultModel;
  const models = createModelRegistry({
    provider,
    stockProvider,
    defaultModel,
    defaultLabel: modelLabel,
    server,
    definitions,
    env,
    openLoop,
  });
  const makeAgent: ToolRuntime['makeAgent'] = (session) => runtime.makeAgent(session);
  const finishAgents: ToolRuntime['agents']['finishCalls'] = (...calls) => runtime.agents.finishCalls(...calls);
  const turnOptions = { messages, sessions, queues, workspace, secrets, onWarning };
  const orchestrator = new Orchestrator({ ...turnOptions, makeAgent, finishAgents });
  const claim = async (sessionId: string): Promise<boolean> => (await owners?.claim(sessionId)) ?? true;
  const keeper: TurnKeeper =
    options.keeperOf?.({ sessions, messages, models, turns, orchestrator, secrets, claim }) ??
    new KeptInMemory(turns, orchestrator);
  const service = new ChatService({ sessions, messages, models, turns, keeper, queues, runtime });
  const agentService = new AgentService({ sessions, messages, models, service, runtime });
  const queue = new QueueService({ queues, sessions, messages, turns, service, describeError: describeAll });
  const commands = new Commands({ sessions, messages, runtime, workspace });
  const isAsking = async (sessionId: string): Promise<boolean> =>
    (await queue.isAsking(sessionId)) || (await agentService.countOpen(sessionId)) > 0;
  const side = new SideService({ sessions, models, turns, commands, workspace, secrets, isAsking });
  const stopKeeping = owners && keepChats(owners, chatsInMemory({ turns, queues, messages, runtime }));
  const close = async (): Promise<void> => {
    ended.abort();
    stopKeeping?.();
    await keeper.close();
    await turns.close();
    await runtime.close();
    await Promise.all([sessions.idle(), messages.idle(), queues.idle()]);
    await models.close();
    await opened.close();
  };
  void readAhead(sessions, texts, ended.signal);
  const about: About = {
    folder: shortPath(workspace, homeFolder(env)),
    isSandboxed: options.sandbox.isOn,
    model: modelLabel,
    isDemo: opened.isStandIn,
  };
  return {
    sessions,
    messages,
    texts,
    grants,
    pictures,
    turns,
    keeper,
    models,
    runtime,
    service,
    agentService,
    side,
    queue,
    opened,
    about,
    describeAppError: describeAll,
    owners,
    listMcpTools,
    close,
  };
}
