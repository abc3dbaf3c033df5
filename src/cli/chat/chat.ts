import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { recordEvents } from '../../node/record-events.js';
import type { McpServers } from '../../tools/mcp/server-config.js';
import { followAbort } from '../../util/abort.js';
import { createResponsesProvider, type ResponsesProviderV4 } from '../../v4.js';
import { type Command, type Terminal, UsageError } from '../command.js';
import { firstModel } from '../first-model.js';
import { readMcpFile } from '../mcp/read-config.js';
import { readAll } from '../read-all.js';
import { readServer, type Server, SERVER_HELP, SERVER_OPTIONS } from '../server-options.js';
import { askPerson, denyAll } from './approve-calls.js';
import { Conversation } from './conversation.js';
import { Dialog } from './dialog.js';
import { Screen } from './screen.js';

const TRANSPORTS = ['sse', 'websocket', 'auto'] as const;

const help = `Usage: npx responses-loop chat [options]
       echo "a question" | npx responses-loop chat [options]

Talks to a model, with the tools of MCP servers. Text goes to standard output, all else to standard error.

${SERVER_HELP}  --mcp-config FILE   { "mcpServers": { … } }
  --system TEXT       instructions
  --yes               runs tools unasked; else each call is asked about, and denied where nobody can be asked
  --events FILE       writes down what happens
  --transport NAME    ${TRANSPORTS.join(', ')} (default sse)

In the chat: /tools lists the tools, /clear forgets what was said, /exit ends. Ctrl-C stops an answer; at the prompt it ends.
`;

const OPTIONS = {
  ...SERVER_OPTIONS,
  'mcp-config': { type: 'string' },
  system: { type: 'string' },
  yes: { type: 'boolean' },
  events: { type: 'string' },
  transport: { type: 'string' },
} as const;

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const server = readServer(values, terminal.env);
  checkKey(server);
  const transport = TRANSPORTS.find((name) => name === (values.transport ?? 'sse'));
  if (transport === undefined) throw new UsageError(`--transport: it is one of ${TRANSPORTS.join(', ')}.`);
  const screen = new Screen(terminal);
  const mcpServers = await readServers(values['mcp-config'], terminal, screen);
  const model = server.model ?? (await firstModel(server, terminal.signal));
  const recorder = values.events === undefined ? undefined : recordEvents(resolve(terminal.cwd, values.events));
  const dialog = terminal.stdin.isTTY === true ? new Dialog(terminal) : undefined;
  const ask = dialog === undefined ? denyAll(screen) : askPerson(dialog, screen);
  const { baseURL, apiKey, headers } = server;
  const provider = createResponsesProvider({
    ...{ baseURL, apiKey, headers, mcpServers, transport },
    approve: values.yes === true ? undefined : ask,
    onEvent: (event) => {
      recorder?.(event);
      if (event.type === 'mcp-error') screen.warn(event.message);
    },
  });
  try {
    const conversation = new Conversation(provider(model), values.system);
    if (dialog === undefined) return await answerOnce(conversation, screen, terminal);
    screen.note(`${model} at ${baseURL}; /tools, /clear, /exit`);
    await converse(dialog, { conversation, screen, provider, signal: terminal.signal });
    return terminal.signal.aborted ? 130 : 0;
  } finally {
    dialog?.close();
    await provider.close();
    recorder?.close();
  }
}

async function answerOnce(conversation: Conversation, screen: Screen, terminal: Terminal): Promise<number> {
  const question = (await readAll(terminal)).trim();
  if (question === '') throw new UsageError('There is no question on standard input.');
  await conversation.say(question, screen, terminal.signal);
  terminal.signal.throwIfAborted();
  return screen.hasFailed ? 1 : 0;
}

interface Chat {
  readonly conversation: Conversation;
  readonly screen: Screen;
  readonly provider: ResponsesProviderV4;
  readonly signal: AbortSignal;
}

async function converse(dialog: Dialog, { conversation, screen, provider, signal }: Chat): Promise<void> {
  for (let line = await dialog.ask('> '); line !== undefined; line = await dialog.ask('> ')) {
    const said = line.trim();
    if (said === '/exit') return;
    if (said === '/clear') conversation.clear();
    else if (said === '/tools') await listTools(provider, screen);
    else if (said.startsWith('/')) screen.note('There are /tools, /clear and /exit.');
    else if (said !== '') {
      const { controller, release } = followAbort(signal);
      dialog.onInterrupt = () => controller.abort();
      await conversation.say(said, screen, controller.signal);
      dialog.onInterrupt = undefined;
      release();
    }
  }
}

async function listTools(provider: ResponsesProviderV4, screen: Screen): Promise<void> {
  const tools = await provider.listTools();
  if (tools.length === 0) screen.note('There are no tools; --mcp-config FILE brings some.');
  for (const { name, source, readOnly } of tools) screen.note(`${name} (${source}${readOnly ? ', read-only' : ''})`);
}

async function readServers(path: string | undefined, terminal: Terminal, screen: Screen): Promise<McpServers> {
  if (path === undefined) return {};
  if (path === '-') throw new UsageError('--mcp-config: standard input is for what is said; name a file.');
  const { servers } = await readMcpFile(path, terminal);
  for (const { key, problem } of servers) if (problem !== undefined) screen.warn(`${key}: ${problem}`);
  return Object.fromEntries(servers.flatMap(({ key, config }) => (config === undefined ? [] : [[key, config]])));
}

function checkKey({ baseURL, apiKey, headers }: Server): void {
  const isHere = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(baseURL).hostname);
  const hasHeader = Object.keys(headers).some((name) => /^(?:authorization|api-key|x-api-key)$/i.test(name));
  if (isHere || hasHeader || apiKey !== undefined) return;
  throw new UsageError(
    'There is no key for this server: set OPENAI_API_KEY, or name another variable with --api-key-env; --base-url names a server on this machine, which needs none.',
  );
}

export const chat: Command = { help, run };
