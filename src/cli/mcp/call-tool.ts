import type { FileContent, ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import { limitOutput } from '../../tools/call/limit-output.js';
import { timeLimits, watchTool } from '../../tools/call/run-limits.js';
import type { LoopTool } from '../../tools/loop-tool.js';
import type { ToolProgress } from '../../tools/tool-source.js';
import { checkArguments } from '../../tools/schema/check-arguments.js';
import { errorText } from '../../util/error-text.js';
import { isRecord } from '../../util/guards.js';
import { UsageError } from '../command.js';
import { amount } from '../words.js';

const SHOWN_NAMES = 30;

/** Finds a tool by the model's name, else by its name at the server. `from`: where the name was given. */
export function findTool(tools: readonly LoopTool[], name: string, from = '--call'): LoopTool {
  const exact = tools.find(({ declaration }) => declaration.name === name);
  if (exact !== undefined) return exact;
  const [found, ...others] = tools.filter(({ tool }) => tool.name === name);
  if (found === undefined) throw new UsageError(`${from}: unknown tool "${name}". ${listOf(tools)}`);
  if (others.length > 0)
    throw new UsageError(`${from}: "${name}" is a tool of several servers. ${listOf([found, ...others])}`);
  return found;
}

function listOf(tools: readonly LoopTool[]): string {
  if (tools.length === 0) return 'There are none.';
  const names = tools.slice(0, SHOWN_NAMES).map(({ declaration }) => declaration.name);
  const more = tools.length > names.length ? ` and ${tools.length - names.length} more` : '';
  return `There are: ${names.join(', ')}${more}.`;
}

/** Checks the arguments as strictly as the schema, because a server's reaction to wrong ones tells little. */
export function readArguments(text: string, { declaration }: LoopTool): ToolArguments {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--call: the arguments are not JSON: ${errorText(error)}`);
  }
  if (!isRecord(value)) throw new UsageError('--call: the arguments must be one JSON object, such as {"path": "."}.');
  const issues = checkArguments(declaration.inputSchema, value).map(
    ({ path, message }) => `\n  ${path.length === 0 ? 'the arguments' : path.join('.')}: ${message}`,
  );
  if (issues.length > 0)
    throw new UsageError(`--call: this does not fit the schema of "${declaration.name}":${issues.join('')}`);
  // It was parsed from JSON.
  return value as ToolArguments;
}

export interface CallOptions {
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (step: ToolProgress) => void;
}

/** Runs the tool as the loop would and returns what the model would read. Rejects only if `signal` fires. */
export async function callTool(
  { source, tool, declaration }: LoopTool,
  args: ToolArguments,
  { timeoutMs, signal, onProgress }: CallOptions,
): Promise<ToolOutput> {
  const limits = timeLimits(timeoutMs ?? tool.timeoutMs, timeoutMs ?? tool.totalTimeoutMs);
  const times = { timeoutMs: limits.idleMs, totalTimeoutMs: limits.totalMs };
  try {
    const output = await watchTool(declaration.name, limits, signal, (watched) =>
      source.execute(tool.name, args, {
        callId: 'command-line',
        offered: tool,
        signal: watched.signal,
        ...times,
        onProgress: (step) => {
          watched.touch();
          onProgress(step);
        },
      }),
    );
    return limitOutput(output);
  } catch (error) {
    if (signal.aborted) throw error;
    return limitOutput({ isError: true, content: [{ type: 'text', text: errorText(error) }] });
  }
}

/** Returns what the model would read: texts as they are, one line per file. */
export function outputLines({ content }: ToolOutput): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${describeFile(block)}]`)).join('\n');
}

function describeFile({ mediaType, filename, source }: FileContent): string {
  return [mediaType, filename, describeSource(source)].filter(Boolean).join(', ');
}

function describeSource(source: FileContent['source']): string {
  if (source.type === 'data') return `${amount(Buffer.byteLength(source.base64, 'base64'))} bytes`;
  return source.type === 'url' ? source.url : source.id;
}
