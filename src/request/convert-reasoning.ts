import type { ReasoningContent } from '../core/message.js';
import type { Profile } from '../core/profile.js';
import type { InputItem, InputReasoning } from '../wire/input-item.js';
import { defined } from '../util/defined.js';

type Replay = (reasoning: ReasoningContent) => InputReasoning | undefined;

const REPLAY: { readonly [K in Profile['reasoningReplay']]: Replay } = {
  encrypted: ({ encrypted, summary }) => {
    if (encrypted === undefined) return undefined;
    const texts = summary.map((text) => ({ type: 'summary_text' as const, text }));
    return { type: 'reasoning', summary: texts, encrypted_content: encrypted };
  },
  text: ({ text: thoughts, summary }) => {
    const texts = thoughts.length > 0 ? thoughts : summary;
    if (texts.every((text) => text === '')) return undefined;
    return { type: 'reasoning', summary: [], content: texts.map((text) => ({ type: 'reasoning_text', text })) };
  },
  none: () => undefined,
};

/** Returns reasoning in the form that the back end accepts, and only for the back end that made it. */
export function convertReasoning(
  reasoning: ReasoningContent,
  { profile, origin = '' }: { readonly profile: Profile; readonly origin?: string | undefined },
): InputReasoning | undefined {
  const isForeign = reasoning.origin?.startsWith(origin) === false;
  const item = isForeign ? undefined : REPLAY[profile.reasoningReplay](reasoning);
  return item === undefined ? undefined : { ...item, ...defined({ agent: reasoning.agent }) };
}

/** OpenAI refuses reasoning whose next item is not the model's own, because its result is missing then. */
export function dropLonelyReasoning(items: readonly InputItem[]): InputItem[] {
  const kept: InputItem[] = [];
  for (const item of items.toReversed()) if (item.type !== 'reasoning' || isModelsOwn(kept.at(-1))) kept.push(item);
  return kept.toReversed();
}

function isModelsOwn(item: InputItem | undefined): boolean {
  if (item === undefined || item.type === 'function_call_output') return false;
  return item.type !== 'message' || ('role' in item && item.role === 'assistant');
}
