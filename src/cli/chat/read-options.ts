import { parseArgs } from 'node:util';
import type { McpServers } from '../../tools/mcp/server-config.js';
import { type Terminal, UsageError } from '../command.js';
import { isHere } from '../is-here.js';
import { readMcpFile } from '../mcp/read-config.js';
import type { Price } from '../../v4.js';
import { readPrice } from './read-price.js';
import { hasKeyHeader, readServer, type Server, SERVER_HELP, SERVER_OPTIONS } from '../server-options.js';

const TRANSPORTS = ['sse', 'websocket', 'auto'] as const;

export const help = `Usage: npx responses-loop chat [options]
       echo "a question" | npx responses-loop chat [options]

Chat with a model that uses your MCP tools. Answers go to standard output, everything else to standard error.

${SERVER_HELP}  --mcp-config FILE   { "mcpServers": { … } }
  --system TEXT       instructions for the model
  --yes               run tools without asking (default: ask, and deny calls if there is no terminal)
  --events FILE       record events, for a timeline
  --price IN,OUT      prices per million tokens, optionally with a third one for cached input: 1.25,10,0.125
  --transport NAME    ${TRANSPORTS.join(', ')} (default sse)

In the chat: /tools lists the tools, /clear starts a new conversation, /exit ends the chat. Ctrl-C stops an answer; at the prompt, it ends the chat.
`;

const OPTIONS = {
  ...SERVER_OPTIONS,
  'mcp-config': { type: 'string' },
  system: { type: 'string' },
  yes: { type: 'boolean' },
  events: { type: 'string' },
  price: { type: 'string' },
  transport: { type: 'string' },
} as const;

export interface ChatOptions {
  readonly server: Server;
  readonly transport: (typeof TRANSPORTS)[number];
  readonly mcpServers: McpServers;
  /** Secrets that the servers' entries took from the environment. */
  readonly mcpSecrets: readonly string[];
  readonly system: string | undefined;
  readonly runsUnasked: boolean;
  readonly eventsFile: string | undefined;
  readonly price: Price | undefined;
}

/** @param warn gets the faults of single MCP servers. */
export async function readOptions(
  args: readonly string[],
  terminal: Terminal,
  warn: (text: string) => void,
): Promise<ChatOptions> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const server = readServer(values, terminal.env);
  checkKey(server);
  const transport = TRANSPORTS.find((name) => name === (values.transport ?? 'sse'));
  if (transport === undefined) throw new UsageError(`--transport: it is one of ${TRANSPORTS.join(', ')}.`);
  const price = readPrice(values.price);
  const { mcpServers, mcpSecrets } = await readServers(values['mcp-config'], terminal, warn);
  const { system, events: eventsFile } = values;
  return { server, transport, mcpServers, mcpSecrets, system, runsUnasked: values.yes === true, eventsFile, price };
}

async function readServers(
  path: string | undefined,
  terminal: Terminal,
  warn: (text: string) => void,
): Promise<Pick<ChatOptions, 'mcpServers' | 'mcpSecrets'>> {
  if (path === undefined) return { mcpServers: {}, mcpSecrets: [] };
  if (path === '-') throw new UsageError('--mcp-config: standard input is for your messages; name a file instead.');
  const { servers } = await readMcpFile(path, terminal);
  for (const { key, problem } of servers) if (problem !== undefined) warn(`${key}: ${problem}`);
  const usable = servers.flatMap(({ key, config }) => (config === undefined ? [] : [[key, config] as const]));
  return { mcpServers: Object.fromEntries(usable), mcpSecrets: servers.flatMap(({ secrets = [] }) => secrets) };
}

function checkKey(server: Server): void {
  if (isHere(server.baseURL) || hasKeyHeader(server) || server.apiKeys.length > 0) return;
  throw new UsageError(
    'No API key for this server: set OPENAI_API_KEY, or name another variable with --api-key-env; a server on this machine (--base-url) needs no key.',
  );
}
