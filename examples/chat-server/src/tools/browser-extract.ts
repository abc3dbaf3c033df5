import { readInThread } from 'responses-loop-example-shared/web-fetch.js';
import { z } from 'zod';
import type { ChatBrowser } from '../browser/chat-browser.js';
import { readPart } from '../browser/read-in-page.js';
import { actionName } from './action-name.js';
import { browserStep, type BrowserTools } from './browser-step.js';
import { defineTool, type ToolDef } from './tool-def.js';

const MAX_HTML = 5_000_000;
const MAX_CHARS = 40_000;
const MAX_ROWS = 1_000;
/** Of a part of the page. */
const MAX_PART_CHARS = 500_000;

export function browserExtractTool(tools: BrowserTools): ToolDef {
  return defineTool({
    id: 'browserExtract',
    missing: tools.missing,
    description: 'Reads the page in the browser, or a part of it, as text; a table as rows of cells.',
    inputSchema: z.object({
      actionName,
      what: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe('A ref of the last snapshot, or a CSS selector. Default: the whole page.'),
      offset: z.number().int().min(0).optional().describe('Where to begin in its text, in characters.'),
    }),
    execute: ({ what, offset = 0 }, { signal }) =>
      browserStep(tools, signal, async (browser) => {
        const text = what === undefined ? await wholeText(browser, signal) : await partText(browser, what);
        return { offset, totalChars: text.length, content: text.slice(offset, offset + MAX_CHARS) };
      }),
  });
}

/** What a reader sees of it, as Markdown. */
async function wholeText(browser: ChatBrowser, signal: AbortSignal): Promise<string> {
  const { text: html, totalChars, url } = await browser.html(MAX_HTML);
  if (totalChars > MAX_HTML) throw new Error(`The page has ${totalChars} characters: name a part of it with what.`);
  return (await readInThread({ html, url }, signal)).text;
}

async function partText(browser: ChatBrowser, what: string): Promise<string> {
  const found = browser.find(what);
  const read: unknown = await browser.use(async (page) => {
    const part = found === undefined ? page.locator(`css=${what}`).first() : page.getByRef(found.ref);
    return readPart(part, { maxChars: MAX_PART_CHARS, maxRows: MAX_ROWS });
  });
  if (typeof read !== 'string') throw new Error('The page gave no text of it.');
  return read.length < MAX_PART_CHARS ? read : `${read}\n[… cut: name a smaller part]`;
}
