import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { AddressRules } from 'responses-loop-example-shared/web-address.js';
import { GuardedProxy } from './guarded-proxy.js';
import { launchBrowser, throughProxy } from './launch-browser.js';
import { type Labelled, type PageSnapshot, shortLine, readSnapshot } from './page-snapshot.js';
import { type PageText, readPage } from './read-in-page.js';
import { StepNotes } from './step-notes.js';
import { watchMemory } from './watch-memory.js';

export interface BrowserSettings {
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: those of `openUrl`, which let no private address through. */
  readonly rules?: AddressRules | undefined;
  readonly limits?: Partial<BrowserLimits> | undefined;
}

export interface BrowserLimits {
  /** Until a page has begun to come. */
  readonly openMs: number;
  /** For what a page that works answers at once. */
  readonly answerMs: number;
  /** Of what a page loads from the beginning of a step to that of the next one. */
  readonly loadBytes: number;
  /** Of the program with all its processes. */
  readonly memoryBytes: number;
}

const LIMITS: BrowserLimits = { openMs: 15_000, answerMs: 5_000, loadBytes: 100_000_000, memoryBytes: 2_000_000_000 };
const LOAD_MS = 5_000;
const SETTLE_MS = 300;
const ALIVE_MS = 1_000;
/** A server that took the chat over, or was started again, has none of the pages that were open. */
const NO_PAGE =
  'No page is open: use browserOpen first. A page that was open before has ended with its browser, or with the server that ran it.';
const NO_TREE = '(no tree: the page shows nothing, or too much; read it with browserExtract)';
const VIEWPORT = { width: 1280, height: 800 };
const MAX_NOTES = 10;
const MAX_ADDRESS = 2_000;
const MAX_TITLE = 2_000;
/** A page that got elsewhere is not looked at. */
const SHOWN_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'about:', 'data:', 'blob:']);

/** Where a browser stands, and what happened since it was looked at last. */
export interface PageState {
  readonly url: string;
  readonly title: string;
  /** What was refused, closed or dismissed. */
  readonly notes: readonly string[];
  /** Absent: the browser could make none. */
  readonly screen: Uint8Array | undefined;
}

export interface ActPlace {
  readonly ref: string;
  readonly origin: string;
}

/** A Chromium with one page. Its proxy and its profile end with it. */
export class ChatBrowser {
  readonly #proxy: GuardedProxy;
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  readonly #limits: BrowserLimits;
  #page: Page | undefined;
  #making: Promise<Page> | undefined;
  #problem: string | undefined;
  readonly #notes = new StepNotes(MAX_NOTES);
  #snapshot: (PageSnapshot & { readonly origin: string }) | undefined;
  #endWatch: () => void = () => {};

  private constructor(proxy: GuardedProxy, browser: Browser, context: BrowserContext, limits: BrowserLimits) {
    this.#proxy = proxy;
    this.#browser = browser;
    this.#context = context;
    this.#limits = limits;
    context.setDefaultTimeout(limits.answerMs);
    context.on('page', (page) => void this.#closePopup(page));
  }

  static async start({ program, env, rules = {}, limits = {} }: BrowserSettings): Promise<ChatBrowser> {
    const all = { ...LIMITS, ...limits };
    const proxy = await GuardedProxy.open(rules, all.loadBytes);
    const deadEnd = await GuardedProxy.open({ lookup: async () => [], isAllowed: () => false }, 0);
    const closeProxies = (): void => {
      proxy.close();
      deadEnd.close();
    };
    let browser: Browser | undefined;
    try {
      browser = await launchBrowser({ program, env, proxy: deadEnd.address });
      browser.once('disconnected', closeProxies);
      const context = await browser.newContext({
        acceptDownloads: false,
        permissions: [],
        viewport: VIEWPORT,
        proxy: throughProxy(proxy.address),
      });
      const chatBrowser = new ChatBrowser(proxy, browser, context, all);
      await chatBrowser.#watch();
      return chatBrowser;
    } catch (error) {
      await browser?.close();
      closeProxies();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#browser.isConnected();
  }

  /** Why it was ended by itself, if so. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** An element of the last snapshot, with the origin that its page had. */
  find(ref: string): (Labelled & { readonly origin: string }) | undefined {
    const found = this.#snapshot?.elements.get(ref);
    return found === undefined || this.#snapshot === undefined
      ? undefined
      : { ...found, origin: this.#snapshot.origin };
  }

  /** @throws Error for the model, if it cannot be had. */
  async open(url: string): Promise<void> {
    this.#proxy.startStep();
    const page = this.#page ?? (await this.#newPage());
    this.#snapshot = undefined;
    const timeout = this.#limits.openMs;
    const answer = await page.goto(url, { waitUntil: 'commit', timeout }).catch((error: unknown) => {
      throw new Error(this.#proxy.takeNotes().at(-1) ?? `${url} cannot be opened: ${firstLine(error)}`);
    });
    if (answer !== null && this.#proxy.mark in answer.headers()) throw new Error(await answer.text());
    await this.#settle();
  }

  /** Does something to an element of the last snapshot, if the origin and the element are still what was asked about. */
  async act({ ref, origin }: ActPlace, work: (element: Locator) => Promise<unknown>): Promise<void> {
    this.#proxy.startStep();
    const page = this.#openPage();
    const found = this.find(ref);
    if (found === undefined) throw new Error(unknownRef(ref));
    const now = originOf(page.url());
    if (found.origin !== origin || now !== origin) {
      throw new Error(`The page is another one by now (${now}): take a snapshot first.`);
    }
    const same = readSnapshot(await this.#tree(page), '').elements.get(found.ref);
    if (same?.label !== found.label) {
      throw new Error(`${found.label} is another one by now, and nothing was done: take a snapshot first.`);
    }
    await work(page.getByRef(found.ref)).catch((error: unknown) => {
      throw new Error(`${found.label}: ${firstLine(error)}`);
    });
    await this.#settle();
  }

  /** Works with the page in another way. */
  async use<T>(work: (page: Page) => Promise<T>): Promise<T> {
    this.#proxy.startStep();
    return work(this.#openPage());
  }

  /** The accessibility tree, whose refs `act` takes. */
  async snapshot(): Promise<string> {
    const page = this.#openPage();
    const tree = await this.#tree(page);
    this.#snapshot = { ...readSnapshot(tree, `s${randomUUID().slice(0, 8)}`), origin: originOf(page.url()) };
    return this.#snapshot.text;
  }

  async #tree(page: Page): Promise<string> {
    const timeout = this.#limits.answerMs;
    return page.ariaSnapshot({ mode: 'ai', timeout }).catch(async (error: unknown) => {
      // Of a page without a body there is none, however long it is waited for.
      return (await isAlive(page)) ? NO_TREE : this.#giveUp(error);
    });
  }

  async state(): Promise<PageState> {
    const page = this.#openPage();
    const screen = await this.#screen(page);
    const title = shortLine((await this.#read(page, 'title', MAX_TITLE)).text, 200);
    const notes = [...this.#notes.take(), ...this.#proxy.takeNotes()];
    return { url: page.url().slice(0, MAX_ADDRESS), title, notes, screen };
  }

  /** The page as it is now, no more than so many characters of it. */
  async html(maxChars: number): Promise<PageText & { readonly url: string }> {
    const url = this.#openPage().url();
    return { ...(await this.use((page) => this.#read(page, 'html', maxChars))), url };
  }

  #read(page: Page, what: 'title' | 'html', maxChars: number): Promise<PageText> {
    const limits = { maxChars, timeoutMs: this.#limits.answerMs };
    return readPage(page, what, limits).catch((error: unknown) => this.#giveUp(error));
  }

  /** What was done is done, also if there is no picture of it. */
  async #screen(page: Page): Promise<Uint8Array | undefined> {
    const { answerMs: timeout } = this.#limits;
    const take = (): Promise<Uint8Array> => page.screenshot({ type: 'jpeg', quality: 70, timeout });
    return take()
      .catch((error: unknown) => (isUntaken(error) ? take() : this.#giveUp(error)))
      .catch((error: unknown) => (isUntaken(error) ? undefined : this.#giveUp(error)));
  }

  async close(problem?: string): Promise<void> {
    this.#problem ??= problem;
    this.#endWatch();
    await this.#browser.close().catch(() => {});
  }

  async #watch(): Promise<void> {
    const { memoryBytes } = this.#limits;
    this.#endWatch = await watchMemory(this.#browser, memoryBytes, () => {
      void this.close(`The page took more than ${memoryBytes / 1_000_000} MB of memory, and the browser was ended.`);
    });
  }

  #openPage(): Page {
    if (this.#page === undefined) throw new Error(NO_PAGE);
    const { protocol } = new URL(this.#page.url());
    if (protocol === 'chrome-error:') {
      throw new Error(
        this.#proxy.takeNotes().at(-1) ?? 'The page led to an address that is refused, or cannot be reached.',
      );
    }
    if (!SHOWN_SCHEMES.has(protocol)) throw new Error(`The page is at an address of ${protocol}, which is not read.`);
    return this.#page;
  }

  async #newPage(): Promise<Page> {
    this.#making = this.#context.newPage();
    const page = await this.#making;
    this.#page = page;
    const forget = (note: string): void => {
      this.#notes.add(note);
      if (this.#page === page) this.#page = undefined;
    };
    page.on('crash', () => forget('The page crashed.'));
    page.on('close', () => forget('The page was closed.'));
    page.on('download', (download) => {
      void download.cancel().catch(() => {});
      this.#notes.add(`A download was refused: ${shortLine(download.url(), 200)}`);
    });
    page.on('dialog', (dialog) => {
      const isLeaving = dialog.type() === 'beforeunload';
      if (!isLeaving) this.#notes.add(`A dialog (${dialog.type()}) was dismissed: ${shortLine(dialog.message(), 500)}`);
      void (isLeaving ? dialog.accept() : dialog.dismiss()).catch(() => {});
    });
    return page;
  }

  /** One page is enough: what it opens beside itself would be seen by nobody. */
  async #closePopup(page: Page): Promise<void> {
    if (page === (await this.#making?.catch(() => undefined))) return;
    await page.waitForURL((url) => url.href !== 'about:blank', { timeout: 1_000, waitUntil: 'commit' }).catch(() => {});
    this.#notes.add(`A window was closed that the page opened: ${shortLine(page.url(), 200)}`);
    await page.close().catch(() => {});
  }

  /** Until the page has loaded, if it ever does. */
  async #settle(): Promise<void> {
    await this.#page?.waitForLoadState('load', { timeout: LOAD_MS }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }

  /** A page that does not answer could not be closed in time. */
  async #giveUp(error: unknown): Promise<never> {
    if (!/Timeout \d+ms exceeded/.test(String(error))) throw new Error(firstLine(error));
    const seconds = this.#limits.answerMs / 1_000;
    await this.close(`The page did not answer within ${seconds} s, and the browser was ended.`);
    throw new Error(this.#problem);
  }
}

async function isAlive(page: Page): Promise<boolean> {
  const answer = page.evaluate(() => true).catch(() => false);
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ALIVE_MS).unref());
  return Promise.race([answer, late]);
}

export function unknownRef(ref: string): string {
  return `The ref ${ref} is not of the last snapshot: take one with browserSnapshot.`;
}

function originOf(url: string): string {
  return new URL(url).origin;
}

/** Chromium says so of a page that answers: now and then, and of one that is too large to be drawn. */
function isUntaken(error: unknown): boolean {
  return String(error).includes('Unable to capture screenshot');
}

/** Playwright adds a log of its calls, and colours. */
function firstLine(error: unknown): string {
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  return (text.split('\n')[0] ?? '').replace(/^\w+\.\w+: /, '').slice(0, 500);
}
