import { type JSONValue, type Schema, tool, type ToolSet, zodSchema } from 'ai';
import { z } from 'zod';
import type { ApprovalGate } from '../approval/gate.js';
import type { ShownChange } from '../approval/shown-change.js';
import { type AskVerdict, RUN, type Verdict } from '../approval/verdict.js';
import {
  bindToContext,
  consumeToolApprovalPayload,
  getAbortSignal,
  getMessageInWork,
} from '../context/request-context.js';
import { OutdatedError, type ShownFile } from './replace-file.js';
import { runFileJob } from './run-file-job.js';
import type { ToolOfCall } from './switches.js';
import type { ToolDef, ToolFailure, ToolOutput, ToolRun } from './tool-def.js';

export interface ToolRegistry {
  readonly ids: readonly string[];
  /** For a person who wants to know what there is; the model reads the same. */
  readonly descriptions: ReadonlyMap<string, string>;
  /** Why tools cannot be used on this machine. They are not offered. */
  readonly missing: ReadonlyMap<string, string>;
  /** Tools for the AI SDK, which run in the context they are made in. Unknown ids are an error of the program: templates and groups are checked at the start. */
  buildToolset(ids: readonly string[]): ToolSet;
  /** What its arguments have to fit, as they come over the wire. */
  readonly schemaOf: (id: string) => z.ZodType | undefined;
  /** What is thought of a call, without grants; `undefined`, if there is no such tool or the input is not its own. */
  judge(id: string, input: unknown): Promise<Verdict | undefined>;
}

export function createToolRegistry(defs: Readonly<Record<string, ToolDef>>, gate: ApprovalGate): ToolRegistry {
  const table = new Map(Object.entries(defs).map(([id, def]) => [id, register(def)]));
  return {
    ids: [...table.keys()],
    missing: new Map([...table].flatMap(([id, { def }]) => (def.missing === undefined ? [] : [[id, def.missing]]))),
    descriptions: new Map([...table].map(([id, { def }]) => [id, def.description])),
    schemaOf: (id) => table.get(id)?.wire,
    buildToolset: (ids) => {
      // Without a prototype: a model that calls "constructor" has to read that there is no such tool.
      const toolset = Object.create(null) as ToolSet;
      const asking: Asking = { gate, unasked: new Set(), answered: new Map() };
      for (const id of ids) {
        const found = table.get(id);
        if (found === undefined)
          throw new Error(`There is no tool "${id}"; there are ${[...table.keys()].join(', ')}.`);
        toolset[id] = toSdkTool(found, asking);
      }
      return toolset;
    },
    judge: async (id, input) => {
      const found = table.get(id);
      const parsed = found?.wire.safeParse(input);
      return found && parsed?.success === true ? verdictOf(found.def, unwrap(found.def, parsed.data)) : undefined;
    },
  };
}

interface Registered {
  readonly def: ToolDef;
  readonly wire: z.ZodType;
  /** The same for the AI SDK. Made once, since it costs milliseconds to write it as JSON schema. */
  readonly inputSchema: Schema;
}

/** Function calls of the API take objects only. */
function register(def: ToolDef): Registered {
  const wire = isObjectSchema(def) ? def.inputSchema : z.object({ value: def.inputSchema });
  return { def, wire, inputSchema: zodSchema(wire) };
}

interface Asking {
  readonly gate: ApprovalGate;
  /** Calls of this turn that nobody had to be asked about. */
  readonly unasked: Set<string>;
  /** What the person knew who answered, by call. */
  readonly answered: Map<string, unknown>;
}

function toSdkTool({ def, inputSchema }: Registered, asking: Asking): ToolSet[string] {
  const needsApproval = bindToContext(
    async (input: unknown, { toolCallId }: { toolCallId: string }): Promise<boolean> => {
      // Answered in this turn: the AI SDK takes a yes only from a call that still needs one, and "Always in this chat" is
      // granted by then.
      const answer = consumeToolApprovalPayload(toolCallId);
      if (answer !== undefined) {
        asking.answered.set(toolCallId, answer.descriptor);
        return true;
      }
      const own = unwrap(def, input);
      const verdict = await asking.gate.settle(await verdictOf(def, own), ownTool(def));
      if (verdict.decision === 'ask') await noteQuestion(def, asking, { toolCallId, input: own, verdict });
      else asking.unasked.add(toolCallId);
      return verdict.decision === 'ask';
    },
  );
  const execute = bindToContext((input: unknown, run: ToolRun) =>
    runTool(def, asking, { input: unwrap(def, input), run }),
  );
  return tool({
    description: def.description,
    inputSchema,
    execute: (input: unknown, { toolCallId, abortSignal: signal = new AbortController().signal }) =>
      execute(input, { toolCallId, signal }),
    ...(def.judge === undefined ? {} : { needsApproval }),
    ...(def.toModelOutput === undefined ? {} : { toModelOutput: modelOutputOf(def.toModelOutput) }),
  });
}

type SdkModelOutput = Awaited<ReturnType<NonNullable<ToolSet[string]['toModelOutput']>>>;

/** It is asked for each request, also of later turns, whose context it has. */
function modelOutputOf(toModelOutput: NonNullable<ToolDef['toModelOutput']>) {
  const content = bindToContext(toModelOutput);
  return async ({ output }: { readonly output: unknown }): Promise<SdkModelOutput> => {
    const value = await content(output as ToolOutput);
    return value === undefined
      ? { type: 'json', value: output as JSONValue }
      : { type: 'content', value: value.map((piece) => ({ ...piece })) };
  };
}

interface Call {
  readonly input: unknown;
  readonly run: ToolRun;
}

async function runTool(def: ToolDef, asking: Asking, { input, run }: Call): Promise<ToolOutput> {
  try {
    const own = await verdictOf(def, input);
    const refusal = await lookAgain(def, asking, run.toolCallId, own);
    if (refusal !== undefined) return refusal;
    // After a crash it is known from the disk what may have been done.
    const message = getMessageInWork();
    if (own.decision === 'ask' || message.areReadsKept) await message.whenKept(run.toolCallId, run.signal);
    run.signal.throwIfAborted();
    const shown = await shownFile(def, asking, { input, run });
    return await def.execute(input, { ...run, isUnasked: own.decision === 'run', shown });
  } catch (error) {
    if (run.signal.aborted) return failure('It was stopped.');
    return { ...failure(textOf(error)), ...(error instanceof OutdatedError ? { isOutdated: true } : {}) };
  }
}

interface AskedCall {
  readonly toolCallId: string;
  readonly input: unknown;
  readonly verdict: AskVerdict;
}

async function noteQuestion(
  def: ToolDef,
  { gate, unasked }: Asking,
  { toolCallId, input, verdict }: AskedCall,
): Promise<void> {
  unasked.delete(toolCallId);
  const change = await changeOf(def, input);
  if (change === undefined) return gate.noteQuestion(toolCallId, verdict);
  const isHidden = change.hunks === undefined && change.files[0].fate === 'changed';
  gate.noteQuestion(toolCallId, isHidden ? { ...verdict, isDangerous: true } : verdict, { tool: def.id, change });
}

/** `undefined`: it writes no file, or it cannot be known; then it is asked about, and does not run. */
async function changeOf(def: ToolDef, input: unknown): Promise<ShownChange | undefined> {
  try {
    const target = def.target?.(input);
    return target && (await runFileJob('findChange', target, getAbortSignal()));
  } catch {
    return undefined;
  }
}

/**
 * The file of a call that a person has approved, if it is still as it was shown; `undefined`: nobody was asked, or it writes
 * no file.
 */
async function shownFile(
  def: ToolDef,
  { gate, unasked, answered }: Asking,
  { input, run: { toolCallId, signal } }: Call,
): Promise<ShownFile | undefined> {
  const target = def.target?.(input);
  if (target === undefined || unasked.has(toolCallId)) return undefined;
  const shown = gate.shownChange({ toolCallId, tool: def.id }, answered.get(toolCallId));
  if (shown === undefined)
    throw new Error(
      `${target.path}: the question did not show what changes. Nothing was written: call the tool again.`,
    );
  const found = await runFileJob('findState', target, signal);
  if (found.fingerprint !== shown.fingerprint) throw new OutdatedError(target.path, shown, found);
  return found;
}

/** What it gives instead, if it does not run. Also looks at what was approved, or let run, again: files and links may be others by now. */
async function lookAgain(
  def: ToolDef,
  { gate, unasked }: Asking,
  toolCallId: string,
  own: Verdict,
): Promise<ToolFailure | undefined> {
  const verdict = await gate.settle(own, ownTool(def));
  if (verdict.decision === 'refuse') return failure(verdict.reason);
  if (verdict.decision === 'run' || !unasked.has(toolCallId)) return undefined;
  return failure(`This call now needs approval: ${verdict.reason}. Call it again.`);
}

/** A tool that cannot say whether it needs approval needs it. */
async function verdictOf(def: ToolDef, input: unknown): Promise<Verdict> {
  if (def.missing !== undefined) return { decision: 'refuse', reason: def.missing };
  if (def.judge === undefined) return RUN;
  try {
    return await def.judge(input);
  } catch (error) {
    return { decision: 'ask', reason: `it could not be judged: ${textOf(error)}` };
  }
}

function unwrap(def: ToolDef, input: unknown): unknown {
  return isObjectSchema(def) ? input : (input as { readonly value: unknown }).value;
}

function isObjectSchema({ inputSchema }: ToolDef): boolean {
  return inputSchema instanceof z.ZodObject;
}

function ownTool({ id }: ToolDef): ToolOfCall {
  return { kind: 'tool', tool: id };
}

function failure(error: string): ToolFailure {
  return { ok: false, error };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
