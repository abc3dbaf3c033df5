import { createOpenAI } from '@ai-sdk/openai';
import {
  type ObserverEvent,
  type ResponsesProviderSettings,
  type StockFallbackSettings,
  withStockFallback,
} from 'responses-loop';
import type { ScriptedRequest, ScriptedStep } from 'responses-loop/testing';
import { type Rig, rig } from '../../acceptance/support/rig.js';

type Fallback = Partial<StockFallbackSettings>;

export interface FallbackRig extends Rig {
  /** Flips the flag for the calls that follow. */
  readonly useStock: (stock: boolean) => void;
  readonly events: readonly ObserverEvent[];
}

export interface FallbackRigSettings extends Fallback {
  readonly settings?: ResponsesProviderSettings;
}

/** One server behind both providers, as on the day somebody turns the flag. Typed against `ai` 5. */
export async function fallbackRig(
  steps: readonly ScriptedStep[],
  { settings, ...fallback }: FallbackRigSettings = {},
): Promise<FallbackRig> {
  const events: ObserverEvent[] = [];
  const played = await rig(steps, {
    backend: 'openai',
    retry: { initialDelayMs: 1 },
    onEvent: (event) => events.push(event),
    ...settings,
  });
  let stock = false;
  const provider = withStockFallback({
    primary: played.provider,
    stock: createOpenAI({ baseURL: played.server.baseURL, apiKey: 'test' }),
    useStock: () => stock,
    ...fallback,
  });
  return {
    ...played,
    provider,
    model: provider('gpt-5-test'),
    events,
    useStock: (value) => {
      stock = value;
    },
  };
}

/** Who answered, and why, as the watcher heard it. */
export function choicesIn(events: readonly ObserverEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'fallback' ? [`${event.uses}: ${event.because}`] : []));
}

/**
 * A request's input without what the two providers write differently and no server cares about: ids of reasoning, which
 * only the stock provider sends, the role of system messages, `status` and `annotations` of earlier answers, the spelling
 * of JSON, and plain texts for lists of one.
 */
export function meaningOf(request: ScriptedRequest | undefined): unknown[] {
  return (request?.input ?? []).map((item) => {
    const { id: _id, type = 'message', status: _status, ...rest } = item;
    const given = rest['arguments'];
    return {
      ...rest,
      type,
      ...(typeof given === 'string' ? { arguments: JSON.parse(given) as unknown } : {}),
      ...(type === 'message' ? { content: contentOf(rest['content']) } : {}),
      ...(rest['role'] === 'developer' ? { role: 'system' } : {}),
    };
  });
}

function contentOf(content: unknown): unknown {
  if (typeof content === 'string') return [content];
  const parts = Array.isArray(content) ? (content as Record<string, unknown>[]) : [];
  return parts.map(({ annotations: _annotations, type, ...part }) =>
    type === 'input_text' || type === 'output_text' ? part['text'] : { type, ...part },
  );
}
