import type { ScriptedRequest } from 'responses-loop/testing';
import { until } from './chat-client.js';
import { type ScriptedModel, startScriptedModel, textOfItem } from './scripted-model.js';

/** A scripted model that a test may keep waiting. */
export interface HeldModel extends ScriptedModel {
  /** From now on requests wait until `release`, if their conversation has this text. */
  hold(text: string): void;
  release(): void;
  /** Until a request with this text waits. */
  holds(text: string): Promise<unknown>;
}

export async function startHeldModel(delayMs = 0): Promise<HeldModel> {
  let held: string | undefined;
  let open = (): void => {};
  let opened = Promise.resolve();
  const waiting: string[] = [];
  const model = await startScriptedModel({
    delayMs,
    answer: async (request) => {
      if (held === undefined || !request.text.includes(held)) return undefined;
      waiting.push(request.text);
      await opened;
      return undefined;
    },
  });
  return {
    ...model,
    hold(text) {
      held = text;
      waiting.length = 0;
      opened = new Promise((resolve) => (open = resolve));
    },
    release() {
      held = undefined;
      open();
    },
    holds: (text) =>
      until(
        () => waiting,
        (texts) => texts.some((one) => one.includes(text)),
      ),
  };
}

/** What a request has the model read, in a word for each item. */
export function conversationOf({ input }: ScriptedRequest): string[] {
  return input
    .filter(({ role }) => role !== 'system' && role !== 'developer')
    .map((item) => {
      if (item['type'] === 'function_call') return `call ${textOfItem(item['name'])}`;
      if (item['type'] === 'function_call_output') return 'output';
      return `${textOfItem(item['role'])}: ${textOfItem(item['content'])}`;
    });
}
