import { z } from 'zod';
import { actionName } from './action-name.js';
import { browserStep, type BrowserTools } from './browser-step.js';
import { defineTool, type ToolDef } from './tool-def.js';

const MAX_MS = 20_000;

export function browserWaitTool(tools: BrowserTools): ToolDef {
  return defineTool({
    id: 'browserWait',
    missing: tools.missing,
    description: `Waits in the browser: for a text, for an address, or some time; ${MAX_MS / 1_000} s at most.`,
    inputSchema: z
      .object({
        actionName,
        text: z.string().min(1).max(500).optional().describe('Until the page shows it.'),
        urlContains: z
          .string()
          .min(1)
          .max(500)
          .optional()
          .describe("Wait until the page's address contains this text."),
        ms: z
          .number()
          .int()
          .min(1)
          .max(MAX_MS)
          .optional()
          .describe('So long, if it is the only one; else at most so long.'),
      })
      .refine(({ text, urlContains, ms }) => (text ?? urlContains ?? ms) !== undefined, {
        error: 'name text, urlContains or ms',
      }),
    execute: ({ text, urlContains, ms = MAX_MS }, { signal }) =>
      browserStep(tools, signal, async (browser) => {
        await browser.use(async (page) => {
          const timeout = ms;
          if (text === undefined && urlContains === undefined) return page.waitForTimeout(ms);
          if (urlContains !== undefined) {
            await page
              .waitForURL(({ href }) => href.includes(urlContains), { timeout, waitUntil: 'commit' })
              .catch(() => missed(`the address did not contain "${urlContains}"`, ms));
          }
          if (text !== undefined) {
            await page
              .getByText(text)
              .first()
              .waitFor({ timeout })
              .catch(() => missed(`the page did not show "${text}"`, ms));
          }
        });
        return { waited: true };
      }),
  });
}

function missed(what: string, ms: number): never {
  throw new Error(`After ${ms} ms ${what}.`);
}
