import { homedir } from 'node:os';
import type { ToolSet } from 'ai';
import type { OpenedModel } from 'responses-loop-example-shared/open-model.js';
import { createPathGuard } from 'responses-loop-example-shared/path-guard.js';
import { TerminalSessions } from 'responses-loop-example-shared/terminal-sessions.js';
import { webFetch } from 'responses-loop-example-shared/web-fetch.js';
import { openPermissions } from '../approval/permissions-file.js';
import { decide } from '../approval/policy.js';
import { printRule } from '../approval/rules.js';
import type { PolicyContext } from '../approval/types.js';
import { readProjectDoc } from '../config/project-doc.js';
import type { Settings } from '../config/schema.js';
import { createCheckpoints } from '../files/checkpoints.js';
import { createReadStamps } from '../files/read-stamps.js';
import type { SessionPlace } from '../rollout/place.js';
import type { ToolReport } from '../tools/context.js';
import { createToolRegistry, type ToolRegistry } from '../tools/registry.js';
import { type AnswerSchema, createAnswerSchema } from 'responses-loop-example-shared/answer-schema.js';
import { Approvals } from './approvals.js';
import { CoderEngine } from './coder-engine.js';
import type { Engine, EngineOptions, SessionFacts } from './engine.js';
import { Hub } from './hub.js';
import { SERVER, titleOfSearch, webSearchTool } from '../web-search/web-search.js';
import { instructionsOf } from './instructions.js';
import { isolationOf } from './isolation.js';
import { LIMITS } from './limits.js';
import { newSession, type OpenedSession, resumeSession, startSession } from './open-session.js';
import { OpenTools } from './open-tools.js';
import { Outputs } from './outputs.js';
import { Rules } from './rules.js';
import { Commands, shownArguments } from '../custom/commands.js';
import { skillTool } from '../custom/skill-tool.js';
import { Texts } from '../custom/texts.js';
import { Hooks } from '../hooks/hooks.js';
import { attach } from '../attach/attach.js';
import { takesImages } from '../context/known-images.js';
import { ContextWindow } from 'responses-loop-example-shared/context-window.js';
import { createOutputStore } from '../context/output-store.js';
import { exploreTool } from '../explore/explore-tool.js';
import { SubAgents } from '../explore/sub-agents.js';
import type { Mode } from '../protocol/settings.js';
import { McpCatalog } from '../mcp/catalog.js';
import { Elicitations } from '../mcp/elicitations.js';
import { Modes, modesToGoOn } from '../plan/modes.js';
import { Plans } from '../plan/plans.js';
import { presentPlan } from '../plan/present-plan.js';
import { ToolEvents } from './tool-events.js';
import type { SdkTools } from './turn.js';
import { TurnOfCall } from './turn-of-call.js';
import { viewOf } from './engine-view.js';

/**
 * An engine that can work. Its first event is `session_configured`.
 *
 * @throws SettingsError if a setting cannot be right, SessionLockedError if another process has the session.
 */
export async function createEngine(given: EngineOptions): Promise<Engine> {
  const { settings, resume, outputSchema } = given;
  const answer = outputSchema === undefined ? undefined : createAnswerSchema(outputSchema, '--output-schema');
  const hub = new Hub();
  const onError = (error: Error): void => reportUnwritten(hub, error);
  const resumed = resume && (await resumeSession(resume, { settings, model: settings.model ?? 'unknown', onError }));
  const options = resumed === undefined ? given : { ...given, settings: settingsToGoOn(given, resumed) };
  let opened: OpenedModel | undefined;
  try {
    const draft = newSession(settings.dataDir);
    const tools = createTools(hub, options, resume ?? draft);
    opened = await options.openModel(tools.providerSettings);
    tools.subAgents.opened = opened;
    const hosted = settings.webSearch ? webSearchTool(opened) : undefined;
    const started = resumed ?? (await startSession(draft, { settings, model: opened.model, onError }));
    const outdated = await tools.rules.nameOutdated();
    return assemble(hub, options, { tools, opened, started, answer, outdated, hosted });
  } catch (error) {
    await opened?.close().catch(() => {}); // What was wrong before is the error.
    resumed?.release();
    throw error;
  }
}

function settingsToGoOn(
  { settings, named = [], isHeadless = false }: EngineOptions,
  { left }: OpenedSession,
): Settings {
  return { ...settings, ...modesToGoOn(settings, { left, named, isHeadless }) };
}

interface Opened {
  readonly tools: ReturnType<typeof createTools>;
  readonly opened: OpenedModel;
  readonly started: OpenedSession;
  readonly answer: AnswerSchema | undefined;
  readonly outdated: string | undefined;
  readonly hosted: ToolSet | undefined;
}

function assemble(hub: Hub, options: EngineOptions, given: Opened): Engine {
  const { tools, opened, started, answer, outdated, hosted } = given;
  const { settings } = options;
  const { session, rollout } = started;
  hub.session = session;
  const { isolation } = tools;
  const names = [...tools.names, ...Object.keys(hosted ?? {})];
  const { contextWindow: set, compactAt } = settings;
  const contextWindow = new ContextWindow({ set, compactAt, model: opened.model, server: opened.server });
  const takes = takesImages(opened.model, settings.images);
  const mcp = new McpCatalog(hub, (server) => opened.provider.mcpClient(server));
  const facts = factsOf(started, options, { model: opened.model, provider: opened.label, tools: names, isolation });
  hub.emit('', 'session_configured', facts);
  for (const message of started.warnings) hub.emit('', 'warning', { code: 'rollout_damaged', message });
  if (outdated !== undefined) hub.emit('', 'warning', { code: 'rule_outdated', message: outdated });
  // Servers are started while the user still writes; what comes of it is an event.
  if (settings.mcpConfig !== undefined) void opened.provider.tools().catch(() => {});
  return new CoderEngine({
    ...tools,
    facts,
    hub,
    session,
    opened,
    answer,
    contextWindow,
    attach: (op) =>
      attach(op, {
        cwd: settings.workspace,
        images: started.place.images,
        model: opened.model,
        takesImages: takes,
        readResource: (resource) => mcp.read(resource),
        onWarning: (code, message) => hub.emit(hub.task?.id ?? '', 'warning', { code, message }),
      }),
    hosted,
    sdkTools: options.runTools === 'sdk' ? sdkTools(opened, settings.maxTurns) : undefined,
    system: instructionsOf(settings, isolation, settings.projectDoc ? readProjectDoc(settings.workspace) : ''),
    view: viewOf(hub, started, tools, { settings, contextWindow, models: opened.models, takesImages: takes, mcp }),
    isKept: () => rollout.isWhole,
    release: async () => {
      await Promise.all([opened.close(), tools.terminals.close()]).finally(started.release);
    },
  });
}

function sdkTools({ provider }: OpenedModel, maxTurns: number): () => Promise<SdkTools> {
  return async () => ({ tools: await provider.tools({ runBy: 'sdk' }), maxTurns });
}

/** Tools, and who may run them. */
function createTools(
  hub: Hub,
  options: EngineOptions,
  { id, place }: { readonly id: string; readonly place: SessionPlace },
) {
  const { settings, isHeadless = false, approvalTimeoutMs } = options;
  const { workspace: cwd, configDir, dataDir, sandbox } = settings;
  const modes = new Modes(hub, settings);
  const plans = new Plans({ hub, modes, isHeadless, timeoutMs: approvalTimeoutMs });
  const rules = new Rules(openPermissions(configDir, cwd), settings.allow);
  const guard = createPathGuard({
    roots: [cwd, ...settings.addDirs],
    readable: [place.outputs],
    closed: [configDir, dataDir],
    isUnlimited: sandbox === 'danger_full_access',
  });
  const home = homedir();
  const isolation = isolationOf(settings, { home, outputs: place.outputs });
  const checkpoints = createCheckpoints(place.before);
  const terminals = new TerminalSessions();
  const turnOfCall = new TurnOfCall();
  const { toolsOff } = settings;
  const subAgents = new SubAgents({ workspace: cwd, toolsOff, approve: (call) => approvals.approveReading(call) });
  const texts = new Texts({ configDir, workspace: cwd });
  const skills = skillTool(texts);
  const elicitations = new Elicitations({ hub, isHeadless, timeoutMs: approvalTimeoutMs });
  const registry: ToolRegistry = createToolRegistry({
    sessionId: id,
    messageId: () => `${id}-${hub.session?.lastTurn ?? 0}`,
    cwd,
    extra: {
      guard,
      stamps: createReadStamps(),
      checkpoints,
      outputsDir: place.outputs,
      protectedDirs: [configDir, dataDir],
      sandbox,
      isolation,
      terminals,
      webFetch,
      home,
      env: process.env,
      ignore: settings.ignore,
      fileToolMs: LIMITS.fileToolMs,
    },
    hooks: new Hooks(settings.afterEdit, (command, why) =>
      hub.emit(hub.task?.id ?? '', 'warning', { code: 'hook_failed', message: `${command}: ${why}` }),
    ),
    more: [
      presentPlan(plans),
      exploreTool(subAgents),
      ...(skills === undefined ? [] : [skills]),
      ...(options.tools ?? []),
    ],
    off: toolsOff,
    onReport: (callId, report) => onReport(callId, report),
  });
  const toolEvents = new ToolEvents(hub, (source, tool, input) =>
    source === 'local' ? registry.title(tool, input) : source === SERVER ? titleOfSearch(input) : `${source}/${tool}`,
  );
  const onReport = (callId: string, report: ToolReport): void => {
    if (report.type !== 'file_change') return toolEvents.report(callId, report);
    hub.session?.addChange({ turn: turnOfCall.get(callId), ...report.change });
  };
  const commands = new Commands(texts, (call) => approvals.approve(call));
  const ownReaders = options.tools?.filter(({ readOnly }) => readOnly).map(({ name }) => name);
  const policy = (mode: Mode): PolicyContext => ({
    ownReaders,
    approval: modes.approval,
    mode,
    sandbox,
    cwd,
    guard,
    home,
    rules: rules.all,
    isolation,
    terminals,
    protectedDirs: [configDir, dataDir],
    trustedMcp: settings.trustedMcp,
    textOf: (kind, name, callId) => texts.of(kind, name, callId),
  });
  const approvals = new Approvals({
    hub,
    plans,
    judge: (call, mode = modes.mode) => decide(call, policy(mode)),
    allow: (rule, scope) => rules.allow(rule, scope),
    open: (callId, paths) => registry.allow(callId, paths),
    judgeAgain: (callId, judge) => registry.judgeAgain(callId, judge),
    printRule,
    preview: (tool, input) => registry.preview(tool, input),
    holdTo: (callId, fingerprint) => registry.holdTo(callId, fingerprint),
    shownArguments: (call) => shownArguments(call, texts),
    folderOf: (workdir) => guard.resolve(workdir, cwd).path,
    isHeadless,
    timeoutMs: approvalTimeoutMs,
  });
  const openTools = new OpenTools();
  const outputs = new Outputs(() => hub.session?.newestParts() ?? []);
  const providerTools = openTools.watch(registry.toProviderTools(), {
    onStart: (callId) => turnOfCall.start(callId, hub.session?.lastTurn ?? 1),
    onOutput: (callId, output) => outputs.keep(callId, output),
  });
  const providerSettings = {
    tools: providerTools,
    prepareRound: () => ({ addMessages: hub.takeSteered() }),
    approve: approvals.approve,
    onElicitation: elicitations.ask,
    onEvent: (event: Parameters<ToolEvents['observe']>[0]) => toolEvents.observe(event),
    outputs: createOutputStore(place.outputs),
    maxRounds: settings.maxTurns,
    ...(settings.timeoutMs === undefined
      ? {}
      : { timeouts: { headersMs: settings.timeoutMs, idleMs: settings.timeoutMs } }),
  };
  const names = registry.tools.map(({ name }) => name);
  return {
    rules,
    guard,
    checkpoints,
    approvals,
    elicitations,
    commands,
    subAgents,
    plans,
    modes,
    toolEvents,
    openTools,
    terminals,
    outputs,
    providerSettings,
    bash: providerTools['bash'],
    judgeCommand: (command: string) =>
      decide({ tool: 'bash', source: 'local', arguments: { command }, isReadOnly: false }, policy('work')),
    names,
    isolation: isolation.label,
  };
}

function factsOf(
  { session, place, isResumed }: OpenedSession,
  { settings: { workspace, approval, mode, sandbox } }: EngineOptions,
  named: Pick<SessionFacts, 'model' | 'provider' | 'tools' | 'isolation'>,
): SessionFacts {
  return {
    session_id: session.meta.id,
    cwd: workspace,
    ...named,
    approval,
    mode,
    sandbox,
    resumed: isResumed,
    rollout_path: place.rollout,
  };
}

function reportUnwritten({ emit, task }: Hub, { message }: Error): void {
  const said = `The session cannot be written to disk: ${message}. The work goes on, but what is not written will be lost.`;
  emit(task?.id ?? '', 'error', { code: 'rollout_write_failed', message: said, retryable: false });
}
