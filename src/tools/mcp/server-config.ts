import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { JsonObject } from '../../core/json.js';
import type { Limits } from '../../core/limits.js';
import { isClientLike, type McpClientLike } from './connect/client-like.js';

/**
 * MCP servers by key, in the shape of the `mcpServers` object of MCP client config files. Of the fields that other clients
 * have in such files, `serverUrl` and `httpUrl` are read as `url`, `disabledTools` as more of `denyTools`, and
 * `enabled: false` as `disabled`; `autoApprove`, `alwaysAllow`, `description` and the like mean nothing here. `timeout` is
 * refused, because some clients count it in seconds and others in milliseconds: it is `timeoutMs` here.
 */
export type McpServers = Readonly<Record<string, McpServerEntry>>;

/** The limits of the settings that hold for MCP servers. */
export type McpLimits = Pick<Limits, 'messageBytes' | 'toolsPerServer' | 'descriptionChars' | 'schemaChars'>;

/** Settings of a server, or a client that is connected already. */
export type McpServerEntry = McpServerConfig | McpClientLike;

export type McpServerConfig = McpTransportConfig | McpClientConfig;

/** A server we connect to ourselves. */
export type McpTransportConfig = McpStdioConfig | McpHttpConfig;

export interface McpCommonConfig {
  /**
   * Longest silence of one tool call in milliseconds; progress and questions to a person (`onElicitation`) start it anew.
   * 0 means none. Default: the provider's `toolTimeoutMs`.
   */
  readonly timeoutMs?: number | undefined;
  /** Longest duration of one tool call in milliseconds, progress or not; 0 means none. Default: ten times the silence. */
  readonly totalTimeoutMs?: number | undefined;
  /** Leaves the server out without deleting its entry. */
  readonly disabled?: boolean | undefined;
  /**
   * Only these tools are offered: names as the server has them, `*` stands for any characters; or a function that decides
   * about each tool, by what the server says of it, whenever the tools are listed. A tool about which it fails is left out with
   * a warning. Default: all.
   *
   * @example ['read_*', 'list_directory']
   * @example (tool) => tool.readOnly
   */
  readonly allowTools?: readonly string[] | ((tool: McpToolDescription) => boolean) | undefined;
  /** These tools are never offered, whatever `allowTools` says. Names or `*` patterns. Default: none. */
  readonly denyTools?: readonly string[] | undefined;
  /**
   * These tools cost no tokens until the model has searched for them: `'*'`, or a list of names and `*` patterns. OpenAI and
   * Azure, from GPT-5.4 on; elsewhere they are offered as all others, with a warning. A call that has no `tool_search` tool
   * gets one. Default: none.
   */
  readonly deferTools?: '*' | readonly string[] | undefined;
  /**
   * Who may call its tools: the model (`'direct'`), a program that the model wrote (`'programmatic'`, with the tool
   * `programmatic_tool_calling`). OpenAI and Azure. Default: the model.
   */
  readonly allowedCallers?: readonly ('direct' | 'programmatic')[] | undefined;
  /**
   * Put into `_meta` of each call of a tool: a tenant, a user. A function is asked for each call; what it throws fails the
   * call before anything is sent. Every call has `responses-loop/idempotency-key` there, which no other call has, and
   * `traceparent` where the provider traces. Default: nothing more.
   *
   * @example ({ tool }) => ({ 'acme.example/tenant': tenantOf(currentUser()), 'acme.example/why': tool })
   */
  readonly meta?: McpMeta | undefined;
  /** Passes on what the server wants every model to know that uses its tools (its first 4,000 characters). Default: false. */
  readonly useInstructions?: boolean | undefined;
  /**
   * Reads resources that a tool result only links to (the first ten, for at most 30 seconds) and puts their contents in the
   * place of the links. Default: false, the model sees the link.
   */
  readonly resolveResourceLinks?: boolean | undefined;
}

/**
 * A server that is started as a child process and spoken to over its standard streams. Node, Bun and Deno only.
 *
 * @example { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] }
 */
export interface McpStdioConfig extends McpCommonConfig {
  readonly type?: 'stdio' | undefined;
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to a small set of harmless inherited variables (`PATH`, `HOME`, …); nothing else is passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Working directory. Default: that of this process. */
  readonly cwd?: string | undefined;
}

/**
 * A server that is reached over HTTP.
 *
 * @example { url: 'https://example.com/mcp', headers: async () => ({ Authorization: `Bearer ${await freshToken()}` }) }
 */
export interface McpHttpConfig extends McpCommonConfig {
  readonly url: string | URL;
  /** Default: streamable HTTP, and SSE if the server does not know that. */
  readonly type?: McpHttpType | undefined;
  /** Another name for `type`, as some config files have it. */
  readonly transport?: McpHttpType | undefined;
  /**
   * Sent with every request. A function is asked before each of them, so that tokens may expire; with the call that the
   * request belongs to, or `undefined` for what belongs to none (connecting, listing tools).
   *
   * @example (call) => ({ Authorization: `Bearer ${tokenOf(currentUser())}`, 'X-Call': call?.callId ?? 'none' })
   */
  readonly headers?: McpHeaders | undefined;
  /**
   * OAuth: the MCP SDK's interface, kept by the app. Tokens are sent, and renewed once for all requests when the server
   * refuses them. Where a person has to sign in, `redirectToAuthorization` is called once, and the server's tools are left
   * out with a warning until `provider.finishSignIn()` or the app got new ones. A browser is never opened from here.
   */
  readonly authProvider?: OAuthClientProvider | undefined;
}

export type McpHeaderValues = Readonly<Record<string, string>>;

export type McpHeaders =
  | McpHeaderValues
  | ((call: McpCallContext | undefined) => McpHeaderValues | PromiseLike<McpHeaderValues>);

/** What a server says of a tool. It may lie: these are hints. */
export interface McpToolDescription {
  /** As the server has it. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  /** `annotations.readOnlyHint`; `false` where the server says nothing. */
  readonly readOnly: boolean;
  /** As the server sent them. */
  readonly annotations: McpToolAnnotations;
}

export interface McpToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** The call of a tool that something is sent for. */
export interface McpCallContext {
  /** The model's id for the call, as in the AI SDK's parts. */
  readonly callId: string;
  /** The tool's name at its server. */
  readonly tool: string;
  /** Fires when the call is of no use any more. */
  readonly signal: AbortSignal;
}

export type McpMeta =
  | Readonly<Record<string, unknown>>
  | ((call: McpCallContext) => Readonly<Record<string, unknown>> | PromiseLike<Readonly<Record<string, unknown>>>);

/**
 * A client that is connected already, with options of ours. Who made it reconnects and closes it: `close()` of the provider
 * leaves it open. While it is not connected its tools are left out with a warning.
 *
 * @example { client: await connectSomehow(), allowTools: ['search'] }
 */
export interface McpClientConfig extends McpCommonConfig {
  readonly client: McpClientLike;
}

type McpHttpType = 'http' | 'streamable-http' | 'sse';

export function isStdioConfig(config: McpServerConfig): config is McpStdioConfig {
  return 'command' in config && config.command !== undefined;
}

export function isClientConfig(config: McpServerConfig): config is McpClientConfig {
  return 'client' in config && config.client !== undefined;
}

/** An entry with its options, whichever way it was written. */
export function toServerConfig(entry: McpServerEntry): McpServerConfig {
  if (isClientLike(entry)) return { client: entry };
  // Was checked when the provider was created.
  return translateForeignFields({ ...entry }) as object as McpServerConfig;
}

/** Some clients' files say `enabled: false` instead. */
export function isDisabled(config: object): boolean {
  return ('disabled' in config && config.disabled === true) || ('enabled' in config && config.enabled === false);
}

type Entry = Record<string, unknown>;

/**
 * What fields of ours are called in the files of other clients, where the meaning is certain. Not so `timeout`: some clients
 * count it in seconds, others in milliseconds.
 */
const ALIASES: readonly (readonly [foreign: string, ours: 'url' | 'denyTools'])[] = [
  ['serverUrl', 'url'],
  ['httpUrl', 'url'],
  ['disabledTools', 'denyTools'],
];

/** An entry from the file of another client in our words. Of two lists of denied tools both count. */
export function translateForeignFields(entry: Entry): Entry {
  const translated = { ...entry };
  for (const [foreign, ours] of ALIASES) {
    const { [foreign]: given, [ours]: known } = translated;
    delete translated[foreign];
    if (given === undefined) continue;
    // What is no list is left for the check to find.
    translated[ours] = known !== undefined && ours === 'denyTools' ? [known, given].flat() : (known ?? given);
  }
  return translated;
}

/** Two addresses in one entry: it cannot be known which of them is meant. */
export function foreignClash(entry: Entry): string | undefined {
  const [first, second] = ['command', 'client', 'url', 'serverUrl', 'httpUrl'].filter(
    (name) => entry[name] !== undefined,
  );
  const isForeign = ALIASES.some(([foreign]) => foreign === second);
  return isForeign ? `has both \`${first}\` and \`${second}\`; keep one of them` : undefined;
}

/** A complaint about a translated entry, in the words of the entry. */
export function inForeignWords(complaint: string, entry: Entry): string {
  // With both names in it, a complaint about two addresses names ours on purpose.
  const used = ALIASES.filter(
    ([foreign, ours]) => entry[foreign] !== undefined && (ours !== 'url' || entry[ours] === undefined),
  );
  return used.reduce((text, [foreign, ours]) => text.replace(`\`${ours}\``, `\`${foreign}\``), complaint);
}
