import { z } from 'zod';
import { actionName } from './action-name.js';
import { browserStep, type BrowserTools } from './browser-step.js';
import { defineTool, type ToolDef } from './tool-def.js';

export function browserSnapshotTool(tools: BrowserTools): ToolDef {
  return defineTool({
    id: 'browserSnapshot',
    missing: tools.missing,
    description: 'Gives the accessibility tree of the page in the browser, with refs for browserAct.',
    inputSchema: z.object({ actionName }),
    execute: (_input, { signal }) =>
      browserStep(tools, signal, async (browser) => ({ content: await browser.snapshot() })),
  });
}
