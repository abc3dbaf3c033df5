import type { Journal } from '../core/journal.js';
import type { Limits } from '../core/limits.js';
import type { Profile } from '../core/profile.js';
import type { Observer } from '../observe/event.js';
import type { BodyOverride } from '../request/body-override.js';
import type { AuthFunction, HeaderSetting, TransformRequest } from './request-hooks.js';
import type { ApiKeySetting } from '../request/key-pool.js';
import type { ProfileName } from '../request/profiles.js';
import type { OnUnknownTool } from '../loop/loop-options.js';
import type { Approve } from '../tools/call/approval.js';
import type { RedactToolOutput } from '../tools/call/redact-output.js';
import type { WebSocketSetting } from '../core/socket.js';
import type { LocalTool } from '../tools/local/local-tool.js';
import type { OnElicitation } from '../tools/mcp/elicitation.js';
import type { OnToolsChanged } from '../tools/mcp/review-tools.js';
import type { McpServers } from '../tools/mcp/server-config.js';

/**
 * Settings of a provider. All are optional; with none, it talks to OpenAI with the key in `OPENAI_API_KEY`.
 *
 * @example
 * createResponsesProvider({
 *   baseURL: 'http://localhost:8080/v1',
 *   mcpServers: { files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] } },
 * });
 */
export interface ResponsesProviderSettings {
  /**
   * The root of the API, in any form a person would paste: with or without `/v1`, a trailing slash or `/responses`. A
   * trailing `#` means: use it exactly as it is. Default: `OPENAI_BASE_URL`, else OpenAI.
   */
  readonly baseURL?: string | undefined;
  /** What the back end accepts: the name of a profile, or one of your own. Default `'auto'`: the host decides. */
  readonly backend?: 'auto' | ProfileName | Profile | undefined;
  /**
   * One key, several separated by commas, an array, or a function that is asked for every call. Several are used in
   * turn, per model; all rounds of a call use one. Default for OpenAI: `OPENAI_API_KEY`; elsewhere none.
   */
  readonly apiKey?: ApiKeySetting | undefined;
  /** How the key is sent. Default: what the back end wants, mostly `'bearer'`. */
  readonly auth?: Profile['auth'] | AuthFunction | undefined;
  /** OpenAI: whose account pays, as `OpenAI-Organization` and `OpenAI-Project`. */
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  /** Azure: the resource, in place of a `baseURL`. */
  readonly resourceName?: string | undefined;
  /** Azure: `v1`, `preview`, or the date of a version from before them, which has a route of its own. Default: none. */
  readonly apiVersion?: string | undefined;
  /** Azure: puts the model id into the path as the deployment. Default `false`: it goes into the body. */
  readonly useDeploymentBasedUrls?: boolean | undefined;
  /** Sent with every request; a function is asked for every request. `null` takes a header away. */
  readonly headers?: HeaderSetting | undefined;
  /** Query parameters added to the URL of every request. `null` takes one away. */
  readonly query?: Readonly<Record<string, string | null>> | undefined;
  /** Used for every request, to the model and to MCP servers. Default: the platform's, looked up at each request. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * How requests travel. `'sse'` (default): each over HTTP, with the whole conversation. `'websocket'`: over a socket, which
   * sends only what is new where the server knows the rest; over HTTP where no socket can be had. `'auto'`: a socket is
   * opened when the answer of the first round, over HTTP, calls a tool, and used from the second on; for servers that are
   * known to have them.
   */
  readonly transport?: 'sse' | 'websocket' | 'auto' | undefined;
  /**
   * Makes sockets: a class such as `WebSocket` of the package `ws`, or a function of `{ url, headers, signal }`. Default: the
   * package `ws` where it is installed, else the runtime's own class, if it sends headers (browsers' do not).
   */
  readonly webSocket?: WebSocketSetting | undefined;
  /** At most so many sockets (16), closed after so many idle milliseconds (60,000) or at an age (what the server allows). */
  readonly sockets?:
    | {
        readonly max?: number | undefined;
        readonly idleMs?: number | undefined;
        readonly maxAgeMs?: number | undefined;
      }
    | undefined;
  /** The name models report. Must not end in `.responses`. Default `'responses-loop'`. */
  readonly name?: string | undefined;
  /** Headers and body fields by model id; `*` matches anything. Deep merge, in the order given; `null` removes a field. */
  readonly models?: Readonly<Record<string, ModelOverrides>> | undefined;
  /** The last word on every request; may be asynchronous. */
  readonly transformRequest?: TransformRequest | undefined;

  /** MCP servers by name, in the shape MCP clients keep in their config files. Connected when first needed. */
  readonly mcpServers?: McpServers | undefined;
  /** Answers questions of MCP servers to a person; only with it are they informed that a person can be asked. */
  readonly onElicitation?: OnElicitation | undefined;
  /** Asked when an MCP server lists other tools than before; `false` keeps what was added or changed from being offered. */
  readonly onToolsChanged?: OnToolsChanged | undefined;
  /** Functions of this process that the model may call. AI SDK tools with `execute` fit too. */
  readonly tools?: Readonly<Record<string, LocalTool>> | undefined;
  /** Rounds in which tools may be called; then one closing round makes the model answer. Default 20. */
  readonly maxRounds?: number | undefined;
  /** Tool runs in one call. Default: no limit beside `maxRounds`. */
  readonly maxToolCalls?: number | undefined;
  /** `'auto'` (default): read-only tools overlap and may start while the model streams, the others run alone, in order. */
  readonly toolConcurrency?: 'auto' | number | undefined;
  /** Rounds in a row that only repeat earlier calls with the same results, before the closing round. Default 5. */
  readonly maxRepeatedRounds?: number | undefined;
  /** Milliseconds a tool may be silent; progress extends it. A tool's or server's own setting comes first. Default 60,000. */
  readonly toolTimeoutMs?: number | undefined;
  /** Milliseconds a tool may take in all, progress or not. Default: ten times the silence it is allowed. */
  readonly toolTotalTimeoutMs?: number | undefined;
  /** Characters of a tool's text that are sent; the rest is cut with a visible mark. Default 200,000. */
  readonly maxToolOutputChars?: number | undefined;
  /**
   * Characters of a request's input, above which old outputs of tools are left out of it, the oldest first and in steps; for
   * servers that do not sum up a conversation themselves. What you are given stays whole. See `docs/transports.md`.
   * Default: no limit.
   *
   * @example
   * createResponsesProvider({ baseURL: 'http://localhost:8080/v1', maxLoopChars: 200_000, maxRounds: 500 });
   */
  readonly maxLoopChars?: number | undefined;
  /** Decides about every call of a loop tool before it runs; see `approveByAnnotations`. Default: all may run. */
  readonly approve?: Approve | undefined;
  /**
   * Signs what this package writes into a history and reads back from it: approvals, and metadata of parts (hidden rounds,
   * items of the server, what the model wrote and read, origins of reasoning). Set it wherever histories come from clients:
   * what is not signed is then left out with a warning. At least 16 characters, the same in every process that serves the
   * chat; `undefined` is refused. Default: nothing is signed, and a client may make up whatever an earlier answer of the
   * model can have held.
   *
   * @example
   * createResponsesProvider({ historySecret: process.env.HISTORY_SECRET });
   */
  readonly historySecret?: string | undefined;
  /** The earlier name of `historySecret`. Both may be given if they are the same. */
  readonly approvalSecret?: string | undefined;
  /**
   * How long the user may take to answer a request for approval, in milliseconds; a later yes counts as a no. Needs
   * `historySecret`. Default: no limit. With a limit the time of the request stands in its id.
   */
  readonly approvalMaxAgeMs?: number | undefined;
  /**
   * Keeps rounds and runs of tools, so that a call goes on after its process died: with an engine for durable execution, or a
   * table. A function is asked for every call; where it gives `undefined`, the call is not kept. See `docs/durability.md`.
   *
   * @example
   * createResponsesProvider({ journal: () => journals.getStore() });
   */
  readonly journal?: Journal | (() => Journal | undefined) | undefined;
  /** Takes secrets out of tool outputs before anybody sees them. */
  readonly redactToolOutput?: RedactToolOutput | undefined;
  /** What becomes of calls of tools that do not exist. Default: the model gets an error, or the caller the call if only he has tools. */
  readonly onUnknownTool?: OnUnknownTool | undefined;
  /** Converts the schemas of all loop tools to strict ones where that can be done. Default `false`: what tools ask for. */
  readonly strictSchemas?: boolean | undefined;
  /** Who gives way when a tool of yours and a loop tool share a name: ours is renamed (default), or ours keeps it. */
  readonly nameClash?: 'rename' | 'loop' | undefined;
  /**
   * Which loop tools' parts are emitted: those named in the call's `tools` (default of V2 models, since AI SDK 5 fails on
   * others), all (default of V3 and V4 models), or none.
   */
  readonly toolParts?: 'declared' | 'all' | 'none' | undefined;
  /**
   * How calls and outputs that were not emitted reach the next turn. `'metadata'` (default): in the metadata of the first
   * call of your own tools in the round, else of the round's text, else of an empty reasoning part. `'reasoning'`: the
   * same, but never on a text, for frameworks that drop the metadata of texts. `'none'`: not at all; then they are not read
   * either, nor are items of tools that the server ran.
   */
  readonly carrier?: 'metadata' | 'reasoning' | 'none' | undefined;

  /**
   * Milliseconds; 0 waits for ever. `headersMs` (until a server answers) and `idleMs` (silence inside an answer): 900,000,
   * since models may think that long. `commentsMs` (nothing but comments, which servers send to keep a connection open):
   * 900,000. `connectMs` (until an MCP server is ready): 30,000. `socketMs` (until a WebSocket is open): 10,000. `totalMs` (a whole call, with all rounds and tools): no
   * limit.
   */
  readonly timeouts?:
    | {
        readonly headersMs?: number | undefined;
        readonly idleMs?: number | undefined;
        readonly commentsMs?: number | undefined;
        readonly connectMs?: number | undefined;
        readonly socketMs?: number | undefined;
        readonly totalMs?: number | undefined;
      }
    | undefined;
  /**
   * `maxRetries` of follow-up rounds (2; the AI SDK retries the first one itself), after a random pause of up to
   * `initialDelayMs` (1,000), doubled each time, or as long as the server asks for, if that is not more than `maxDelayMs`
   * (60,000). `maxToolRetries` of tools that failed, for read-only and idempotent ones (0).
   */
  readonly retry?:
    | {
        readonly maxRetries?: number | undefined;
        readonly initialDelayMs?: number | undefined;
        readonly maxDelayMs?: number | undefined;
        readonly maxToolRetries?: number | undefined;
      }
    | undefined;
  /**
   * What a server or a model may cost before it is given up with an error of code `limit` that names the limit; see
   * `Limits`. Defaults: 8 requests, 128 calls and 2,000 polls per round, 64 MB per message, 1,000 tools per MCP server, 8,000 characters
   * of a description, 32,000 of a schema, 4,000 of an error, 500 levels of JSON.
   *
   * @example
   * createResponsesProvider({ limits: { callsPerRound: 500, toolsPerServer: 3_000 } });
   */
  readonly limits?: Partial<Limits> | undefined;
  /** Watches what happens; see `ObserverEvent`. */
  readonly onEvent?: Observer | undefined;
}

/** What is different for some models. */
export interface ModelOverrides {
  readonly headers?: HeaderSetting | undefined;
  readonly query?: Readonly<Record<string, string | null>> | undefined;
  /** Merged into the body, or a function that makes another body of it. */
  readonly body?: BodyOverride | undefined;
  /** What the back end accepts, if it is another for these models. */
  readonly backend?: 'auto' | ProfileName | Profile | undefined;
  readonly transport?: 'sse' | 'websocket' | 'auto' | undefined;
  /** Limits of the loop and of what a server may cost, named as in the settings. */
  readonly limits?: LimitOverrides | undefined;
}

export type LimitOverrides = {
  readonly [
    K in
      | 'maxRounds'
      | 'maxToolCalls'
      | 'maxRepeatedRounds'
      | 'toolTimeoutMs'
      | 'toolTotalTimeoutMs'
      | 'maxToolOutputChars'
      | 'maxLoopChars'
      | 'requestsPerRound'
      | 'callsPerRound'
      | 'messageBytes'
      | 'jsonDepth'
  ]?: number | undefined;
};
