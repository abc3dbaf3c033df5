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
   * The root URL of the API, in any usual form: with or without `/v1`, a trailing slash or `/responses`. With a
   * trailing `#`, it is used exactly as it is.
   * @default `OPENAI_BASE_URL`, else OpenAI
   */
  readonly baseURL?: string | undefined;
  /** What the server accepts: the name of a profile, or your own profile. @default `'auto'`: chosen by the host */
  readonly backend?: 'auto' | ProfileName | Profile | undefined;
  /**
   * A key, several keys separated by commas, an array, or a function that runs for every call. Several keys are used
   * in turn, per model; all rounds of a call use one, until the server refuses it.
   * @default `OPENAI_API_KEY`, for OpenAI only
   */
  readonly apiKey?: ApiKeySetting | undefined;
  /**
   * How the key is sent: `'bearer'`, `'api-key'`, `'x-goog-api-key'`, `'none'`, or a function that returns headers
   * for each request (Entra, OAuth, signatures).
   * @default set by the profile, usually `'bearer'`
   */
  readonly auth?: Profile['auth'] | AuthFunction | undefined;
  /** OpenAI: the organization to bill, sent as the header `OpenAI-Organization`. */
  readonly organization?: string | undefined;
  /** OpenAI: the project to bill, sent as the header `OpenAI-Project`. */
  readonly project?: string | undefined;
  /** Azure: the name of the resource, instead of a `baseURL`. */
  readonly resourceName?: string | undefined;
  /** Azure: `v1`, `preview`, or the date of an earlier version, which uses an older route. */
  readonly apiVersion?: string | undefined;
  /** Azure: sends the model id in the path, as the deployment, and not in the body. @default `false` */
  readonly useDeploymentBasedUrls?: boolean | undefined;
  /** Headers for every request, or a function that runs for every request; `null` removes a header. */
  readonly headers?: HeaderSetting | undefined;
  /** Query parameters added to the URL of every request; `null` removes one. */
  readonly query?: Readonly<Record<string, string | null>> | undefined;
  /** Sends every request, to the model and to MCP servers. @default the platform's, looked up at each request */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * How requests are sent: over HTTP, each with the whole conversation (`'sse'`); over a WebSocket, which sends only
   * what is new (`'websocket'`); or, with servers known to support it, over a WebSocket from the second round on
   * (`'auto'`).
   * @default `'sse'`
   */
  readonly transport?: 'sse' | 'websocket' | 'auto' | undefined;
  /**
   * Creates the sockets: a class such as `WebSocket` from the `ws` package, or a function of `{ url, headers, signal }`.
   * @default the `ws` package if installed; otherwise the runtime's own class if it sends headers (browsers' do not)
   */
  readonly webSocket?: WebSocketSetting | undefined;
  /** How many sockets there may be, and how long one is kept. */
  readonly sockets?: Given<typeof SOCKETS> | undefined;
  /** The provider name that models report; it must not end in `.responses`. @default `'responses-loop'` */
  readonly name?: string | undefined;
  /**
   * Overrides for some models: `headers`, `query`, `body`, `backend`, `transport` and `limits` by model id, where `*`
   * matches anything. Deep merge, in the order given; `null` removes a field.
   */
  readonly models?: Readonly<Record<string, ModelOverrides>> | undefined;
  /** The final hook for every request: gets `url`, `headers` and `body`, and returns the changes. */
  readonly transformRequest?: TransformRequest | undefined;

  /** MCP servers by name, written as in the config files of MCP clients. They are connected when first needed. */
  readonly mcpServers?: McpServers | undefined;
  /** Answers questions from MCP servers for the user; without it, servers learn that they cannot ask the user. */
  readonly onElicitation?: OnElicitation | undefined;
  /** Called when the tools of an MCP server change; with `false`, added and changed tools are not offered. */
  readonly onToolsChanged?: OnToolsChanged | undefined;
  /** Functions of your program that the model may call, by name. AI SDK tools with `execute` fit too. */
  readonly tools?: Readonly<Record<string, LocalTool>> | undefined;
  /**
   * How many tools run at a time: with `'auto'`, read-only tools overlap and start while the model is still writing,
   * and all others run alone, in order; with a number, up to that many run together, after the round has ended. With
   * `journal`, no tool starts early.
   * @default `'auto'`
   */
  readonly toolConcurrency?: 'auto' | number | undefined;
  /**
   * Who runs our tools: the loop inside the model (`'model'`), or the AI SDK (`'sdk'`), which needs
   * `tools: await provider.tools({ runBy: 'sdk' })` in its calls. With `'sdk'` the loop never offers them.
   * @default `'model'`, until `provider.tools()` has returned tools for the AI SDK to run; then only for calls that
   * contain stubs of `provider.tools()`
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
   * Conditions that end the loop, checked after each round whose tools have run. Built-in ones are `afterTool(name)`,
   * `tokenBudget(n)` and `costBudget(n)`. Limits such as `maxRounds` also end loops.
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
  /** A handle from `createSteering()`, which passes texts of the user to running calls. @default none */
  readonly steering?: Steering | undefined;
  /**
   * Stores the parts cut from long outputs, so that the model can read them with the tool `read_output`, in this turn
   * and in later ones.
   * @default in memory, up to 32 million characters for all conversations
   * @example
   * createResponsesProvider({ outputs: { put: (id, text) => redis.set(id, text), get: (id) => redis.get(id) } });
   */
  readonly outputs?: OutputStore | undefined;
  /** Decides on every call of our tools before it runs; see `approveByAnnotations`. @default all calls run */
  readonly approve?: Approve | undefined;
  /**
   * Signs what this package writes into a history and later reads from it, including approvals: at least 16 characters,
   * the same in every process that serves the chat. Set it wherever histories come from clients: unsigned metadata is
   * then left out with a warning. `undefined` is refused. Without it, a client may make up anything that an earlier
   * answer of the model could contain.
   * @default nothing is signed
   * @example
   * createResponsesProvider({ historySecret: process.env.HISTORY_SECRET });
   */
  readonly historySecret?: string | undefined;
  /**
   * How many milliseconds an approval request stays valid; a later approval counts as a denial. Needs
   * `historySecret`. With a limit, the id of the request contains its time.
   * @default no limit
   */
  readonly approvalMaxAgeMs?: number | undefined;
  /**
   * Records rounds and tool runs, so that a call can continue after its process has died: a `Journal`, or a function that
   * runs for every call. It needs an engine for durable execution, or a table. If the function returns `undefined`, the
   * call is not recorded. See `docs/durability.md`.
   *
   * @example
   * createResponsesProvider({ journal: () => journals.getStore() });
   */
  readonly journal?: Journal | (() => Journal | undefined) | undefined;
  /** Changes a tool's output before it reaches the model, events or history, for example to remove secrets. */
  readonly redactToolOutput?: RedactToolOutput | undefined;
  /**
   * How to handle a call to an unknown tool: `'error'` sends the model the list of existing tools, `'client'` passes the
   * call to the caller.
   * @default `'error'`, or `'client'` if only the call has tools
   */
  readonly onUnknownTool?: OnUnknownTool | undefined;
  /**
   * What happens if a tool of the call has the same name as one of ours: rename ours to `<server>__<tool>`
   * (`'rename'`), or leave out the call's tool with a warning (`'loop'`).
   * @default `'rename'`
   */
  readonly nameClash?: 'rename' | 'loop' | undefined;
  /**
   * Which calls and results of our tools appear as stream parts: those `'declared'` in the call's `tools`, `'all'`, or
   * `'none'`.
   * @default `'declared'` with AI SDK 5, which fails on the others; `'all'` with `/ai6` and `/ai7`
   */
  readonly toolParts?: 'declared' | 'all' | 'none' | undefined;
  /**
   * Where the progress of our tools appears: only in `onEvent` (`'events'`), or with `/ai6` and `/ai7` also as
   * preliminary results in streams (`'parts'`).
   * @default `'events'`, because AI SDK 6 and 7 count a provider's preliminary results as results
   */
  readonly toolProgress?: 'events' | 'parts' | undefined;
  /**
   * How hidden calls reach the next turn: in the metadata of a call or text (`'metadata'`), of a call or an empty
   * reasoning part but never of a text (`'reasoning'`), or not at all (`'none'`, which also ignores them in a history).
   * @default `'metadata'`
   */
  readonly carrier?: 'metadata' | 'reasoning' | 'none' | undefined;

  /** How long to wait for servers, and for a whole call. */
  readonly timeouts?: Given<typeof TIMEOUTS> | undefined;
  /** What is retried, and after which pause. */
  readonly retry?: Given<typeof RETRIES> | undefined;
  /**
   * How many resources a server or a model may use. Beyond a limit, an error with the code `limit` names it.
   *
   * @example
   * createResponsesProvider({ limits: { callsPerRound: 500, toolsPerServer: 3_000 } });
   */
  readonly limits?: Given<typeof LIMITS> | undefined;
  /** Receives events: rounds, requests, tool calls and their results, retries, MCP connections. */
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
