import type { ResolvedSchema } from '../tools/local/resolve-schema.js';

/**
 * Reads zod and other Standard Schemas with the AI SDK's own converter. Loaded at the first such schema, because it
 * loads zod, which other apps do not need.
 */
export async function resolveSchema(schema: unknown): Promise<ResolvedSchema> {
  const { asSchema } = await import('@ai-sdk/provider-utils');
  // Any value of the user; the converter refuses unknown ones.
  const { jsonSchema, validate } = asSchema(schema as Parameters<typeof asSchema>[0]);
  return { jsonSchema: await jsonSchema, ...(validate === undefined ? {} : { validate }) };
}
