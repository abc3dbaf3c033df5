import { isRecord } from '../../util/guards.js';

/** A schema in JSON, with its check. */
export interface ResolvedSchema {
  readonly jsonSchema: unknown;
  /** The AI SDK's result: `{ success: true, value }` or `{ success: false, error }`; may be a promise. */
  readonly validate?: ((value: unknown) => unknown) | undefined;
}

/** Turns a schema that is not plain JSON (zod, Standard Schema, an AI SDK schema) into one that is. */
export type ResolveSchema = (schema: unknown) => ResolvedSchema | PromiseLike<ResolvedSchema>;

const AI_SDK_SCHEMA = Symbol.for('vercel.ai.schema');

/**
 * Takes plain JSON schemas unchanged and reads the fields of the AI SDK's `jsonSchema()`; `resolve` handles the rest.
 */
export async function resolveInputSchema(schema: unknown, resolve: ResolveSchema | undefined): Promise<ResolvedSchema> {
  if (schema === undefined || schema === null || isPlainJsonSchema(schema)) return { jsonSchema: schema };
  if (isRecord(schema) && AI_SDK_SCHEMA in schema && 'jsonSchema' in schema) {
    const { validate } = schema;
    // This member of a marked schema is its validator.
    const check = typeof validate === 'function' ? { validate: validate as (value: unknown) => unknown } : {};
    return { jsonSchema: await schema['jsonSchema'], ...check };
  }
  if (resolve === undefined) throw new Error('its input schema is not a JSON schema, and nothing here can read it');
  return resolve(schema);
}

function isPlainJsonSchema(schema: unknown): boolean {
  if (typeof schema === 'boolean') return true;
  return isRecord(schema) && !('~standard' in schema) && !('_def' in schema) && !(AI_SDK_SCHEMA in schema);
}
