import type { Locator } from 'playwright-core';
import { z } from 'zod';
import { unknownRef } from '../browser/chat-browser.js';
import { getSessionId, isInContext } from '../context/request-context.js';
import type { Grant } from '../types.js';
import { actionName } from './action-name.js';
import { browserStep, type BrowserTools } from './browser-step.js';
import { defineTool, type ToolDef } from './tool-def.js';

interface Action {
  /** For a person: "it clicks button "Send"". */
  readonly verb: string;
  readonly needsValue: boolean;
  readonly run: (element: Locator, value: string) => Promise<unknown>;
}

const ACTIONS = {
  click: { verb: 'clicks', needsValue: false, run: (element) => element.click() },
  fill: { verb: 'types into', needsValue: true, run: (element, value) => element.fill(value) },
  press: { verb: 'presses a key in', needsValue: true, run: (element, value) => element.press(value) },
  select: { verb: 'chooses in', needsValue: true, run: (element, value) => element.selectOption(value) },
  check: { verb: 'sets', needsValue: false, run: (element, value) => element.setChecked(value !== 'off') },
  hover: { verb: 'points at', needsValue: false, run: (element) => element.hover() },
  scroll: { verb: 'scrolls to', needsValue: false, run: (element) => element.scrollIntoViewIfNeeded() },
} as const satisfies Readonly<Record<string, Action>>;

const NAMES = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[];

export function browserActTool(tools: BrowserTools): ToolDef {
  return defineTool({
    id: 'browserAct',
    missing: tools.missing,
    description:
      'Does one thing in the page of the browser, to an element by its ref, and gives the accessibility tree after it.',
    inputSchema: z
      .object({
        actionName,
        origin: z.string().min(1).max(300).describe('Of the page, as its url begins, such as https://example.com.'),
        ref: z.string().min(1).max(40).describe('Of the last snapshot, such as s1e5.'),
        action: z.enum(NAMES),
        value: z
          .string()
          .max(10_000)
          .optional()
          .describe('The text to fill, the key to press (Enter, Control+A), the option to select, "off" to uncheck.'),
      })
      .refine(({ action, value }) => value !== undefined || !ACTIONS[action].needsValue, {
        path: ['value'],
        error: 'this action needs a value',
      }),
    judge: ({ origin, ref, action }) => {
      // A page without an address has no origin that could be named.
      const grant: { grant?: Grant } = origin === 'null' ? {} : { grant: { kind: 'browser', origin } };
      // The answer to a question comes outside of a turn; what "always" would allow is in the call.
      if (!isInContext()) return { decision: 'ask', reason: 'it acts in the browser', ...grant };
      const found = tools.browsers.find(getSessionId())?.find(ref);
      if (found === undefined) return { decision: 'refuse', reason: unknownRef(ref) };
      if (found.origin !== origin) return { decision: 'refuse', reason: `The page of ${ref} is at ${found.origin}.` };
      return { decision: 'ask', reason: `it ${ACTIONS[action].verb} ${found.label} on ${origin}`, ...grant };
    },
    execute: ({ origin, ref, action, value = '' }, { signal }) =>
      browserStep(tools, signal, async (browser) => {
        await browser.act({ ref, origin }, (element) => ACTIONS[action].run(element, value));
        return { content: await browser.snapshot() };
      }),
  });
}
