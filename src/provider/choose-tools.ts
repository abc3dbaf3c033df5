import type { Call } from '../core/call.js';
import { clean } from '../core/clean-text.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { Turn } from '../core/entry.js';
import { isJsonObject } from '../core/json.js';
import { wireNameOf } from '../core/tool.js';
import type { EarlierAttempt } from '../loop/call-plugin.js';
import type { Observer } from '../observe/event.js';
import type { ApprovalHistory } from '../loop/read-approvals.js';
import { knownFunctionOptions } from '../request/vendors.js';
import type { ModelSettings } from '../settings/model-settings.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';
import type { OpeningCall, Toolset, ToolsetOptions } from '../tools/loop-tool.js';
import { alsoOpening, withMore, withNamed, withOpened } from '../tools/open-tools.js';
import { chooseByNames, narrowToolset } from '../tools/narrow-toolset.js';
import { raceAbort } from '../util/abort.js';
import { limitsOf } from '../settings/model-limits.js';
import { type ChosenTools, withTools } from './check-choice.js';
import { type CutOutputs, isCut } from './cut-outputs.js';
import type { CallEnds, Chosen } from './engine.js';
import type { Rings } from './rings.js';
import type { ToolRunners } from './tool-runners.js';
import { type FixedToolsetOptions, type KnownRegistry, NO_TOOLS } from './toolset.js';

/** A call that wants tools. */
export interface EquippableCall {
  readonly call: Call;
  readonly modelId: string;
  readonly model: ModelSettings;
  readonly history: ApprovalHistory;
  readonly attempt: EarlierAttempt | undefined;
  readonly chosen: Chosen;
  readonly ends: CallEnds;
  readonly observer: Observer | undefined;
}

/** The tools of a provider. */
export interface AllTools {
  readonly registry: KnownRegistry;
  readonly toolsets: FixedToolsetOptions;
  readonly runners: ToolRunners;
  readonly settings: ResponsesProviderSettings;
  readonly rings: Pick<Rings, 'searching'>;
  readonly outputs: CutOutputs;
}

/** Returns the call with the tools that it offers the model, and a way to read outputs that are cut. */
export async function chooseTools(wanted: EquippableCall, all: AllTools): Promise<ChosenTools> {
  const chosen = await offeredTools(wanted, all);
  const { toolset, resumeToolset = toolset } = chosen;
  if (resumeToolset.tools.length === 0) return withoutLate(chosen, wanted, all);
  const { observer, model, history } = wanted;
  const { keepOutput, tool } = all.outputs.reader({
    names: namesIn(chosen.call, resumeToolset),
    limits: limitsOf(model),
    observer,
  });
  // A loop without tools has no outputs to read.
  if (toolset.tools.length === 0) return withoutLate({ ...chosen, keepOutput }, wanted, all);
  const reading = alsoOpening(toolset, async (calls) => (calls.some(isCut) ? [await tool()] : []));
  const known = isCutAtServer(wanted, all) ? withMore(reading, [await tool()]) : reading;
  return { ...chosen, keepOutput, toolset: await withOpened(known, answeredIn(history.turns)) };
}

/** Returns the names that tools of this package must not use. */
function namesIn({ clientTools, hostedTools }: Call, { byWireName }: Toolset): readonly string[] {
  const others = [...byWireName].filter(([, { source }]) => source.kind !== 'own').map(([name]) => name);
  return [...others, ...clientTools.map(({ name }) => name), ...hostedTools.map(wireNameOf)];
}

/** Whether a part of the conversation that only the server has may contain a cut output. */
function isCutAtServer({ call: { options } }: EquippableCall, { outputs }: AllTools): boolean {
  return outputs.mayHaveKept && (options['previousResponseId'] ?? options['conversation'] ?? undefined) !== undefined;
}

/** Returns the call without tools of the AI SDK that its history has not opened. */
function withoutLate(chosen: ChosenTools, wanted: EquippableCall, all: AllTools): ChosenTools {
  const { lateTools } = wanted.call;
  if (lateTools.length === 0 || isCutAtServer(wanted, all) || answeredIn(wanted.history.turns).some(isCut))
    return chosen;
  const { call } = chosen;
  const clientTools = call.clientTools.filter(({ name }) => !lateTools.includes(name));
  return { ...chosen, call: { ...call, clientTools } };
}

async function offeredTools(wanted: EquippableCall, all: AllTools): Promise<ChosenTools> {
  const { call, chosen, modelId, model } = wanted;
  if (all.registry.isEmpty) return withTools(call, NO_TOOLS);
  if (call.sdkRunTools.length > 0) checkGuards(model, all.settings);
  const inLoop = all.runners.inLoop(call, model.loop.runTools);
  // With `toolChoice: none` the AI SDK treats any call of ours as a violation.
  if (call.toolChoice.type === 'none' || !inLoop)
    return withoutLoopTools(wanted, all, { resumes: inLoop || all.settings.historySecret !== undefined });
  // Another source gets the tools of the loop as plain functions.
  const known =
    chosen.openSource === undefined ? knownFunctionOptions(modelId, model.endpoint.profile) : new Set<never>();
  const searches = known.has('deferLoading');
  const allowed = await toolsFor(wanted, all, searches ? known : new Set([...known, 'deferLoading'] as const));
  // A call with stubs offers those tools. An allowed call runs in any case.
  const declared = new Set(call.declaredLoopTools);
  const chosenTools = declared.size === 0 ? allowed : narrowToolset(allowed, (name) => declared.has(name));
  const toolset = searches ? chosenTools : await openedOf(wanted, chosenTools, all.rings);
  if (toolset === allowed) return withTools(call, allowed);
  const own = toolset.tools.filter(({ source }) => source.kind === 'own');
  return { ...withTools(call, toolset), resumeToolset: withMore(allowed, own) };
}

/** Returns the toolset with a search in place of deferred tools, and with those of them that the call opens. */
async function openedOf(
  { call, history, attempt, ends }: EquippableCall,
  toolset: Toolset,
  rings: AllTools['rings'],
): Promise<Toolset> {
  const loading = rings.searching(toolset);
  if (loading === undefined) return toolset;
  const search = await raceAbort(loading, ends.any);
  const clientNames = [...call.clientTools.map((tool) => tool.name), ...call.hostedTools.map(wireNameOf)];
  const kept = await search.keepBack(toolset, { clientNames, goesOn: attempt !== undefined });
  return withNamed(await withOpened(kept, answeredIn(history.turns)), namedBy(call));
}

/** Returns the names of the tools that a call forces or allows. */
function namedBy({ toolChoice, options: { allowedTools } }: Call): readonly string[] {
  const listed = isJsonObject(allowedTools) ? allowedTools['toolNames'] : undefined;
  const allowed = Array.isArray(listed) ? listed.filter((name) => typeof name === 'string') : [];
  return toolChoice.type === 'tool' ? [toolChoice.name, ...allowed] : allowed;
}

function answeredIn(turns: readonly Turn[]): readonly OpeningCall[] {
  const entries = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.entries : []));
  return entries.flatMap((entry) =>
    entry.type === 'call' && entry.output !== undefined ? [{ call: entry.call, output: entry.output }] : [],
  );
}

/**
 * Returns a call that offers no tool of the loop. Servers instruct the model even if the AI SDK runs their tools.
 * `resumes`: a tool that the user has allowed still runs.
 */
async function withoutLoopTools(
  wanted: EquippableCall,
  all: AllTools,
  { resumes }: { readonly resumes: boolean },
): Promise<ChosenTools> {
  const { call, history } = wanted;
  const isAllowed = history.allowed.length > 0;
  const refused = isAllowed && !resumes ? [UNSIGNED] : [];
  const runsInSdk = call.sdkRunTools.length > 0;
  if (!runsInSdk && (!isAllowed || !resumes)) return withTools(call, { ...NO_TOOLS, warnings: refused });
  const known = await toolsFor(wanted, all);
  const ofSdk = runsInSdk ? narrowSdkTools(wanted, known) : { call, warnings: [] };
  const { instructions, warnings } = runsInSdk ? known : NO_TOOLS;
  const told = { ...NO_TOOLS, instructions, warnings: [...warnings, ...ofSdk.warnings, ...refused] };
  const without = withTools(ofSdk.call, told);
  return isAllowed && resumes ? { ...without, resumeToolset: known } : without;
}

/** Settings that withhold tools or data. */
const GUARDS = ['approve', 'redactToolOutput'] as const;

/**
 * Tools that the AI SDK runs have no model, so they use the guards of the provider.
 *
 * @throws ResponsesLoopError `invalid-options`: a guard of the model that would not run
 */
function checkGuards({ loop }: ModelSettings, settings: ResponsesProviderSettings): void {
  const name = GUARDS.find((guard) => loop[guard] !== undefined && loop[guard] !== settings[guard]);
  if (name === undefined) return;
  const message = clean`The AI SDK runs the tools of this call, so "${name}" of the model would not be called. Set it on the provider, or pass the tools of provider.tools().`;
  throw new ResponsesLoopError({ code: 'invalid-options', message });
}

/** Controls of the AI SDK do not affect tools of the loop, so a client could bypass them by an approval. */
const UNSIGNED =
  'The prompt contains an approval from the loop, but the AI SDK runs the tools, so the call did not run. Set `historySecret`, which proves the approval.';

/** Omits tools that the AI SDK runs, but the settings of the model do not offer. */
function narrowSdkTools(
  { call, model: { offered } }: EquippableCall,
  { byWireName }: Toolset,
): { readonly call: Call; readonly warnings: readonly string[] } {
  const ofApp = call.sdkRunTools.filter((name) => !call.lateTools.includes(name));
  const leftOut = new Set(offered === undefined ? [] : ofApp.filter((name) => !byWireName.has(name)));
  if (leftOut.size === 0) return { call, warnings: [] };
  const clientTools = call.clientTools.filter(({ name }) => !leftOut.has(name));
  const names = [...leftOut].map((name) => `"${name}"`).join(', ');
  const warning = `"toolNames" and "servers" leave out tools that the AI SDK was given to run: ${names}.`;
  return { call: { ...call, clientTools }, warnings: [warning] };
}

/** Returns the tools that the settings of the model and the call allow. */
async function toolsFor(
  { call, ends, attempt, model: { offered } }: EquippableCall,
  { registry, toolsets }: AllTools,
  knownOptions?: ToolsetOptions['knownOptions'],
): Promise<Toolset> {
  const ours = new Set(call.sdkRunTools);
  const clientNames = call.clientTools.map((tool) => tool.name).filter((name) => !ours.has(name));
  const servers = offered?.servers;
  const wanted = registry.toolset({ clientNames, ...toolsets, knownOptions, servers, signal: ends.any });
  const live = await raceAbort(wanted, ends.any);
  const there = attempt === undefined ? live : attempt.toolset(live);
  return offered === undefined || offered.names.length === 0 ? there : chooseByNames(there, offered.names);
}
