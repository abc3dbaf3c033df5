import { openableUrl } from 'responses-loop-example-shared/openable-url.js';
import {
  type AppMessage,
  isRequestName,
  NOTIFICATIONS,
  type Params,
  PROTOCOL,
  readMessage,
  REQUESTS,
} from './messages.js';
import type { RequestName } from './messages.js';

/** What the page does for an app. */
export interface AppDeeds {
  /** To the app alone. */
  readonly send: (message: object) => void;
  /** What it is told of the page it is on. */
  readonly context: () => object;
  /** It listens: its call can be told. */
  readonly onReady: () => void;
  readonly onHeight: (height: number) => void;
  readonly callTool: (name: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly readResource: (uri: string) => Promise<unknown>;
  /** Resolves to whether a person opened it. */
  readonly openLink: (url: string) => Promise<boolean>;
  /** Whether the text stands in the message box now. */
  readonly putText: (text: string) => boolean;
  /** It sent too much, and has to go. */
  readonly onFlood: () => void;
}

/** So many at once, and so many more in each second: animations tell their size 60 times a second. */
const BURST = 300;
const PER_SECOND = 100;
/** Requests that are not answered yet. */
const MAX_OPEN = 8;

const CODES = { refused: -32_000, unknownMethod: -32_601, badParams: -32_602 } as const;

class Refusal extends Error {
  readonly code: number;

  constructor(code: keyof typeof CODES, message: string) {
    super(message);
    this.code = CODES[code];
  }
}

/** Speaks with one app: JSON-RPC, as MCP Apps (SEP-1865) have it. What comes in is believed in nothing. */
export class AppHost {
  readonly #deeds: AppDeeds;
  readonly #now: () => number;
  #left = BURST;
  #countedAt: number;
  #open = 0;
  #isOver = false;
  #isInitialized = false;
  /** One after the other, since a person answers them. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(deeds: AppDeeds, now: () => number = () => performance.now()) {
    this.#deeds = deeds;
    this.#now = now;
    this.#countedAt = now();
  }

  receive(data: unknown): void {
    if (this.#isOver) return;
    const message = this.#mayTake() ? readMessage(data) : 'too long';
    if (message === 'too long') {
      this.#isOver = true;
      this.#deeds.onFlood();
    } else if (message !== undefined && message.id === undefined) this.#hear(message);
    else if (message !== undefined) void this.#answer(message);
  }

  notify(method: string, params: object): void {
    if (this.#isInitialized && !this.#isOver) this.#deeds.send({ jsonrpc: '2.0', method, params });
  }

  #mayTake(): boolean {
    const now = this.#now();
    this.#left = Math.min(BURST, this.#left + ((now - this.#countedAt) / 1_000) * PER_SECOND) - 1;
    this.#countedAt = now;
    return this.#left >= 0;
  }

  #hear({ method, params }: AppMessage): void {
    if (method === 'ui/notifications/initialized' && !this.#isInitialized) {
      this.#isInitialized = true;
      this.#deeds.onReady();
    }
    if (method !== 'ui/notifications/size-changed') return;
    const { height } = NOTIFICATIONS[method].safeParse(params).data ?? {};
    if (height !== undefined) this.#deeds.onHeight(height);
  }

  async #answer({ id, method, params }: AppMessage): Promise<void> {
    if (this.#open >= MAX_OPEN) return this.#refuse(id, new Refusal('refused', 'Too many requests wait already.'));
    this.#open += 1;
    try {
      const result = await this.#do(method, params);
      if (!this.#isOver) this.#deeds.send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      this.#refuse(id, error);
    } finally {
      this.#open -= 1;
    }
  }

  #refuse(id: AppMessage['id'], error: unknown): void {
    const code = error instanceof Refusal ? error.code : CODES.refused;
    const message = error instanceof Error ? error.message : String(error);
    if (!this.#isOver) this.#deeds.send({ jsonrpc: '2.0', id, error: { code, message } });
  }

  async #do(method: string, params: unknown): Promise<unknown> {
    if (!isRequestName(method)) throw new Refusal('unknownMethod', `${method.slice(0, 100)} is not known here.`);
    const read = REQUESTS[method].safeParse(params);
    if (!read.success) throw new Refusal('badParams', `The params of ${method} do not fit.`);
    return (this.#requests[method] as (params: unknown) => unknown)(read.data);
  }

  readonly #requests: { readonly [Name in RequestName]: (params: Params<Name>) => unknown } = {
    'ui/initialize': () => ({
      protocolVersion: PROTOCOL,
      hostInfo: { name: 'chat-server', version: '1' },
      hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {} },
      hostContext: this.#deeds.context(),
    }),
    ping: () => ({}),
    'tools/call': ({ name, arguments: input }) => this.#inTurn(() => this.#deeds.callTool(name, input)),
    'resources/read': ({ uri }) => this.#deeds.readResource(uri),
    'ui/open-link': ({ url }) => this.#inTurn(() => this.#openLink(url)),
    'ui/message': ({ content }) => {
      const isPut = this.#deeds.putText(content.map(({ text }) => text).join('\n'));
      if (!isPut) throw new Refusal('refused', 'A text is taken only while the person is at work in the app.');
      return {};
    },
    'ui/request-display-mode': () => ({ mode: 'inline' }),
  };

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #openLink(url: string): Promise<object> {
    const link = openableUrl(url);
    if (link === undefined) throw new Refusal('refused', 'This address is not one that a browser should open.');
    if (await this.#deeds.openLink(link.href)) return {};
    throw new Refusal('refused', 'The person did not open it.');
  }
}
