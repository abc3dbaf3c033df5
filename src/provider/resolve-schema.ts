import type { ResolvedSchema } from '../tools/local/resolve-schema.js';

/**
 * Reads zod and other Standard Schemas with the AI SDK's own converter. Loaded when the first such schema turns up:
 * it brings zod along, which other apps should not have to load.
 */
export async function resolveSchema(schema: unknown): Promise<ResolvedSchema> {
  const { asSchema } = await import('@ai-sdk/provider-utils');
  // Whatever the user gave; the converter refuses what it does not know.
  const { jsonSchema, validate } = asSchema(schema as Parameters<typeof asSchema>[0]);
  return { jsonSchema: await jsonSchema, ...(validate === undefined ? {} : { validate }) };
}
