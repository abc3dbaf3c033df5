import type { ToolSet } from 'ai';
import type { OpenedModel } from 'responses-loop-example-shared/open-model.js';
import { readProjectDoc } from '../config/project-doc.js';
import type { Settings } from '../config/schema.js';
import { type AnswerSchema, createAnswerSchema } from 'responses-loop-example-shared/answer-schema.js';
import { CoderEngine } from './coder-engine.js';
import type { Engine, EngineOptions, SessionFacts } from './engine.js';
import { Hub } from './hub.js';
import { webSearchTool } from '../web-search/web-search.js';
import { instructionsOf } from './instructions.js';
import { newSession, type OpenedSession, resumeSession, startSession } from './open-session.js';
import { attach } from '../attach/attach.js';
import { takesImages } from '../context/known-images.js';
import { ContextWindow } from 'responses-loop-example-shared/context-window.js';
import { modesToGoOn } from '../plan/modes.js';
import { McpCatalog } from '../mcp/catalog.js';
import type { SdkTools } from './turn.js';
import { viewOf } from './engine-view.js';
import { createTools } from './create-tools.js';

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
  const said = `The session cannot be written to disk: ${message}. Work continues, but unsaved events will be lost.`;
  emit(task?.id ?? '', 'error', { code: 'rollout_write_failed', message: said, retryable: false });
}
