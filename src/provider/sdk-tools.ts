import type { JsonObject, JsonValue } from '../core/json.js';
import { outputText, textOutput, type ToolOutput } from '../core/message.js';
import type { ToolArguments } from '../core/tool.js';
import { providerClosed } from '../errors/provider-closed.js';
import type { Redactor } from '../observe/redactor.js';
import type { ModelLimits } from '../settings/model-settings.js';
import { METADATA_KEY } from '../sdk/parts/metadata.js';
import { shownContent } from '../sdk/parts/to-result.js';
import { VERSIONS, type VersionName } from '../sdk/parts/versions.js';
import { askPermission, type Approve, type Permission } from '../tools/call/approval.js';
import type { CallScope } from '../tools/call/call-scope.js';
import { executeToolCall } from '../tools/call/execute-tool-call.js';
import { gapOf, limitOutput, limitsOfTool } from '../tools/call/limit-output.js';
import { progressOutput } from '../tools/call/run-limits.js';
import type { LoopTool, Toolset } from '../tools/loop-tool.js';
import { type AbortLike, followAbort } from '../util/abort.js';
import { asRecord, asString } from '../util/guards.js';
import type { CutOutputs } from './cut-outputs.js';
import { isAllowed } from './sdk-approvals.js';
import { LatestStep, leaveable } from './sdk-steps.js';
import { stubOf, type ToolStub } from './tool-stubs.js';

/** Tools by name, for `streamText` and `generateText`. The AI SDK runs them. */
export type SdkTools = Record<string, SdkTool>;

// oxlint-disable-next-line typescript/no-explicit-any -- each major of the AI SDK declares other types for what it passes
type OfAnySdk = any;

/** A tool of ours that the AI SDK runs, with the connection, checks, limits and events of the loop. */
export interface SdkTool extends Omit<ToolStub, 'providerOptions'> {
  /** Yields progress, and the result as the last value. Throws the tool's error for the model. */
  execute(input: OfAnySdk, options: OfAnySdk): AsyncIterable<OfAnySdk>;
  /** Converts a result for the model. */
  toModelOutput(result: OfAnySdk): OfAnySdk;
  /** AI SDK 6 and later ask before a run. AI SDK 5 cannot, so it denies tools that need approval. */
  needsApproval(input: OfAnySdk, options: OfAnySdk): Promise<boolean>;
  /** Marks a tool that the AI SDK runs for this provider. */
  providerOptions: { 'responses-loop': { runBy: 'sdk' } };
}

/** The shared state of all runs. */
export interface SdkToolHost {
  /** Without the number of a call, because the AI SDK runs tools between calls. */
  readonly scope: Omit<CallScope, 'callNumber'> & { readonly limits: ModelLimits; readonly redactor: Redactor };
  readonly outputs: CutOutputs;
  /** The end of the provider. */
  readonly closed: AbortLike;
  /** The version of the AI SDK, which decides the form of files in results. */
  readonly version: VersionName;
}

export async function createSdkTools(toolset: Toolset, host: SdkToolHost): Promise<SdkTools> {
  if (toolset.tools.length === 0) return {};
  const { keepOutput, tool: reader } = host.outputs.reader({ names: toolset.byWireName.keys(), ...host.scope });
  const reads = { ...host, scope: { ...host.scope, keepOutput } };
  const late = await reader();
  return Object.fromEntries(
    [...toolset.tools, late].map((tool): [string, SdkTool] => [
      tool.declaration.name,
      new ToolForSdk(tool, reads).tool({ isLate: tool === late }),
    ]),
  );
}

/** Events of runs outside of a call of the model have this number; those of calls count from 1. */
const NO_CALL = 0;

class ToolForSdk {
  readonly #tool: LoopTool;
  readonly #host: SdkToolHost;
  readonly #scope: CallScope;
  /** Outputs by their shown results. A result that is an object may show less than the model reads. */
  readonly #outputs = new WeakMap<object, ToolOutput>();
  /**
   * Decisions of `approve` that wait for their run, by the messages of their step, then by id and arguments of the
   * call. The messages tell chats apart, because servers repeat ids in several chats.
   */
  readonly #decided = new WeakMap<object, Map<string, Permission | undefined>>();

  constructor(tool: LoopTool, host: SdkToolHost) {
    this.#tool = tool;
    this.#host = host;
    this.#scope = { ...host.scope, callNumber: NO_CALL };
  }

  /** `isLate`: offered once the history has opened it. */
  tool({ isLate }: { isLate: boolean }): SdkTool {
    const { name: _name, description: _description, inputSchema: _schema, ...options } = this.#tool.declaration;
    return {
      ...stubOf(this.#tool),
      execute: (input, options_) => leaveable((left) => this.#execute(input, readOptions(options_), left)),
      toModelOutput: (given) => this.#toModelOutput(given),
      needsApproval: (input, options_) => this.#needsApproval(input, readOptions(options_)),
      providerOptions: { [METADATA_KEY]: { runBy: 'sdk', ...options, ...(isLate && { isLate }) } },
    };
  }

  async #needsApproval(input: unknown, { callId, abortSignal, messages }: RunOptions): Promise<boolean> {
    const { approve } = this.#scope;
    const { tool } = this.#tool;
    // AI SDK 6 denies an allowed call that no longer needs approval. The run calls `approve` again.
    if (isAllowed(messages, callId, argumentsOf(input))) return true;
    // The run names the problem.
    if (this.#host.closed.aborted) return false;
    if (approve === undefined && tool.needsApproval === undefined) return false;
    const args = argumentsOf(input);
    // A call that cannot run needs no approval; the run names the problem.
    if ((await tool.checkArguments?.(args)) !== undefined) return false;
    const { controller, release } = followAbort(this.#host.closed, abortSignal);
    try {
      const asked = { tool: this.#tool, callId, arguments: args, approve, round: 0, signal: controller.signal };
      const permission = await askPermission({ ...asked, user: 'reachable' });
      if (permission?.granted === 'later') return true;
      this.#decisionsIn(messages).set(keyOf(callId, args), permission);
      return false;
    } finally {
      release();
    }
  }

  #decisionsIn(messages: readonly unknown[]): Map<string, Permission | undefined> {
    const known = this.#decided.get(messages) ?? new Map<string, Permission | undefined>();
    this.#decided.set(messages, known);
    return known;
  }

  async *#execute(
    input: unknown,
    { callId, abortSignal, messages }: RunOptions,
    left: AbortSignal,
  ): AsyncGenerator<JsonValue> {
    const { closed } = this.#host;
    if (closed.aborted) throw providerClosed();
    const { controller, release } = followAbort(closed, abortSignal, left);
    const latest = new LatestStep();
    const args = argumentsOf(input);
    const key = keyOf(callId, args);
    try {
      const running = executeToolCall({
        ...this.#permitted(this.#decisionsIn(messages), key),
        callId,
        argumentsText: JSON.stringify(input ?? {}),
        origin: { owner: {}, responseId: undefined },
        round: 0,
        signal: controller.signal,
        user: isAllowed(messages, callId, args) ? 'allowed' : 'unreachable',
        onProgress: (step) => latest.put(step),
      });
      const ended = running.finally(() => latest.end());
      // Awaited below, behind the steps.
      ended.catch(() => {});
      for (let step = await latest.next(); step !== undefined; step = await latest.next()) {
        const output = await progressOutput(step, this.#scope);
        if (output !== undefined) yield this.#valueOf(output);
      }
      const output = await ended;
      // No user can be asked while the AI SDK runs a tool, so each call is answered.
      if (output === 'awaits-user') return;
      if (output.isError) throw new ToolFailure(outputText(output));
      yield this.#shown(output);
    } catch (error) {
      if (!left.aborted) throw error;
    } finally {
      // Stops the tool if the reader has left.
      controller.abort();
      release();
    }
  }

  /** Returns the tool and the scope of a run. An earlier decision counts for the run. */
  #permitted(
    decisions: Map<string, Permission | undefined>,
    key: string,
  ): { readonly tool: LoopTool; readonly scope: CallScope } {
    if (!decisions.has(key)) return { tool: this.#tool, scope: this.#scope };
    const permission = decisions.get(key);
    // A decision is valid for one run.
    decisions.delete(key);
    const approve = permission && answerOf(permission);
    // The tool's own `needsApproval` was checked before, too.
    const tool = { ...this.#tool.tool, needsApproval: () => false };
    return { tool: { ...this.#tool, tool }, scope: { ...this.#scope, approve } };
  }

  #shown(output: ToolOutput): JsonValue {
    const shown = this.#valueOf(output);
    if (typeof shown === 'object' && shown !== null) this.#outputs.set(shown, output);
    return shown;
  }

  /** A string is the model's text, because a string from `toModelOutput` or a limit looks like any other. */
  #valueOf(output: ToolOutput): JsonValue {
    const { value } = output;
    const isWhole = value !== undefined && typeof value !== 'string';
    return isWhole ? value : shownContent(output, VERSIONS[this.#host.version].toResultFile);
  }

  #toModelOutput(given: unknown): JsonValue | Promise<JsonValue> {
    const result = resultOf(given);
    const output = typeof result === 'object' && result !== null ? this.#outputs.get(result) : undefined;
    if (output === undefined && typeof result === 'object' && !isContent(result)) return this.#ofHistory(given, result);
    const shown = output === undefined ? result : shownContent(output, VERSIONS[this.#host.version].toResultFile);
    if (typeof shown === 'string') return { type: 'text', value: shown };
    // Content with files has the AI SDK's own form; everything else is from a history, which is JSON.
    return isContent(shown) ? shown : { type: 'json', value: shown as JsonValue };
  }

  /** Converts a history's whole result for the model, and cuts it again. */
  #ofHistory(given: unknown, result: unknown): JsonValue | Promise<JsonValue> {
    // A history is JSON.
    const value = result as JsonValue;
    const whole = textOutput(JSON.stringify(value));
    const { keepOutput } = this.#scope;
    const limits = limitsOfTool(this.#tool.tool, this.#scope.limits);
    const gap = gapOf(whole, limits);
    if (gap === undefined) return { type: 'json', value };
    const cut = (note: string): JsonValue => ({
      type: 'text',
      value: outputText(limitOutput(whole, limits, { gap, note })),
    });
    // AI SDK 5 does not wait here.
    return keepOutput === undefined || given === result ? cut('') : keepOutput(gap, { isKnown: true }).then(cut);
  }
}

/** AI SDK 7 sends the model `String(error)`, the others `error.message`: both are the text alone. */
class ToolFailure extends Error {
  override toString(): string {
    return this.message;
  }
}

interface RunOptions {
  readonly callId: string;
  readonly abortSignal: AbortSignal | undefined;
  readonly messages: readonly unknown[];
}

function readOptions(options: unknown): RunOptions {
  const { toolCallId, abortSignal, messages } = asRecord(options) ?? {};
  return {
    callId: asString(toolCallId) ?? '',
    abortSignal: abortSignal instanceof AbortSignal ? abortSignal : undefined,
    // Not copied, because their identity counts.
    messages: Array.isArray(messages) ? messages : [],
  };
}

/** AI SDK 6 and later pass `{ toolCallId, input, output }`, AI SDK 5 passes the result itself. */
function resultOf(given: unknown): unknown {
  const call = asRecord(given);
  const isCall = call !== undefined && 'toolCallId' in call && 'output' in call;
  return isCall ? call['output'] : given;
}

/** The AI SDK has parsed the arguments, so they are JSON. The tool's run refuses values that are not objects. */
function argumentsOf(input: unknown): ToolArguments {
  return (asRecord(input) ?? {}) as ToolArguments;
}

function keyOf(callId: string, args: ToolArguments): string {
  return `${callId}\n${JSON.stringify(args)}`;
}

function answerOf(permission: Permission): Approve {
  if (permission.granted === true) return () => ({ approved: true, arguments: permission.arguments });
  return () => (permission.granted === 'later' ? 'ask' : { approved: false, reason: permission.reason });
}

function isContent(shown: unknown): shown is JsonObject {
  const content = asRecord(shown);
  return content?.['type'] === 'content' && Array.isArray(content['value']);
}
