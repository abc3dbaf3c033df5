import {
  createResponsesProvider as createV2,
  type Journal,
  type LocalTool,
  type ObserverEvent,
  type ResponsesProviderSettings,
  type ResponsesProviderV2,
} from 'responses-loop';
import { createResponsesProvider as createV3 } from 'responses-loop/v3';
import { createResponsesProvider as createV4 } from 'responses-loop/v4';
import { type ScriptedRequest, scriptedFetch, type ScriptedAnswer } from 'responses-loop/testing';

const PROVIDERS = { v2: createV2, v3: createV3, v4: createV4 };
export type Version = keyof typeof PROVIDERS;
export type Mode = 'stream' | 'generate';
interface GenerateResult {
  readonly content: readonly Part[];
  readonly request: unknown;
  readonly response: Readonly<Record<string, unknown>>;
}
type Part = { readonly type: string } & Record<string, unknown>;

/** Options of a call, in the words of every version. */
export type CallOptions = Record<string, unknown> & { readonly prompt: readonly unknown[] };

export interface Story {
  readonly name: string;
  /** Answers by how the conversation stands: as a model does, whoever asks, and however often. */
  readonly answer: (request: ScriptedRequest) => ScriptedAnswer;
  readonly settings?: ResponsesProviderSettings;
  readonly tools?: Readonly<Record<string, ToolKind>>;
  /** Calls that follow each other, each made of what came before. */
  readonly calls: readonly ((before: readonly Played[]) => CallOptions)[];
  readonly only?: readonly Version[];
  /** Goes otherwise without a journal: there read-only tools start while the model writes, and nothing is held back. */
  readonly isOwn?: true;
  /** Makes the model of the provider. Default: as it is. */
  readonly modelOf?: (provider: ResponsesProviderV2, fetch: typeof globalThis.fetch) => Model;
}

export type ToolKind = 'read' | 'idempotent' | 'write' | 'failing' | 'slow';

/** One call, and what came of it. */
export interface Played {
  readonly parts: readonly Part[];
  readonly error?: { readonly name: string; readonly message: string };
}

/** A tool acted. */
export interface Effect {
  readonly tool: string;
  readonly callId: string;
}

/** What outlives processes: the world. */
export class World {
  readonly effects: Effect[] = [];
  requests = 0;
}

export interface Process {
  readonly journal: Journal | undefined;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: ObserverEvent) => void;
}

export interface Model {
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
  doGenerate(options: never): PromiseLike<object>;
}

/** Plays the calls of a story in one process. */
export async function play(
  story: Story,
  { version, mode }: { readonly version: Version; readonly mode: Mode },
  world: World,
  { journal, signal, onEvent }: Process,
): Promise<Played[]> {
  const fetch = scriptedFetch([], {
    otherwise: (request) => {
      if (!signal.aborted) world.requests += 1;
      return story.answer(request);
    },
  });
  await using provider = PROVIDERS[version]({
    baseURL: 'http://localhost/v1',
    apiKey: 'k1,k2',
    backend: 'openai',
    retry: { initialDelayMs: 1 },
    fetch,
    tools: toolsOf(story.tools ?? {}, world, signal),
    journal: () => journal,
    onEvent,
    ...story.settings,
  });
  // Stories with a model of their own are for V2.
  const model = story.modelOf?.(provider as ResponsesProviderV2, fetch) ?? provider('gpt-5-test');
  const played: Played[] = [];
  for (const call of story.calls) {
    const options = { abortSignal: signal, ...call(played) } as never;
    played.push(await (mode === 'stream' ? streamed(model, options) : generated(model, options)));
  }
  return played;
}

async function streamed(model: Model, options: never): Promise<Played> {
  const parts: Part[] = [];
  let error: unknown;
  try {
    const { stream } = await model.doStream(options);
    for await (const part of stream as unknown as AsyncIterable<Part>) {
      if (part.type === 'error') error = part['error'];
      else if (part.type !== 'raw') parts.push(part);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { parts: joined(parts), ...failure(error) };
}

async function generated(model: Model, options: never): Promise<Played> {
  try {
    const { content, request: _, response, ...rest } = (await model.doGenerate(options)) as GenerateResult;
    const { headers: _headers, body: _body, ...names } = response;
    return { parts: [...content, { type: 'rest', ...rest, response: names }] };
  } catch (thrown) {
    return { parts: [], ...failure(thrown) };
  }
}

function failure(error: unknown): Pick<Played, 'error'> {
  return error instanceof Error ? { error: { name: error.name, message: error.message } } : {};
}

/** How a text was cut says nothing. */
function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (part.type.endsWith('-delta') && last?.type === part.type && last['id'] === part['id'])
      whole[whole.length - 1] = { ...last, delta: String(last['delta']) + String(part['delta']) };
    else whole.push(part);
  }
  return whole;
}

function toolsOf(
  kinds: Readonly<Record<string, ToolKind>>,
  world: World,
  signal: AbortSignal,
): Record<string, LocalTool> {
  return Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, toolOf(name, kind, world, signal)]));
}

function toolOf(name: string, kind: ToolKind, world: World, signal: AbortSignal): LocalTool {
  return {
    description: name,
    inputSchema: { type: 'object', properties: { x: { type: 'number' } } },
    readOnly: kind === 'read' || kind === 'slow',
    idempotent: kind === 'idempotent',
    execute: async ({ x }, { toolCallId }) => {
      // A process that is dead does nothing.
      if (signal.aborted) throw new Error('A dead process ran a tool.');
      world.effects.push({ tool: name, callId: toolCallId });
      if (kind === 'slow') await new Promise((resolve) => setTimeout(resolve, 3));
      if (kind === 'failing') throw new Error(`${name} does not work`);
      return { [name]: x ?? 'nothing' };
    },
  };
}
