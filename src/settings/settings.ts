import type { PrepareRound } from '../between/prepare-round.js';
import type { Price } from '../between/price.js';
import type { Steering } from '../between/steering.js';
import type { StopCondition } from '../between/stop-when.js';
import type { Journal } from '../journal/journal.js';
import type { Given, GivenForModels, LIMITS, LOOP_LIMITS, RETRIES, SOCKETS, TIMEOUTS } from '../core/limits.js';
import type { Profile } from '../core/profile.js';
import type { Observer } from '../observe/event.js';
import type { OutputStore } from '../outputs/output-store.js';
import type { BodyOverride } from '../request/body-override.js';
import type { AuthFunction, HeaderSetting, TransformRequest } from './request-hooks.js';
import type { ApiKeySetting } from '../request/key-pool.js';
import type { ProfileName } from '../request/profiles.js';
import type { OnUnknownTool } from '../loop/loop-options.js';
import type { Approve } from '../tools/call/approval.js';
import type { RedactToolOutput } from '../tools/call/redact-output.js';
import type { WebSocketSetting } from '../transport/socket/client-types.js';
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
export interface ResponsesProviderSettings extends Given<typeof LOOP_LIMITS> {
  /**
   * The root URL of the API, with or without `/v1`, a trailing slash or `/responses`. If it ends in `#`, it is used
   * exactly as written.
   * @default `OPENAI_BASE_URL`; if unset, OpenAI's URL
   */
  readonly baseURL?: string | undefined;
  /**
   * The server's profile: the name of a built-in profile, or your own profile.
   * @default `'auto'`, which picks a profile by host name
   */
  readonly backend?: 'auto' | ProfileName | Profile | undefined;
  /**
   * A key, several keys separated by commas, an array of keys, or a function that returns a key per call. Several
   * keys are used in turn, per model; all rounds of a call use one, until the server refuses it.
   * @default `OPENAI_API_KEY`, for OpenAI only
   */
  readonly apiKey?: ApiKeySetting | undefined;
  /**
   * How to send the key: `'bearer'`, `'api-key'`, `'x-goog-api-key'`, `'none'`, or a function that returns headers
   * for each request (for Entra, OAuth or signatures).
   * @default from the profile, usually `'bearer'`
   */
  readonly auth?: Profile['auth'] | AuthFunction | undefined;
  /** OpenAI: the organization to bill, sent in the `OpenAI-Organization` header. */
  readonly organization?: string | undefined;
  /** OpenAI: the project to bill, sent in the `OpenAI-Project` header. */
  readonly project?: string | undefined;
  /** Azure: the resource name, instead of a `baseURL`. */
  readonly resourceName?: string | undefined;
  /** Azure: `v1`, `preview`, or a dated version (for the older route). */
  readonly apiVersion?: string | undefined;
  /** Azure: puts the model id in the path as the deployment name, instead of in the body. @default `false` */
  readonly useDeploymentBasedUrls?: boolean | undefined;
  /** Headers for every request, or a function that returns headers for each request; `null` removes a header. */
  readonly headers?: HeaderSetting | undefined;
  /** Query parameters to add to every request URL; `null` removes a parameter. */
  readonly query?: Readonly<Record<string, string | null>> | undefined;
  /**
   * The function that sends all requests to the model server and to MCP servers.
   * @default the global `fetch`, looked up for each request
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * How to send requests: over HTTP with the whole conversation each time (`'sse'`); over a WebSocket with only the new
   * items (`'websocket'`); or over HTTP in the first round, then over a WebSocket if the server is known to
   * support WebSockets (`'auto'`).
   * @default `'sse'`
   */
  readonly transport?: 'sse' | 'websocket' | 'auto' | undefined;
  /**
   * A class such as `WebSocket` from the `ws` package, or a function that creates a socket from
   * `{ url, headers, signal }`.
   * @default the `ws` package if installed; otherwise the runtime's own class, if it can send headers (not in
   * browsers)
   */
  readonly webSocket?: WebSocketSetting | undefined;
  /** How many sockets may be open, and for how long. */
  readonly sockets?: Given<typeof SOCKETS> | undefined;
  /** The provider name in `model.provider`; it cannot end in `.responses`. @default `'responses-loop'` */
  readonly name?: string | undefined;
  /**
   * Overrides for certain model ids: `headers`, `query`, `body`, `backend`, `transport` and `limits`; `*` in an id
   * matches anything. They are merged deeply, in the order given; `null` removes a field.
   */
  readonly models?: Readonly<Record<string, ModelOverrides>> | undefined;
  /** Runs just before each request: receives `url`, `headers` and `body`, and returns changes. */
  readonly transformRequest?: TransformRequest | undefined;

  /** MCP servers by name, in the format of MCP clients' config files. They are connected when first needed. */
  readonly mcpServers?: McpServers | undefined;
  /** Answers questions from MCP servers on the user's behalf; if unset, servers cannot ask questions. */
  readonly onElicitation?: OnElicitation | undefined;
  /**
   * Called when an MCP server's tools change; if the function returns `false`, added and changed tools are not offered.
   */
  readonly onToolsChanged?: OnToolsChanged | undefined;
  /**
   * Functions in your program that the model may call; each key is a tool's name. AI SDK tools with `execute` also
   * work.
   */
  readonly tools?: Readonly<Record<string, LocalTool>> | undefined;
  /**
   * How many tools run at a time: with `'auto'`, read-only tools run in parallel, even while the model is still
   * writing, and other tools run one by one; with a number, up to that many tools run in parallel after the round has
   * ended. With `journal`, no tool starts early.
   * @default `'auto'`
   */
  readonly toolConcurrency?: 'auto' | number | undefined;
  /**
   * Who runs the provider's tools: this package's loop (`'model'`), or the AI SDK (`'sdk'`); with `'sdk'`,
   * each call needs `tools: await provider.tools({ runBy: 'sdk' })`. The loop then never offers them.
   * @default `'model'`, until you call `provider.tools({ runBy: 'sdk' })`
   */
  readonly runTools?: 'model' | 'sdk' | undefined;
  /**
   * Called before each follow-up round: can add messages, end the loop, or change the tools, model or reasoning effort
   * for that round. A rejection ends the call. Named after `prepareStep`, which is not called between our rounds.
   * @default none
   * @example
   * prepareRound: ({ roundNumber }) => (roundNumber > 5 ? { model: 'gpt-5.1-mini' } : undefined)
   */
  readonly prepareRound?: PrepareRound | undefined;
  /**
   * Conditions that end the loop, checked after each round in which tools ran. Built-in ones are `afterTool(name)`,
   * `tokenBudget(n)` and `costBudget(n)`. Limits such as `maxRounds` also end loops.
   * @default none
   * @example
   * createResponsesProvider({ stopWhen: [afterTool('submit'), tokenBudget(200_000)] });
   */
  readonly stopWhen?: StopCondition | readonly StopCondition[] | undefined;
  /**
   * Computes a round's cost from its token usage, for `stopWhen`, `prepareRound` and the `bill` in events.
   * @default none; costs are unknown
   */
  readonly price?: Price | undefined;
  /** A handle from `createSteering()` for passing user messages to running calls. @default none */
  readonly steering?: Steering | undefined;
  /**
   * Stores the parts that are cut from long outputs; the model can read these parts with the `read_output` tool in this
   * turn and later turns.
   * @default in memory, up to 32 million characters across all conversations
   * @example
   * createResponsesProvider({ outputs: { put: (id, text) => redis.set(id, text), get: (id) => redis.get(id) } });
   */
  readonly outputs?: OutputStore | undefined;
  /**
   * Decides whether a call to one of the provider's tools may run; see `approveByAnnotations`.
   * @default all calls run
   */
  readonly approve?: Approve | undefined;
  /**
   * A secret of at least 16 characters for signing this package's metadata and approvals in histories; all processes
   * that serve a chat must share the secret. Set it wherever histories come from clients: unsigned metadata is then
   * left out with a warning. `undefined` is refused. Without it, a client may make up anything that an earlier answer
   * of the model could contain.
   * @default none; nothing is signed
   * @example
   * createResponsesProvider({ historySecret: process.env.HISTORY_SECRET });
   */
  readonly historySecret?: string | undefined;
  /**
   * How long an approval request stays valid, in milliseconds; a later approval counts as a denial. Needs
   * `historySecret`. With a limit, the id of the request contains its time.
   * @default no limit
   */
  readonly approvalMaxAgeMs?: number | undefined;
  /**
   * Records rounds and tool runs, so that a call can continue after its process dies (a `Journal`, or a function that
   * returns one per call). It needs an engine for durable execution, or a table. If the function returns
   * `undefined`, the call is not recorded. See `docs/durability.md`.
   * @example
   * createResponsesProvider({ journal: () => journals.getStore() });
   */
  readonly journal?: Journal | (() => Journal | undefined) | undefined;
  /** Changes a tool's output before the output reaches the model, events or history, for example to remove secrets. */
  readonly redactToolOutput?: RedactToolOutput | undefined;
  /**
   * What to do if the model calls an unknown tool: send the model the list of tools (`'error'`), or leave the call to
   * the AI SDK (`'client'`).
   * @default `'error'`; `'client'` if the provider offers no tools
   */
  readonly onUnknownTool?: OnUnknownTool | undefined;
  /**
   * What to do if a tool in the call has the same name as one of the provider's tools: rename the
   * provider's tool to `<server>__<tool>` (`'rename'`), or warn and leave out the call's tool (`'loop'`).
   * @default `'rename'`
   */
  readonly nameClash?: 'rename' | 'loop' | undefined;
  /**
   * Which calls and results of the provider's tools appear as stream parts: `'all'`, `'none'`, or only those of tools
   * declared in the call's `tools` (`'declared'`).
   * @default `'declared'` with AI SDK 5, which fails on undeclared tools; `'all'` with `/ai6` and `/ai7`
   */
  readonly toolParts?: 'declared' | 'all' | 'none' | undefined;
  /**
   * Where the progress of the provider's tools appears: only in `onEvent` (`'events'`) or, with `/ai6` and `/ai7`, also
   * as preliminary results in streams (`'parts'`).
   * @default `'events'`, because AI SDK 6 and 7 count a provider's preliminary results as additional results
   */
  readonly toolProgress?: 'events' | 'parts' | undefined;
  /**
   * Where a history keeps hidden calls (those that the stream did not show) for the next turn: in the metadata of a
   * call or a text part (`'metadata'`); in the metadata of a call or an empty reasoning part (`'reasoning'`); or
   * nowhere (`'none'`).
   * @default `'metadata'`
   */
  readonly carrier?: 'metadata' | 'reasoning' | 'none' | undefined;

  /** How long to wait for servers, and for a whole call. */
  readonly timeouts?: Given<typeof TIMEOUTS> | undefined;
  /** What is retried, and after which pause. */
  readonly retry?: Given<typeof RETRIES> | undefined;
  /**
   * How many resources a server or a model may use. If it exceeds a limit, an error with the code `limit` names the
   * limit.
   * @example
   * createResponsesProvider({ limits: { callsPerRound: 500, toolsPerServer: 3_000 } });
   */
  readonly limits?: Given<typeof LIMITS> | undefined;
  /** Receives events, such as rounds, requests, tool calls, results, retries and MCP connections. */
  readonly onEvent?: Observer | undefined;
}

/** Overrides for some models. */
export interface ModelOverrides {
  /** Headers in addition to the provider's; `null` removes one. */
  readonly headers?: HeaderSetting | undefined;
  /** Query parameters in addition to the provider's; `null` removes one. */
  readonly query?: Readonly<Record<string, string | null>> | undefined;
  /** Merged into the body, or a function that returns the whole new body. */
  readonly body?: BodyOverride | undefined;
  /** What the back end accepts, if these models use a different one. */
  readonly backend?: 'auto' | ProfileName | Profile | undefined;
  /** How requests to this model are sent. */
  readonly transport?: 'sse' | 'websocket' | 'auto' | undefined;
  /** Limits of the loop and of resources, named as in the settings. */
  readonly limits?: LimitOverrides | undefined;
}

/** The limits that can be set for one model. */
export type LimitOverrides = GivenForModels<typeof LOOP_LIMITS & typeof LIMITS>;
