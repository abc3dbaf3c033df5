import type { Call } from '../core/call.js';
import type { Turn } from '../core/entry.js';
import type { EarlierAttempt } from '../loop/call-plugin.js';
import type { ApprovalHistory } from '../loop/read-approvals.js';
import { knownFunctionOptions } from '../request/vendors.js';
import type { ModelSettings } from '../settings/model-settings.js';
import type { OpeningCall, Toolset, ToolsetOptions } from '../tools/loop-tool.js';
import { withOpened } from '../tools/open-tools.js';
import { chooseByNames, narrowToolset } from '../tools/narrow-toolset.js';
import { raceAbort } from '../util/abort.js';
import { type ChosenTools, withTools } from './check-choice.js';
import type { CallEnds, Chosen } from './engine.js';
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
}

/** The tools of a provider. */
export interface AllTools {
  readonly registry: KnownRegistry;
  readonly toolsets: FixedToolsetOptions;
  readonly runners: ToolRunners;
}

/** Returns the call with the tools that it offers the model, among them those that its history has opened. */
export async function chooseTools(wanted: EquippableCall, all: AllTools): Promise<ChosenTools> {
  const chosen = await offeredTools(wanted, all);
  const { toolset } = chosen;
  if (toolset.opens === undefined) return chosen;
  return { ...chosen, toolset: await withOpened(toolset, answeredIn(wanted.history.turns)) };
}

function answeredIn(turns: readonly Turn[]): readonly OpeningCall[] {
  const entries = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.entries : []));
  return entries.flatMap((entry) =>
    entry.type === 'call' && entry.output !== undefined ? [{ call: entry.call, output: entry.output }] : [],
  );
}

async function offeredTools(wanted: EquippableCall, all: AllTools): Promise<ChosenTools> {
  const { call, chosen, modelId, model } = wanted;
  if (all.registry.isEmpty) return withTools(call, NO_TOOLS);
  // With `toolChoice: none` the AI SDK takes any call of ours for a violation.
  if (call.toolChoice.type === 'none' || !all.runners.inLoop(call, model.loop.runTools))
    return withoutLoopTools(wanted, all);
  // Another source is given the tools of the loop as plain functions.
  const known =
    chosen.openSource === undefined ? knownFunctionOptions(modelId, model.endpoint.profile) : new Set<never>();
  const offered = await toolsFor(wanted, all, known);
  if (call.declaredLoopTools.length === 0) return withTools(call, offered);
  // A call that brings stubs offers those tools. What the user has allowed runs, whatever this call brings.
  const declared = new Set(call.declaredLoopTools);
  return {
    ...withTools(
      call,
      narrowToolset(offered, (name) => declared.has(name)),
    ),
    resumeToolset: offered,
  };
}

/** A tool that the user has allowed runs all the same. Servers instruct the model also if the AI SDK runs their tools. */
async function withoutLoopTools(wanted: EquippableCall, all: AllTools): Promise<ChosenTools> {
  const { call, history } = wanted;
  const isAllowed = history.allowed.length > 0;
  const runsInSdk = call.sdkRunTools.length > 0;
  if (!isAllowed && !runsInSdk) return withTools(call, NO_TOOLS);
  const known = await toolsFor(wanted, all);
  const { instructions, warnings } = known;
  const without = withTools(call, runsInSdk ? { ...NO_TOOLS, instructions, warnings } : NO_TOOLS);
  return isAllowed ? { ...without, resumeToolset: known } : without;
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
