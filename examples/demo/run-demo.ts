import { createResponsesProvider, observers, type Observer, type ResponsesProviderV2 } from 'responses-loop';

import { type Answer, ask } from './ask.js';
import { explainError } from './explain-error.js';
import type { DemoOptions } from './options.js';
import { createSandbox, mcpServersFor, type Sandbox } from './sandbox.js';
import { bold, Screen } from './screen.js';
import { type StandInServer, startStandInServer } from './stand-in-server.js';
import { createTimeline, makePage } from './timeline.js';

const QUESTION = 'There is a file with a token in my folder. What is the token? And what is 17 + 25?';
const TOOL_TIMEOUT_MS = 30_000;

/** Runs the whole demo and cleans up behind it. Resolves with the exit code; never rejects. */
export async function runDemo(options: DemoOptions, signal: AbortSignal): Promise<number> {
  const screen = new Screen();
  const sandbox = await createSandbox();
  // Should the process end in a way that runs no `finally`.
  process.once('exit', () => sandbox.remove());
  let standIn: StandInServer | undefined;
  let provider: ResponsesProviderV2 | undefined;
  const timeline = createTimeline();
  try {
    standIn = options.live === undefined ? await startStandInServer() : undefined;
    const onEvent = observers((event) => screen.event(event), timeline.record);
    provider = createDemoProvider(options, { baseURL: standIn?.baseURL, folder: sandbox.folder, onEvent });
    return await runQuestion(provider, { options, sandbox, screen, signal });
  } catch (error) {
    screen.problem(explainError(error));
    return 1;
  } finally {
    await provider?.close();
    await standIn?.close();
    sandbox.remove();
    timeline.record.close();
    screen.fact('timeline', await makePage(timeline));
  }
}

interface Scene {
  readonly options: DemoOptions;
  readonly sandbox: Sandbox;
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

interface Surroundings {
  /** Of the stand-in, if it answers. */
  readonly baseURL: string | undefined;
  readonly folder: string;
  readonly onEvent: Observer;
}

function createDemoProvider({ live }: DemoOptions, { folder, onEvent, ...standIn }: Surroundings): ResponsesProviderV2 {
  const baseURL = standIn.baseURL ?? live?.baseURL;
  return createResponsesProvider({
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(live?.apiKey === undefined ? {} : { apiKey: live.apiKey }),
    mcpServers: mcpServersFor(folder),
    toolTimeoutMs: TOOL_TIMEOUT_MS,
    onEvent,
  });
}

async function runQuestion(
  provider: ResponsesProviderV2,
  { options, sandbox, screen, signal }: Scene,
): Promise<number> {
  const { live, question: prompt = QUESTION } = options;
  const modelId = live?.model ?? 'stand-in';
  screen.line(bold('responses-loop demo'));
  screen.fact('server', `${provider.endpoint(modelId).url}${live === undefined ? ' (a stand-in made of rules)' : ''}`);
  screen.fact('model', modelId);
  const connectMs = await showTools(provider, screen);
  screen.fact('folder', sandbox.folder);
  screen.fact('question', prompt);
  const answer = signal.aborted ? undefined : await ask({ model: provider(modelId), prompt, signal }, screen);
  screen.line();
  if (answer === undefined || signal.aborted) {
    screen.problem('Interrupted.');
    return 1;
  }
  if (answer.error !== undefined) {
    screen.problem(`${answer.text === '' ? 'No answer' : 'The answer broke off'}: ${explainError(answer.error)}`);
    return 1;
  }
  showFigures(screen, answer, connectMs);
  return judge(screen, answer, {
    token: sandbox.token,
    isLive: live !== undefined,
    isOwnQuestion: options.question !== undefined,
  });
}

/** Connects the MCP servers, which the first call would do otherwise, and says what they offer. */
async function showTools(provider: ResponsesProviderV2, screen: Screen): Promise<number> {
  const startedAt = performance.now();
  const tools = await provider.listTools();
  const connectMs = Math.round(performance.now() - startedAt);
  const counts = new Map<string, number>();
  for (const { source } of tools) counts.set(source, (counts.get(source) ?? 0) + 1);
  screen.fact('tools', [...counts].map(([source, count]) => `${count} of "${source}"`).join(', ') || 'none');
  return connectMs;
}

function showFigures(screen: Screen, answer: Answer, connectMs: number): void {
  const { rounds, toolCalls } = screen.counts;
  screen.fact('rounds', `${rounds}, with ${toolCalls} tool calls`);
  screen.fact('tokens', `${answer.inputTokens ?? '?'} in, ${answer.outputTokens ?? '?'} out`);
  screen.fact(
    'time',
    `MCP servers connected ${connectMs} ms, first text ${answer.firstTextMs ?? '-'} ms, total ${answer.totalMs} ms`,
  );
}

interface Expectation {
  readonly token: string;
  readonly isLive: boolean;
  readonly isOwnQuestion: boolean;
}

/** The stand-in has to get our question right; a live model, or a question of the user's, only needs an answer. */
function judge(screen: Screen, answer: Answer, { token, isLive, isOwnQuestion }: Expectation): number {
  if (answer.text.trim() === '') {
    screen.problem(`No answer came (finish reason "${answer.finishReason}").`);
    return 1;
  }
  const isFound = answer.text.includes(token);
  if (isFound) screen.success(`The answer holds the token of the file, ${token}.`);
  else if (isOwnQuestion) return 0;
  else if (isLive) screen.line(`The answer does not hold the token of the file, ${token}.`);
  else screen.problem(`The token of the file, ${token}, is missing from the answer.`);
  return isFound || isLive ? 0 : 1;
}
