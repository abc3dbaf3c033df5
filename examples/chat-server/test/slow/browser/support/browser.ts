import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { launchChromium, missingChromium } from '../../../support/chromium.js';
import { ChatPage } from './chat-page.js';

/** Where no Chromium is, the tests are skipped, and say why. */
export function describeInChromium(name: string, tests: () => void): void {
  const missing = missingChromium();
  if (missing === undefined) describe(name, tests);
  else describe.skip(`${name} (SKIPPED: ${missing})`, tests);
}

/** A page, with all that it asked for and all that went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** URLs of every request, whoever made it; also of those that were refused. */
  readonly requests: readonly string[];
  /** Errors and refusals of the policy, as the console has them. */
  readonly problems: readonly string[];
}

export interface OpenedChat extends WatchedPage {
  readonly chat: ChatPage;
}

/** Makes an empty page in a profile of its own. */
export interface NewPage {
  (options?: BrowserContextOptions): Promise<WatchedPage>;
  /** One that shows the chat at this address. */
  readonly open: (url: string, options?: BrowserContextOptions) => Promise<OpenedChat>;
}

/** One browser for a file; every test has profiles of its own. */
export function useChromium(): NewPage {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
  });
  const newPage = async (options: BrowserContextOptions = {}): Promise<WatchedPage> => {
    if (browser === undefined) throw new Error('Chromium was not started.');
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    contexts.push(context);
    return { context, ...(await watchedPage(context)) };
  };
  const open = async (url: string, options?: BrowserContextOptions): Promise<OpenedChat> => {
    const watched = await newPage(options);
    const chat = new ChatPage(watched.page);
    await chat.open(url);
    return { ...watched, chat };
  };
  return Object.assign(newPage, { open });
}

/** Another tab of the same browser. */
export async function watchedPage(context: BrowserContext): Promise<Omit<WatchedPage, 'context'>> {
  const [requests, problems]: [string[], string[]] = [[], []];
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return { page, requests, problems };
}

/** A folder that is thrown away after the tests of the file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chat-page-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
