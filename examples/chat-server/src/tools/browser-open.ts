import { webUrl } from 'responses-loop-example-shared/web-address.js';
import { z } from 'zod';
import { hasBrowserSandbox } from '../browser/launch-browser.js';
import { actionName } from './action-name.js';
import { browserStep, type BrowserTools } from './browser-step.js';
import { defineTool, type ToolDef } from './tool-def.js';

/** A person who reads the question has to know what holds the page. */
const UNBOXED = hasBrowserSandbox() ? '' : ', without the sandbox of Chromium, which does not run for root';

export function browserOpenTool(tools: BrowserTools): ToolDef {
  return defineTool({
    id: 'browserOpen',
    missing: tools.missing,
    description:
      'Opens a page of the public web in the browser of this chat, and gives its accessibility tree with refs. ' +
      'Use openUrl to read a page; use this to work with one. Not this machine or private networks.',
    inputSchema: z.object({ actionName, url: z.string().min(1).max(4096).describe('Whole address, with https://.') }),
    judge: ({ url }) => {
      try {
        const { origin } = webUrl(url);
        return {
          decision: 'ask',
          reason: `it opens a page of ${origin} in a browser${UNBOXED}`,
          grant: { kind: 'browser', origin },
        };
      } catch (error) {
        return { decision: 'refuse', reason: error instanceof Error ? error.message : String(error) };
      }
    },
    execute: ({ url }, { signal }) =>
      browserStep(tools, signal, async (browser) => {
        await browser.open(webUrl(url).href);
        return { content: await browser.snapshot() };
      }),
  });
}
