import { parseArgs } from 'node:util';
import { Redactor } from '../../observe/redact.js';
import type { LoopTool } from '../../tools/loop-tool.js';
import type { ToolProgress } from '../../tools/tool-source.js';
import { showControls } from '../../util/control-characters.js';
import { type Command, type Terminal, UsageError } from '../command.js';
import { readAll } from '../read-all.js';
import { readTimeout } from '../read-timeout.js';
import { callTool, findTool, outputLines, readArguments } from './call-tool.js';
import { printJson } from '../print-json.js';
import { printReport } from './print-report.js';
import { type ConfiguredServer, type McpFile, readMcpFile } from './read-config.js';
import { inspectServers } from './report.js';

const help = `Usage: npx responses-loop mcp [SERVER] [options]
       npx responses-loop mcp [SERVER] --call TOOL [JSON]

Connects to MCP servers and lists their tools as a model would see them: names, what was changed in their schemas, what was
left out and why, sizes, annotations. Without SERVER all servers of the file are asked at the same time.

  --config FILE      { "mcpServers": { … } }; - is standard input (default .mcp.json, then mcp.json of this folder)
                     \${NAME}, \${NAME:-default} and \${env:NAME} stand for variables of the environment
  --yes              starts what the file of this folder names, unasked; else, and without --config, it is shown, and
                     nothing is started or sent before a yes, which holds until the file changes
  --call TOOL [JSON] runs a tool, unasked, and prints what the model would read; JSON is its arguments, - reads them
                     from standard input (default {})
  --timeout SECONDS  for connecting and listing (default 30), and for a call (default 60 without a sign of life)
  --json             for programs

Exit code: 1 if a server could not be reached, if the tool answered with an error, or after a no; 2 for wrong arguments, and
if nobody can be asked.
`;

const OPTIONS = {
  config: { type: 'string' },
  call: { type: 'string' },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

const DEFAULT_CONNECT_MS = 30_000;

interface Wanted {
  readonly config: string | undefined;
  readonly server: string | undefined;
  readonly call: { readonly tool: string; readonly json: string } | undefined;
  readonly timeoutMs: number | undefined;
  readonly isJson: boolean;
  readonly isAllowed: boolean;
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const wanted = readArgs(args);
  const file = await readMcpFile(wanted.config, terminal, wanted);
  const servers = choose(file, wanted.server);
  const { signal } = terminal;
  const asked = servers.filter(({ config }) => config !== undefined).map(({ key }) => key);
  terminal.stderr.write(showControls(`${file.name}: asking ${asked.join(', ') || 'no server'}\n`));
  const timeoutMs = wanted.timeoutMs ?? DEFAULT_CONNECT_MS;
  const secrets = servers.flatMap((server) => server.secrets ?? []);
  const redactor = Redactor.of(() => secrets).long;
  return inspectServers(servers, { timeoutMs, signal }, async ({ report: whole, tools }) => {
    const report = redactor.value(whole);
    if (wanted.call !== undefined) {
      const failed = report.servers.flatMap(({ state, warnings }) => (state === 'failed' ? warnings : []));
      for (const warning of failed) terminal.stderr.write(`${showControls(warning)}\n`);
      return runCall(tools, wanted, terminal);
    }
    terminal.stdout.write(wanted.isJson ? printJson({ file: file.name, ...report }) : printReport(report));
    return report.servers.some(({ state }) => state === 'failed') ? 1 : 0;
  });
}

async function runCall(
  tools: readonly LoopTool[],
  { call, timeoutMs, isJson }: Wanted,
  terminal: Terminal,
): Promise<number> {
  if (call === undefined) return 0;
  const tool = findTool(tools, call.tool);
  const args = readArguments(call.json === '-' ? await readAll(terminal) : call.json, tool);
  const onProgress = ({ progress, total, message = '' }: ToolProgress): void => {
    const of = total === undefined ? '' : ` of ${total}`;
    terminal.stderr.write(`${showControls(`${progress}${of} ${message}`)}\n`);
  };
  const output = await callTool(tool, args, { timeoutMs, signal: terminal.signal, onProgress });
  terminal.stdout.write(isJson ? printJson(output) : `${showControls(outputLines(output))}\n`);
  return output.isError ? 1 : 0;
}

function readArgs(args: readonly string[]): Wanted {
  const { values, tokens } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, tokens: true });
  const callAt = tokens.findIndex((token) => token.kind === 'option' && token.name === 'call');
  const words = tokens.flatMap((token, at) => (token.kind === 'positional' ? [{ at, value: token.value }] : []));
  const before = words.filter(({ at }) => callAt === -1 || at < callAt).map(({ value }) => value);
  const after = words.filter(({ at }) => callAt !== -1 && at > callAt).map(({ value }) => value);
  if (before.length > 1) throw new UsageError(`One SERVER at most, not ${before.join(' and ')}.`);
  if (after.length > 1) throw new UsageError('--call TOOL takes its arguments as one JSON text: put it in quotes.');
  if (values.config === '-' && after[0] === '-')
    throw new UsageError('--config - and --call TOOL - both read standard input: put one of them into a file.');
  return {
    config: values.config,
    server: before[0],
    call: values.call === undefined ? undefined : { tool: values.call, json: after[0] ?? '{}' },
    timeoutMs: values.timeout === undefined ? undefined : readTimeout(values.timeout),
    isJson: values.json === true,
    isAllowed: values.yes === true,
  };
}

function choose({ name, servers }: McpFile, wanted: string | undefined): readonly ConfiguredServer[] {
  const keys = servers.map(({ key }) => key);
  if (keys.length === 0) throw new UsageError(`${name} names no server.`);
  if (wanted === undefined) return servers;
  const chosen = servers.filter(({ key }) => key === wanted);
  if (chosen.length === 0) throw new UsageError(`${name} has no server "${wanted}"; it has ${keys.join(', ')}.`);
  return chosen;
}

export const mcp: Command = { help, run };
