import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';

/** Slow machines, busy ones too: what is waited for comes, or the test fails. */
export const PATIENCE_MS = 30_000;

/** The page by the names that assistive technology has for it, and by nothing else. */
export class ChatPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get message(): Locator {
    return this.page.getByRole('textbox', { name: 'Message', exact: true });
  }

  get status(): Locator {
    return this.page.getByRole('status');
  }

  get log(): Locator {
    return this.page.getByRole('log', { name: 'Conversation' });
  }

  get answers(): Locator {
    return this.page.getByRole('article', { name: 'Assistant' });
  }

  get questions(): Locator {
    return this.page.getByRole('article', { name: 'You' });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Reads a question to its end, which the page wants before a yes, and approves. `within`: the card of one of several. */
  async approve(within: Page | Locator = this.page): Promise<void> {
    await within.locator('.asked-end').last().scrollIntoViewIfNeeded();
    await within.getByRole('button', { name: 'Approve', exact: true }).click();
  }

  /** Chooses in the menu of a chat in the list. */
  async menu(title: string, action: string): Promise<void> {
    await this.button(`Actions for chat ${title}`).click();
    await this.page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  tool(name: string): Locator {
    return this.page.getByRole('group', { name: `Tool ${name}`, exact: true });
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await this.message.waitFor();
  }

  /** Sends by the keyboard, and does not wait for the answer. */
  async send(text: string): Promise<void> {
    await this.message.fill(text);
    await this.message.press('Enter');
  }

  /** Sends, and waits until the page stands still again. */
  async say(text: string, until = 'ready'): Promise<void> {
    const before = await this.answers.count();
    await this.send(text);
    await expect.poll(() => this.answers.count(), { timeout: PATIENCE_MS }).toBeGreaterThan(before);
    await this.becomes(until);
  }

  async becomes(status: string): Promise<void> {
    await expect.poll(() => this.status.textContent(), { timeout: PATIENCE_MS }).toBe(status);
  }

  async shows(locator: Locator, text: string | RegExp): Promise<void> {
    await locator.filter({ hasText: text }).first().waitFor({ timeout: PATIENCE_MS });
  }
}
