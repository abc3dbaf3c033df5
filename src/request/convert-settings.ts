import type { CallSettings } from '../core/call.js';

/** Settings the Responses API has no field for: the AI SDK's name of each. */
const UNSUPPORTED = ['topK', 'seed', 'presencePenalty', 'frequencyPenalty', 'stopSequences'] as const;

export function convertSettings(settings: CallSettings): { fields: Record<string, number>; warnings: string[] } {
  return {
    fields: {
      ...field('max_output_tokens', settings.maxOutputTokens),
      ...field('temperature', settings.temperature),
      ...field('top_p', settings.topP),
    },
    warnings: UNSUPPORTED.filter((name) => isSet(settings[name])).map(
      (name) => `${name} is not part of the Responses API and was not sent. If your server takes it, set it as a body override.`,
    ),
  };
}

function isSet(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function field(name: string, value: number | undefined): Record<string, number> {
  return value === undefined ? {} : { [name]: value };
}
