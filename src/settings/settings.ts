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
   * The root of the API, in any form a person would paste: with or without `/v1`, a trailing slash or `/responses`. A
   * trailing `#` means: use it exactly as it is.
   * @default `OPENAI_BASE_URL`, else OpenAI
   */
  readonly baseURL?: string | undefined;
  /** What the server accepts: the name of a profile, or a profile of your own. @default `'auto'`, the host decides */
  readonly backend?: 'auto' | ProfileName | Profile | undefined;
  /**
   * A key, several separated by commas, an array, or a function that is asked for every call. Several are used in
   * turn, per model; all rounds of a call use one, until the server refuses it.
   * @default `OPENAI_API_KEY`, for OpenAI only
   */
  readonly apiKey?: ApiKeySetting | undefined;
  /**
   * How the key is sent: `'bearer'`, `'api-key'`, `'x-goog-api-key'`, `'none'`, or a function that gives headers for
   * each request (Entra, OAuth, signatures).
   * @default what the profile says, mostly `'bearer'`
   */
  readonly auth?: Profile['auth'] | AuthFunction | undefined;
  /** OpenAI: the organization that pays, as the header `OpenAI-Organization`. */
  readonly organization?: string | undefined;
  /** OpenAI: the project that pays, as the header `OpenAI-Project`. */
  readonly project?: string | undefined;
  /** Azure: the name of the resource, in place of a `baseURL`. */
  readonly resourceName?: string | undefined;
  /** Azure: `v1`, `preview`, or the date of an earlier version, which has a route of its own. */
  readonly apiVersion?: string | undefined;
  /** Azure: puts the model id into the path as the deployment, not into the body. @default `false` */
  readonly useDeploymentBasedUrls?: boolean | undefined;
  /** Headers of every request, or a function that is asked for every request; `null` takes a header away. */
  readonly headers?: HeaderSetting | undefined;
  /** Query parameters added to the URL of every request; `null` takes one away. */
  readonly query?: Readonly<Record<string, string | null>> | undefined;
  /** Used for every request, to the model and to MCP servers. @default the platform's, looked up at each request */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * How requests travel: each over HTTP with the whole conversation (`'sse'`), over a WebSocket that sends only what
   * is new (`'websocket'`), or over a socket from the second round on where the server is known to have them
   * (`'auto'`).
   * @default `'sse'`
   */
  readonly transport?: 'sse' | 'websocket' | 'auto' | undefined;
  /**
   * Makes the sockets: a class such as `WebSocket` of the package `ws`, or a function of `{ url, headers, signal }`.
   * @default the package `ws` if it is installed, else the runtime's own class if it sends headers (browsers' do not)
   */
  readonly webSocket?: WebSocketSetting | undefined;
  /** How many sockets there may be, and how long one is kept. */
  readonly sockets?: Given<typeof SOCKETS> | undefined;
  /** The provider name that models report; it must not end in `.responses`. @default `'responses-loop'` */
  readonly name?: string | undefined;
  /**
   * What is different for some models: `headers`, `query`, `body`, `backend`, `transport` and `limits` by model id, where `*`
   * matches anything. Deep merge, in the order given; `null` removes a field.
   */
  readonly models?: Readonly<Record<string, ModelOverrides>> | undefined;
  /** The final hook for every request: gets `url`, `headers` and `body`, returns what is to be different. */
  readonly transformRequest?: TransformRequest | undefined;

  /** MCP servers by name, written as in the config files of MCP clients. They are connected when first needed. */
  readonly mcpServers?: McpServers | undefined;
  /** Answers questions that MCP servers ask a person; without it, servers are told that no person can be asked. */
  readonly onElicitation?: OnElicitation | undefined;
  /** Asked when an MCP server lists other tools than before; `false` keeps what was added or changed from being offered. */
  readonly onToolsChanged?: OnToolsChanged | undefined;
  /** Functions of your program that the model may call, by name. AI SDK tools with `execute` fit too. */
  readonly tools?: Readonly<Record<string, LocalTool>> | undefined;
  /**
   * How many tools run at once: `'auto'` lets read-only tools overlap and start while the model still writes, and runs
   * all others alone, in order; a number lets that many run at once, after the round has ended. With `journal` nothing
   * starts early.
   * @default `'auto'`
   */
  readonly toolConcurrency?: 'auto' | number | undefined;
  /**
   * Who runs our tools: the loop inside the model (`'model'`), or the AI SDK (`'sdk'`), which needs
   * `tools: await provider.tools({ runBy: 'sdk' })` in its calls. With `'sdk'` the loop never offers them.
   * @default the model, until the provider has handed out tools for the AI SDK to run; then only for calls that bring
   * stubs of `provider.tools()`
   */
  readonly runTools?: 'model' | 'sdk' | undefined;
  /**
   * Called before each follow-up round: adds messages, changes tools, model or reasoning effort for this round, or
   * ends the loop. A rejection ends the call. Named after `prepareStep`, which is not called between our rounds.
   * @default none
   * @example
   * prepareRound: ({ roundNumber }) => (roundNumber > 5 ? { model: 'gpt-5.1-mini' } : undefined)
   */
  readonly prepareRound?: PrepareRound | undefined;
  /**
   * Ends the loop: conditions that are asked behind each round whose tools have run. Ready ones are `afterTool(name)`,
   * `tokenBudget(n)` and `costBudget(n)`. Limits such as `maxRounds` end loops, too.
   * @default none
   * @example
   * createResponsesProvider({ stopWhen: [afterTool('submit'), tokenBudget(200_000)] });
   */
  readonly stopWhen?: StopCondition | readonly StopCondition[] | undefined;
  /**
   * Returns the cost of a round's usage, for `stopWhen`, `prepareRound` and the bill in events.
   * @default costs are unknown
   */
  readonly price?: Price | undefined;
  /** A handle of `createSteering()`, which brings texts of the user into calls that are under way. @default none */
  readonly steering?: Steering | undefined;
  /**
   * Keeps what is cut out of long outputs, so that the model can read it with the tool `read_output`, in this turn and
   * in later ones.
   * @default in memory, up to 32 million characters of all conversations
   * @example
   * createResponsesProvider({ outputs: { put: (id, text) => redis.set(id, text), get: (id) => redis.get(id) } });
   */
  readonly outputs?: OutputStore | undefined;
  /** Decides about every call of our tools before it runs; see `approveByAnnotations`. @default all may run */
  readonly approve?: Approve | undefined;
  /**
   * Signs what this package writes into a history and reads back from it, approvals among it: at least 16 characters,
   * the same in every process that serves the chat. Set it wherever histories come from clients: what is not signed is
   * then left out with a warning. `undefined` is refused. Without it a client may make up whatever an earlier answer
   * of the model can have held.
   * @default nothing is signed
   * @example
   * createResponsesProvider({ historySecret: process.env.HISTORY_SECRET });
   */
  readonly historySecret?: string | undefined;
  /**
   * Milliseconds within which a request for approval may be answered; a later yes counts as a no. Needs
   * `historySecret`. With a limit the time of the request stands in its id.
   * @default no limit
   */
  readonly approvalMaxAgeMs?: number | undefined;
  /**
   * Keeps rounds and runs of tools, so that a call goes on after its process died: a `Journal`, or a function that is asked
   * for every call. With an engine for durable execution, or a table. Where the function gives `undefined`, the call is not
   * kept. See `docs/durability.md`.
   *
   * @example
   * createResponsesProvider({ journal: () => journals.getStore() });
   */
  readonly journal?: Journal | (() => Journal | undefined) | undefined;
  /** Changes a tool's output before the model, the events or the history see it, for example to take secrets out. */
  readonly redactToolOutput?: RedactToolOutput | undefined;
  /**
   * What becomes of calls of tools that do not exist: `'error'` names the model those that do, `'client'` hands the
   * call to the caller.
   * @default `'error'`, or `'client'` if only the call has tools
   */
  readonly onUnknownTool?: OnUnknownTool | undefined;
  /**
   * Who gives way if a tool of the call has the name of one of ours: ours is renamed to `<server>__<tool>`
   * (`'rename'`), or the call's is left out with a warning (`'loop'`).
   * @default `'rename'`
   */
  readonly nameClash?: 'rename' | 'loop' | undefined;
  /**
   * Which of our tools' calls and results are shown as parts: those `'declared'` in the call's `tools`, `'all'`, or
   * `'none'`.
   * @default `'declared'` with AI SDK 5, which fails on others; `'all'` with `/ai6` and `/ai7`
   */
  readonly toolParts?: 'declared' | 'all' | 'none' | undefined;
  /**
   * How the progress of our tools is shown: by `onEvent` alone (`'events'`), or by `/ai6` and `/ai7` as preliminary
   * results of streams, too (`'parts'`).
   * @default `'events'`, because AI SDK 6 and 7 count preliminary results of a provider as results
   */
  readonly toolProgress?: 'events' | 'parts' | undefined;
  /**
   * How calls that were not shown reach the next turn: in the metadata of a call or text (`'metadata'`), of a call or
   * empty reasoning part but never of a text (`'reasoning'`), or not at all (`'none'`; then none are read either).
   * @default `'metadata'`
   */
  readonly carrier?: 'metadata' | 'reasoning' | 'none' | undefined;

  /** How long to wait for servers, and for a whole call. */
  readonly timeouts?: Given<typeof TIMEOUTS> | undefined;
  /** What is tried again, and after which pause. */
  readonly retry?: Given<typeof RETRIES> | undefined;
  /**
   * What a server or a model may cost before it is given up with an error of code `limit` that names the limit.
   *
   * @example
   * createResponsesProvider({ limits: { callsPerRound: 500, toolsPerServer: 3_000 } });
   */
  readonly limits?: Given<typeof LIMITS> | undefined;
  /** Watches what happens: rounds, requests, calls of tools and their results, retries, MCP connections. */
  readonly onEvent?: Observer | undefined;
}

/** What is different for some models. */
export interface ModelOverrides {
  /** Headers beside those of the provider; `null` takes one away. */
  readonly headers?: HeaderSetting | undefined;
  /** Query parameters beside those of the provider; `null` takes one away. */
  readonly query?: Readonly<Record<string, string | null>> | undefined;
  /** Merged into the body, or a function that makes another body of it. */
  readonly body?: BodyOverride | undefined;
  /** What the back end accepts, if it is another for these models. */
  readonly backend?: 'auto' | ProfileName | Profile | undefined;
  /** How requests to this model travel. */
  readonly transport?: 'sse' | 'websocket' | 'auto' | undefined;
  /** Limits of the loop and of what a server may cost, named as in the settings. */
  readonly limits?: LimitOverrides | undefined;
}

/** The limits that a model may have for itself. */
export type LimitOverrides = GivenForModels<typeof LOOP_LIMITS & typeof LIMITS>;
