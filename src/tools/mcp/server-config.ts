import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { JsonObject } from '../../core/json.js';
import type { Limits } from '../../core/limits.js';
import { isClientLike, type McpClientLike } from './connect/client-like.js';

/**
 * MCP servers by key, in the shape of the `mcpServers` object of MCP clients' config files. Of other clients' fields,
 * `serverUrl` and `httpUrl` are read as `url`, `disabledTools` as additional `denyTools`, and `enabled: false` as
 * `disabled`. `autoApprove`, `alwaysAllow`, `description` and the like are ignored. `timeout` is refused, because some
 * clients count it in seconds and others in milliseconds; use `timeoutMs`.
 */
export type McpServers = Readonly<Record<string, McpServerEntry>>;

/** The limits in the settings that apply to MCP servers. */
export type McpLimits = Pick<Limits, 'messageBytes' | 'toolsPerServer' | 'descriptionChars' | 'schemaChars'>;

/** The settings of a server, or a connected client. */
export type McpServerEntry = McpServerConfig | McpClientLike;

/** An MCP server: how to reach it, or a client that is connected already. */
export type McpServerConfig = McpTransportConfig | McpClientConfig;

/** A server to which the provider connects. */
export type McpTransportConfig = McpStdioConfig | McpHttpConfig;

export interface McpCommonConfig {
  /**
   * Longest silence of one tool call in milliseconds; progress and questions to the user (`onElicitation`) restart it.
   * 0 means no limit.
   * @default the provider's `toolTimeoutMs`
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Longest duration of one tool call in milliseconds, with or without progress; 0 means no limit.
   * @default ten times the silence
   */
  readonly totalTimeoutMs?: number | undefined;
  /** Characters of a result that the model reads in one piece. @default the provider's `maxToolOutputChars` */
  readonly maxOutputChars?: number | undefined;
  /** Ignores the server without deleting its entry. */
  readonly disabled?: boolean | undefined;
  /**
   * Offers only these tools: their names at the server, with `*` for any characters; or a function that decides about
   * each tool at every listing. A tool for which the function fails is dropped with a warning.
   * @default all
   * @example ['read_*', 'list_directory']
   * @example (tool) => tool.readOnly
   */
  readonly allowTools?: readonly string[] | ((tool: McpToolDescription) => boolean) | undefined;
  /** Never offers these tools, even if `allowTools` names them. Names or `*` patterns. @default none */
  readonly denyTools?: readonly string[] | undefined;
  /**
   * These tools cost no tokens until the model has searched for them: `'*'`, or a list of names and `*` patterns.
   * OpenAI and Azure search themselves, from GPT-5.4 on, and a call without a `tool_search` tool gets one. Elsewhere
   * it gets `search_tools`, which this package runs.
   * @default none
   */
  readonly deferTools?: '*' | readonly string[] | undefined;
  /**
   * Who may call the server's tools: the model (`'direct'`), or a program that the model wrote (`'programmatic'`, with
   * the tool `programmatic_tool_calling`). OpenAI and Azure.
   * @default the model
   */
  readonly allowedCallers?: readonly ('direct' | 'programmatic')[] | undefined;
  /**
   * Added to `_meta` of each tool call: a tenant, a user. A function is called for each call; its error fails the call
   * before anything is sent. Each call has a unique `responses-loop/idempotency-key` there, and `traceparent` if the
   * provider traces.
   * @default nothing more
   * @example ({ tool }) => ({ 'acme.example/tenant': tenantOf(currentUser()), 'acme.example/why': tool })
   */
  readonly meta?: McpMeta | undefined;
  /** Passes the server's instructions for models on to the model (their first 4,000 characters). @default false */
  readonly useInstructions?: boolean | undefined;
  /**
   * Reads resources that a tool result only links to (the first ten, for at most 30 seconds) and replaces the links by
   * their contents.
   * @default false; the model gets the link
   */
  readonly resolveResourceLinks?: boolean | undefined;
  /**
   * Tells the server that your app shows MCP Apps (extension `io.modelcontextprotocol/ui`), and opens
   * `provider.readAppResource()` and `provider.callAppTool()` for it. A client that you connected yourself has told
   * its server by then.
   * @default false
   */
  readonly apps?: boolean | undefined;
  /**
   * What the model reads of a result with text and `structuredContent`: both, unless the text is the other one as JSON
   * (`'both'`), the text (`'text'`), or the other (`'structured'`). Of an error always both.
   * @default `'both'`
   */
  readonly structuredContent?: 'both' | 'text' | 'structured' | undefined;
}

/**
 * A server that runs as a child process and talks over its standard streams. Node, Bun and Deno only.
 *
 * @example { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] }
 */
export interface McpStdioConfig extends McpCommonConfig {
  /** A process on this machine, named for configurations that name a type for each server. */
  readonly type?: 'stdio' | undefined;
  /** The program, found by `PATH`. No shell starts it, so nothing in it is replaced. */
  readonly command: string;
  /** Passed to the program one by one, without a shell. @default none */
  readonly args?: readonly string[] | undefined;
  /** Added to a few harmless inherited variables (`PATH`, `HOME`, …); no other variable is passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Working directory. @default that of this process */
  readonly cwd?: string | undefined;
}

/**
 * A server that is reached over HTTP.
 *
 * @example { url: 'https://example.com/mcp', headers: async () => ({ Authorization: `Bearer ${await freshToken()}` }) }
 */
export interface McpHttpConfig extends McpCommonConfig {
  /** The address of the server, with `http:` or `https:`. Redirects are followed within its origin. */
  readonly url: string | URL;
  /** @default streamable HTTP, or SSE if the server does not support that */
  readonly type?: McpHttpType | undefined;
  /** Another name for `type`, used in some config files. */
  readonly transport?: McpHttpType | undefined;
  /**
   * Sent with every request. A function is called before each request, so that tokens may expire. It gets the call that
   * the request belongs to; `undefined` for connecting and listing tools.
   *
   * @example (call) => ({ Authorization: `Bearer ${tokenOf(currentUser())}`, 'X-Call': call?.callId ?? 'none' })
   */
  readonly headers?: McpHeaders | undefined;
  /**
   * OAuth: the MCP SDK's interface, kept by the app. Tokens are sent, and renewed once for all requests that the server
   * refuses. If the user has to sign in, `redirectToAuthorization` is called once. The server's tools are dropped with
   * a warning until `provider.finishSignIn()` or the app has new tokens. The provider never opens a browser.
   */
  readonly authProvider?: OAuthClientProvider | undefined;
}

export type McpHeaderValues = Readonly<Record<string, string>>;

/** Headers of requests to an MCP server, or a function that returns them for each request. */
export type McpHeaders =
  | McpHeaderValues
  | ((call: McpCallContext | undefined) => McpHeaderValues | PromiseLike<McpHeaderValues>);

/** A tool as its server describes it. The server may lie, so these are hints. */
export interface McpToolDescription {
  /** The name at the server. */
  readonly name: string;
  /** A name for people. */
  readonly title?: string;
  /** The server's description of the tool, for the model. */
  readonly description?: string;
  /** The JSON schema of the arguments. */
  readonly inputSchema: JsonObject;
  /** `annotations.readOnlyHint`; `false` if the server sends none. */
  readonly readOnly: boolean;
  /** The annotations as the server sent them. */
  readonly annotations: McpToolAnnotations;
}

/** Hints of a server about its tool. A server can be wrong or lie. */
export interface McpToolAnnotations {
  /** The tool changes nothing. */
  readonly readOnlyHint?: boolean;
  /** The tool may overwrite or delete something. */
  readonly destructiveHint?: boolean;
  /** To run it twice with the same arguments changes nothing more. */
  readonly idempotentHint?: boolean;
  /** The tool reaches things outside of its server, such as the web. */
  readonly openWorldHint?: boolean;
}

/** The tool call that a request belongs to. */
export interface McpCallContext {
  /** The model's id for the call, as in the AI SDK's parts. */
  readonly callId: string;
  /** The tool's name at its server. */
  readonly tool: string;
  /** Fires when the call no longer needs an answer. */
  readonly signal: AbortSignal;
}

/** Notes for the server in the `_meta` of each call, or a function that returns them. */
export type McpMeta =
  | Readonly<Record<string, unknown>>
  | ((call: McpCallContext) => Readonly<Record<string, unknown>> | PromiseLike<Readonly<Record<string, unknown>>>);

/**
 * A connected client, with settings of this package. Its maker reconnects and closes it: `close()` of the provider
 * leaves it open. While it is disconnected its tools are dropped with a warning.
 *
 * @example { client: await connectSomehow(), allowTools: ['search'] }
 */
export interface McpClientConfig extends McpCommonConfig {
  /** The connected client; the provider does not close it. */
  readonly client: McpClientLike;
}

type McpHttpType = 'http' | 'streamable-http' | 'sse';

export function isStdioConfig(config: McpServerConfig): config is McpStdioConfig {
  return 'command' in config && config.command !== undefined;
}

export function isClientConfig(config: McpServerConfig): config is McpClientConfig {
  return 'client' in config && config.client !== undefined;
}

/** Returns an entry with its options, in either spelling. */
export function toServerConfig(entry: McpServerEntry): McpServerConfig {
  if (isClientLike(entry)) return { client: entry };
  // The entry was checked when the provider was created.
  return translateForeignFields({ ...entry }) as object as McpServerConfig;
}

/** Some clients' files have `enabled: false`. */
export function isDisabled(config: object): boolean {
  return ('disabled' in config && config.disabled === true) || ('enabled' in config && config.enabled === false);
}

type Entry = Record<string, unknown>;

/** Other clients' names for our fields, if the meaning is certain. */
const ALIASES: readonly (readonly [foreign: string, ours: 'url' | 'denyTools'])[] = [
  ['serverUrl', 'url'],
  ['httpUrl', 'url'],
  ['disabledTools', 'denyTools'],
];

/** Translates an entry of another client's file. Two lists of denied tools are joined. */
export function translateForeignFields(entry: Entry): Entry {
  const translated = { ...entry };
  for (const [foreign, ours] of ALIASES) {
    const { [foreign]: given, [ours]: known } = translated;
    delete translated[foreign];
    if (given === undefined) continue;
    // Anything but a list remains, so that the check finds it.
    translated[ours] = known !== undefined && ours === 'denyTools' ? [known, given].flat() : (known ?? given);
  }
  return translated;
}

/** Finds two addresses in one entry, because either could be meant. */
export function foreignClash(entry: Entry): string | undefined {
  const [first, second] = ['command', 'client', 'url', 'serverUrl', 'httpUrl'].filter(
    (name) => entry[name] !== undefined,
  );
  const isForeign = ALIASES.some(([foreign]) => foreign === second);
  return isForeign ? `has both \`${first}\` and \`${second}\`; keep one of them` : undefined;
}

/** Words a complaint about a translated entry in the names of the entry. */
export function inForeignWords(complaint: string, entry: Entry): string {
  // A complaint about two addresses names both, so it keeps our name.
  const used = ALIASES.filter(
    ([foreign, ours]) => entry[foreign] !== undefined && (ours !== 'url' || entry[ours] === undefined),
  );
  return used.reduce((text, [foreign, ours]) => text.replace(`\`${ours}\``, `\`${foreign}\``), complaint);
}
