import type { Shape } from '../util/check-value.js';
import type { OptionRows } from './option-table.js';

/** The value that a shape describes. */
type ValueOf<S> = S extends 'string'
  ? string
  : S extends 'number' | 'integer' | { readonly between: unknown }
    ? number
    : S extends 'boolean'
      ? boolean
      : S extends { readonly oneOf: readonly (infer Text)[] }
        ? Text
        : S extends { readonly listOf: infer Entry }
          ? ValueOf<Entry>[]
          : S extends { readonly either: readonly (infer Choice)[] }
            ? ValueOf<Choice>
            : S extends { readonly members: infer Members }
              ? { [Name in keyof Members]?: ValueOf<Members[Name]> }
              : S extends Shape
                ? Json
                : never;
// Not the types of the AI SDK: one type serves all its versions.
type Json = string | number | boolean | null | Json[] | { [name: string]: Json | undefined };

/** An open list of values: any other is sent with a warning if the server may not support it. */
interface OpenValues {
  reasoningEffort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | (string & {});
  reasoningSummary: 'auto' | 'concise' | 'detailed' | (string & {});
  promptCacheKey: 'auto' | (string & {});
}

/**
 * The options of a call for `providerOptions.openai` (or the name of the provider). `null` counts as no value. The page
 * "Call options" explains each: docs/call-options.md.
 *
 * @example
 * generateText({ model, prompt, providerOptions: { openai: { reasoningEffort: 'low' } satisfies ResponsesCallOptions } });
 */
export type ResponsesCallOptions = {
  [Name in keyof OptionRows]?:
    | (Name extends keyof OpenValues ? OpenValues[Name] : ValueOf<OptionRows[Name]['shape']>)
    | null;
};
