import { Serial } from '../store/serial.js';
import { type BrowserSettings, ChatBrowser } from './chat-browser.js';

export interface ChatBrowsersLimits {
  /** Without a call. */
  readonly idleMs: number;
  /** Of one call, with all that it waits for. */
  readonly callMs: number;
  /** Browsers of all chats together. */
  readonly open: number;
}

const LIMITS: ChatBrowsersLimits = { idleMs: 10 * 60_000, callMs: 60_000, open: 4 };

interface Opened {
  readonly browser: ChatBrowser;
  timer: NodeJS.Timeout | undefined;
  /** A call runs in it. */
  isBusy: boolean;
}

/** Browsers that live on between calls, of each chat its own. */
export class ChatBrowsers {
  readonly #settings: BrowserSettings;
  readonly #limits: ChatBrowsersLimits;
  /** Those used last at the end. */
  readonly #chats = new Map<string, Opened>();
  readonly #serial = new Serial();
  #starting = 0;
  #isClosed = false;

  constructor(settings: BrowserSettings, limits: Partial<ChatBrowsersLimits> = {}) {
    this.#settings = settings;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** For a question about what is done there. */
  find(chat: string): ChatBrowser | undefined {
    const browser = this.#chats.get(chat)?.browser;
    return browser?.isOpen === true ? browser : undefined;
  }

  /** One call after the other. A signal that fires meanwhile, or a call that takes too long, ends the browser. */
  run<T>(chat: string, signal: AbortSignal, work: (browser: ChatBrowser) => Promise<T>): Promise<T> {
    return this.#serial.run(chat, async () => {
      signal.throwIfAborted();
      const time = AbortSignal.timeout(this.#limits.callMs);
      const end = AbortSignal.any([signal, time]);
      const opened = await this.#open(chat);
      clearTimeout(opened.timer);
      let onEnd = (): void => {};
      const ended = new Promise<never>((_, reject) => {
        onEnd = () => {
          void this.endChat(chat);
          reject(new Error(time.aborted ? 'It took too long, and the browser was ended.' : 'It was stopped.'));
        };
        end.addEventListener('abort', onEnd, { once: true });
        if (end.aborted) onEnd();
      });
      try {
        return await Promise.race([work(opened.browser), ended]);
      } catch (error) {
        const { problem } = opened.browser;
        throw problem === undefined ? error : new Error(`${problem} browserOpen starts it again.`);
      } finally {
        end.removeEventListener('abort', onEnd);
        opened.isBusy = false;
        if (this.#chats.get(chat) === opened) {
          this.#chats.delete(chat);
          this.#chats.set(chat, opened);
          opened.timer = setTimeout(() => void this.endChat(chat), this.#limits.idleMs).unref();
        }
      }
    });
  }

  async endChat(chat: string): Promise<void> {
    const opened = this.#chats.get(chat);
    this.#chats.delete(chat);
    clearTimeout(opened?.timer);
    await opened?.browser.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#chats.keys()].map((chat) => this.endChat(chat)));
    // One that is just being started ends itself.
    await this.#serial.idle();
  }

  /** For a call that runs by then. */
  async #open(chat: string): Promise<Opened> {
    const found = this.#chats.get(chat);
    if (found?.browser.isOpen === true) {
      found.isBusy = true;
      return found;
    }
    await this.endChat(chat);
    this.#starting += 1;
    const browser = await this.#start().finally(() => (this.#starting -= 1));
    const opened: Opened = { browser, timer: undefined, isBusy: true };
    if (this.#isClosed) await browser.close();
    else this.#chats.set(chat, opened);
    if (this.#isClosed) throw new Error('The server ends.');
    return opened;
  }

  /** In place of the one that was not used for the longest time, if there are as many as may be. */
  async #start(): Promise<ChatBrowser> {
    if (this.#chats.size + this.#starting > this.#limits.open) {
      const [oldest] = [...this.#chats].find(([, { isBusy }]) => !isBusy) ?? [];
      if (oldest === undefined)
        throw new Error(`Browsers work in ${this.#limits.open} chats, and no more may: try again later.`);
      await this.endChat(oldest);
    }
    return ChatBrowser.start(this.#settings);
  }
}
