import { parseArgs } from 'node:util';
import { Redactor } from '../../observe/redact.js';
import type { ToolArguments } from '../../core/tool.js';
import type { LoopTool } from '../../tools/loop-tool.js';
import { secretsOfServer } from '../../tools/mcp/describe-server.js';
import type { ToolProgress } from '../../tools/tool-source.js';
import { showControls } from '../../util/control-characters.js';
import { type Command, type Terminal, UsageError } from '../command.js';
import { readAll } from '../read-all.js';
import { readTimeout } from '../read-timeout.js';
import { askArguments, canAsk } from './ask-arguments.js';
import { callTool, findTool, outputLines, readArguments } from './call-tool.js';
import { printJson } from '../print-json.js';
import { printReport, printTool } from './print-report.js';
import { type ConfiguredServer, type McpFile, readMcpFile } from './read-config.js';
import type { InspectOptions } from './inspect-server.js';
import { type Inspected, inspectServers } from './report.js';
import { signIn, signOut } from './sign-in.js';

const help = `Usage: npx responses-loop mcp [SERVER [TOOL]] [options]
       npx responses-loop mcp [SERVER] --call TOOL [JSON]
       npx responses-loop mcp SERVER --sign-in

Connects to MCP servers and lists their tools as a model would see them: names, arguments, changes to their schemas, tools
that were left out and why, sizes, annotations. Without SERVER, it connects to all servers of the file at the same time. With
TOOL, it shows one tool in full.

  --config FILE      { "mcpServers": { … } }; - means standard input (default: .mcp.json, then mcp.json, in this folder)
                     \${NAME}, \${NAME:-default} and \${env:NAME} are replaced by environment variables
  --yes              trust the file in this folder without asking. Without --yes and --config, the command shows what the
                     file would start and send, and asks first; your consent is valid until the file changes
  --call TOOL [JSON] run a tool without asking, and print what the model would read. JSON is its arguments; - reads them
                     from standard input (default: in a terminal, asks for each one; otherwise {})
  --messages         print each message to and from the servers on standard error, as JSON without secrets
  --sign-in          sign in to SERVER in a browser. Later runs use the tokens, which are stored in your state folder and
                     which only you can read; --sign-out deletes them
  --timeout SECONDS  time limit for connecting and listing (default 30), and for a call (default 60 without a sign of life)
  --json             print JSON

Exit codes: 1 if a server could not be reached, if the tool returned an error, or if you said no; 2 for wrong arguments, or if
there is no terminal to ask in.
`;

const OPTIONS = {
  config: { type: 'string' },
  call: { type: 'string' },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
  messages: { type: 'boolean' },
  'sign-in': { type: 'boolean' },
  'sign-out': { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

const SIGNS = ['in', 'out'] as const;
const DEFAULT_CONNECT_MS = 30_000;

interface Wanted {
  readonly config: string | undefined;
  readonly server: string | undefined;
  /** The tool to show. */
  readonly tool: string | undefined;
  readonly call: { readonly tool: string; readonly json: string | undefined } | undefined;
  readonly signs: 'in' | 'out' | undefined;
  readonly timeoutMs: number | undefined;
  readonly isJson: boolean;
  readonly isAllowed: boolean;
  readonly showsMessages: boolean;
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const wanted = readArgs(args);
  const file = await readMcpFile(wanted.config, terminal, wanted);
  const servers = choose(file, wanted.server);
  const { signal } = terminal;
  const asked = servers.filter(({ config }) => config !== undefined).map(({ key }) => key);
  terminal.stderr.write(showControls(`${file.name}: asking ${asked.join(', ') || 'no server'}\n`));
  const timeoutMs = wanted.timeoutMs ?? DEFAULT_CONNECT_MS;
  if (wanted.signs !== undefined) return sign(wanted.signs, servers, timeoutMs, terminal);
  const secrets = servers.flatMap((server) => server.secrets ?? []);
  const redactor = Redactor.of(() => secrets).long;
  const onMessage = wanted.showsMessages ? messagePrinter(servers, terminal) : undefined;
  return inspectServers(servers, { timeoutMs, signal, onMessage }, async ({ report: whole, tools }) => {
    const report = redactor.value(whole);
    if (wanted.call !== undefined) {
      const failed = report.servers.flatMap(({ state, warnings }) => (state === 'failed' ? warnings : []));
      for (const warning of failed) terminal.stderr.write(`${showControls(warning)}\n`);
      return runCall(tools, wanted, terminal);
    }
    if (wanted.tool !== undefined) return showTool(wanted.tool, { report, tools }, wanted.isJson, terminal);
    terminal.stdout.write(wanted.isJson ? printJson({ file: file.name, ...report }) : printReport(report));
    return report.servers.some(({ state }) => state === 'failed') ? 1 : 0;
  });
}

/** Prints `server ← {…}` for what a server sends, `server → {…}` for what it is sent. */
function messagePrinter(
  servers: readonly ConfiguredServer[],
  { stderr }: Terminal,
): NonNullable<InspectOptions['onMessage']> {
  const secrets = servers.flatMap(({ config, secrets: known = [] }) =>
    config === undefined ? known : [...known, ...secretsOfServer(config)],
  );
  const redactor = Redactor.of(() => secrets).long;
  return (server, way, message) => {
    const arrow = way === 'sent' ? '→' : '←';
    stderr.write(`${showControls(`${server} ${arrow} ${JSON.stringify(redactor.value(message))}`)}\n`);
  };
}

async function runCall(
  tools: readonly LoopTool[],
  { call, timeoutMs, isJson }: Wanted,
  terminal: Terminal,
): Promise<number> {
  if (call === undefined) return 0;
  const tool = findTool(tools, call.tool);
  const args = await argumentsFor(tool, call.json, terminal);
  if (args === undefined) {
    terminal.stderr.write('\nNothing was called.\n');
    return 1;
  }
  const onProgress = ({ progress, total, message = '' }: ToolProgress): void => {
    const of = total === undefined ? '' : ` of ${total}`;
    terminal.stderr.write(`${showControls(`${progress}${of} ${message}`)}\n`);
  };
  const output = await callTool(tool, args, { timeoutMs, signal: terminal.signal, onProgress });
  terminal.stdout.write(isJson ? printJson(output) : `${showControls(outputLines(output))}\n`);
  return output.isError ? 1 : 0;
}

/** The arguments that were given. Without any, the user is asked. */
async function argumentsFor(
  tool: LoopTool,
  json: string | undefined,
  terminal: Terminal,
): Promise<ToolArguments | undefined> {
  if (json === undefined && canAsk(terminal)) {
    const asked = await askArguments(tool, terminal);
    const written = JSON.stringify(asked);
    // So that the call can be made again without questions.
    if (asked !== undefined) terminal.stderr.write(showControls(`\n--call ${tool.declaration.name} ${written}\n\n`));
    return asked && readArguments(written, tool);
  }
  return readArguments(json === '-' ? await readAll(terminal) : (json ?? '{}'), tool);
}

function showTool(name: string, { report, tools }: Inspected, isJson: boolean, { stdout, stderr }: Terminal): number {
  const failed = report.servers.filter(({ state }) => state === 'failed');
  for (const { warnings } of failed) stderr.write(`${showControls(warnings.join('\n'))}\n`);
  if (failed.length > 0) return 1;
  const { declaration } = findTool(tools, name, 'TOOL');
  const shown = report.servers.flatMap((server) => server.tools).filter((tool) => tool.name === declaration.name);
  for (const tool of shown) stdout.write(isJson ? printJson(tool) : printTool(tool));
  return 0;
}

async function sign(
  what: 'in' | 'out',
  servers: readonly ConfiguredServer[],
  timeoutMs: number,
  terminal: Terminal,
): Promise<number> {
  const [server, ...others] = servers;
  if (server === undefined || others.length > 0) throw new UsageError(`--sign-${what} wants one SERVER.`);
  const { key, config, problem } = server;
  if (config === undefined) throw new UsageError(`--sign-${what}: "${key}" ${problem ?? 'is disabled'}.`);
  await (what === 'in' ? signIn({ key, config, timeoutMs }, terminal) : signOut({ key, config }, terminal));
  return 0;
}

function readArgs(args: readonly string[]): Wanted {
  const { values, tokens } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, tokens: true });
  const callAt = tokens.findIndex((token) => token.kind === 'option' && token.name === 'call');
  const words = tokens.flatMap((token, at) => (token.kind === 'positional' ? [{ at, value: token.value }] : []));
  const before = words.filter(({ at }) => callAt === -1 || at < callAt).map(({ value }) => value);
  const after = words.filter(({ at }) => callAt !== -1 && at > callAt).map(({ value }) => value);
  const [server, tool] = before;
  if (before.length > (callAt === -1 ? 2 : 1))
    throw new UsageError(`One SERVER and one TOOL at most, not ${before.join(' and ')}.`);
  const signs = SIGNS.filter((way) => values[`sign-${way}`] === true);
  if (signs.length > 1 || (signs.length > 0 && (tool ?? values.call) !== undefined))
    throw new UsageError('Use either --sign-in or --sign-out, with one SERVER and no other action.');
  if (after.length > 1) throw new UsageError('--call TOOL takes its arguments as one JSON text: put it in quotes.');
  if (values.config === '-' && after[0] === '-')
    throw new UsageError('--config - and --call TOOL - both read standard input: put one of them into a file.');
  return {
    config: values.config,
    server,
    tool,
    call: values.call === undefined ? undefined : { tool: values.call, json: after[0] },
    signs: signs[0],
    timeoutMs: values.timeout === undefined ? undefined : readTimeout(values.timeout),
    isJson: values.json === true,
    isAllowed: values.yes === true,
    showsMessages: values.messages === true,
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
