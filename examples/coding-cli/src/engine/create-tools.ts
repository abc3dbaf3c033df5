import { homedir } from 'node:os';
import { createPathGuard } from 'responses-loop-example-shared/path-guard.js';
import { TerminalSessions } from 'responses-loop-example-shared/terminal-sessions.js';
import { webFetch } from 'responses-loop-example-shared/web-fetch.js';
import { openPermissions } from '../approval/permissions-file.js';
import { decide } from '../approval/policy.js';
import { printRule } from '../approval/rules.js';
import type { PolicyContext } from '../approval/types.js';
import { createCheckpoints } from '../files/checkpoints.js';
import { createReadStamps } from '../files/read-stamps.js';
import type { SessionPlace } from '../rollout/place.js';
import type { ToolReport } from '../tools/context.js';
import { createToolRegistry, type ToolRegistry } from '../tools/registry.js';
import { Approvals } from './approvals.js';
import type { EngineOptions } from './engine.js';
import { Hub } from './hub.js';
import { SERVER, titleOfSearch } from '../web-search/web-search.js';
import { isolationOf } from './isolation.js';
import { LIMITS } from './limits.js';
import { OpenTools } from './open-tools.js';
import { Outputs } from './outputs.js';
import { Rules } from './rules.js';
import { Commands, shownArguments } from '../custom/commands.js';
import { skillTool } from '../custom/skill-tool.js';
import { Texts } from '../custom/texts.js';
import { Hooks } from '../hooks/hooks.js';
import { createOutputStore } from '../context/output-store.js';
import { exploreTool } from '../explore/explore-tool.js';
import { SubAgents } from '../explore/sub-agents.js';
import type { Mode } from '../protocol/settings.js';
import { Elicitations } from '../mcp/elicitations.js';
import { Modes } from '../plan/modes.js';
import { Plans } from '../plan/plans.js';
import { presentPlan } from '../plan/present-plan.js';
import { ToolEvents } from './tool-events.js';
import { TurnOfCall } from './turn-of-call.js';

/** Tools, and who may run them. */
export function createTools(
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
