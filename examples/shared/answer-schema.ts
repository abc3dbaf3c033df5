import { z } from 'zod';
import { SettingsError } from './settings-error.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the answer has to be. */
export interface AnswerSchema {
  readonly schema: JsonSchema;
  /** Why a text is no answer of this schema. */
  problemOf(text: string): string | undefined;
}

/**
 * @param name What people know the schema by, such as the flag that names its file.
 * @throws SettingsError if it is no JSON schema that can be checked.
 */
export function createAnswerSchema(schema: JsonSchema, name: string): AnswerSchema {
  let check: z.ZodType;
  try {
    check = z.fromJSONSchema(schema);
  } catch (error) {
    throw new SettingsError(`${name}: ${(error as Error).message}`);
  }
  const problemOf = (text: string): string | undefined => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return `The answer is not JSON, and ${name} asks for it.`;
    }
    const { error } = check.safeParse(value);
    return error === undefined ? undefined : `The answer does not fit ${name}: ${z.prettifyError(error)}`;
  };
  return { schema, problemOf };
}
