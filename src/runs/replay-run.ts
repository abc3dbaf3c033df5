import type { KeptCall, KeptOutput, KeptTool } from '../core/kept-round.js';
import type { Observer } from '../observe/event.js';
import { wantingRounds } from '../observe/notify.js';
import { type ProfileName, PROFILES } from '../request/profiles.js';
import { asRecord } from '../util/guards.js';
import { Answers, type AskedCall } from './answers.js';
import { callOptions, toSdkOutput } from './call-options.js';
import { type Run, RunBuilder } from './run.js';

/** Settings for `createResponsesProvider`. The tools have the names and schemas of the record, and run nothing. */
export interface ReplaySettings {
  /** The loopback server that plays the model, or the server of the model to try. */
  readonly baseURL: string;
  /** The profile of the record. Absent: the URL decides, because it differs, or the profile was the app's own. */
  readonly backend?: ProfileName;
  /** The tools of the record, which return recorded outputs. */
  readonly tools: Readonly<Record<string, ReplayTool>>;
  /** As many rounds as the record has. */
  readonly maxRounds: number;
  /** As many runs of tools as the record allows. */
  readonly maxToolCalls?: number;
  /** Repeats the texts between the recorded rounds. */
  readonly prepareRound?: (round: { readonly roundNumber: number }) => object | undefined;
  /** Watches the replay. */
  readonly onEvent: Observer;
}

/** A tool that is answered from the record. */
export interface ReplayTool {
  /** The description that the model read. */
  readonly description?: string;
  /** The JSON schema of the arguments. */
  readonly inputSchema: unknown;
  /** The server makes the model keep to the schema. */
  readonly strict?: boolean;
  /** Characters of an output that the model is given at once. */
  readonly maxOutputChars: number;
  /** Returns the recorded output of this call. */
  readonly execute: (args: Readonly<Record<string, unknown>>) => unknown;
  /** Converts the recorded output for the model. */
  readonly toModelOutput: (options: { readonly output: unknown }) => unknown;
}

/** A provider of `createResponsesProvider`, of any version of the AI SDK. */
export interface ReplayProvider {
  /** The model to play the record with. */
  (modelId: string): unknown;
  /** Closes the provider. */
  close(): Promise<void>;
}

export interface RunReplay {
  readonly call: KeptCall;
  readonly recorded: Run;
  readonly modelId: string;
  /** Absent: that of the record. */
  readonly baseURL: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly provider: (settings: ReplaySettings) => ReplayProvider;
}

/**
 * Plays one run again. Resolves also if the server fails in mid-answer, which is in the run.
 *
 * @throws the error of the provider if there was no answer
 */
export async function replayRun(
  replay: RunReplay,
): Promise<{ readonly run: Run; readonly missing: readonly AskedCall[] }> {
  const answers = new Answers(replay.recorded.rounds);
  const builder = new RunBuilder();
  const onEvent = wantingRounds<Observer>((event) => builder.add(event as unknown as Record<string, unknown>));
  const provider = replay.provider(settingsOf(replay, answers, onEvent));
  try {
    await drain(provider(replay.modelId), callOptions(replay.call, replay.signal));
  } finally {
    await provider.close();
  }
  replay.signal?.throwIfAborted();
  return { run: builder.run, missing: answers.missing };
}

function settingsOf({ call, recorded, baseURL }: RunReplay, answers: Answers, onEvent: Observer): ReplaySettings {
  const { url, backend, maxRounds, maxToolCalls } = call;
  const byClient = new Set(call.clientTools.map(({ name }) => name));
  const offered = new Map(recorded.rounds.flatMap(({ tools }) => tools.map((tool) => [tool.name, tool] as const)));
  const own = [...offered.values()].filter(({ name }) => !byClient.has(name));
  const texts = recorded.rounds.map((round) => round.texts ?? []);
  return {
    baseURL: baseURL ?? url,
    ...(baseURL === undefined && isProfile(backend) && { backend }),
    tools: Object.fromEntries(own.map((tool) => [tool.name, toTool(tool, answers)])),
    maxRounds,
    ...(maxToolCalls !== undefined && { maxToolCalls }),
    ...(texts.some((added) => added.length > 0) && {
      prepareRound: ({ roundNumber }) => ({ addMessages: texts[roundNumber] ?? [] }),
    }),
    onEvent,
  };
}

function isProfile(name: string): name is ProfileName {
  return Object.hasOwn(PROFILES, name);
}

/** Marks a schema of the AI SDK. */
const AI_SDK_SCHEMA = Symbol.for('vercel.ai.schema');

function toTool({ name, inputSchema: jsonSchema, ...declaration }: KeptTool, answers: Answers): ReplayTool {
  return {
    ...declaration,
    // The recorded tool has checked the arguments, and its answer is in the record.
    inputSchema: { [AI_SDK_SCHEMA]: true, jsonSchema, validate: (value: unknown) => ({ success: true, value }) },
    // The recorded outputs were cut before.
    maxOutputChars: Number.MAX_SAFE_INTEGER,
    execute: (args) => answers.take({ name, arguments: JSON.stringify(args) }),
    // The output is the result of `execute`.
    toModelOutput: ({ output }) => toSdkOutput(output as KeptOutput),
  };
}

/** Reads the answer to its end. The events have its text. */
async function drain(model: unknown, options: object): Promise<void> {
  const asked = asRecord(model)?.['doStream'];
  if (typeof asked !== 'function')
    throw new TypeError('replayEvents: "provider" must return a provider from createResponsesProvider.');
  const { stream } = (await Reflect.apply(asked, model, [options])) as { readonly stream: ReadableStream<unknown> };
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read());
}
