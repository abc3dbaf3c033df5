import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { z } from 'zod';

/** What the answer has to be. */
export interface AnswerSchema {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Why a text is no answer of this schema. */
  problemOf(text: string): string | undefined;
}

/** @throws SettingsError if it is no JSON schema that can be checked. */
export function createAnswerSchema(schema: Readonly<Record<string, unknown>>): AnswerSchema {
  let check: z.ZodType;
  try {
    check = z.fromJSONSchema(schema);
  } catch (error) {
    throw new SettingsError(`--output-schema: ${(error as Error).message}`);
  }
  const problemOf = (text: string): string | undefined => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return 'The answer is not JSON, and --output-schema asks for it.';
    }
    const { error } = check.safeParse(value);
    return error === undefined ? undefined : `The answer does not fit --output-schema: ${z.prettifyError(error)}`;
  };
  return { schema, problemOf };
}
