import { InvalidToolInputError, parsePartialJson, type ToolCallRepairFunction, type ToolSet } from 'ai';
import type { z } from 'zod';

/** A model that never gets it right should read so, not be mended for ever. */
const REPAIRS_PER_TURN = 3;

/** What the arguments of a tool have to fit; `undefined`, if there is no such tool. */
export type SchemaOf = (toolName: string) => z.ZodType | undefined;

/**
 * Mends the arguments of a call that cannot be read: completes JSON that was cut off, then drops optional fields that are
 * not valid. What that does not mend is left to the model, which reads the error. Make one for each turn.
 */
export function createToolRepair<Tools extends ToolSet>(schemaOf: SchemaOf): ToolCallRepairFunction<Tools> {
  let repairs = 0;
  return async ({ toolCall, error }) => {
    if (!InvalidToolInputError.isInstance(error) || repairs >= REPAIRS_PER_TURN) return null;
    const schema = schemaOf(toolCall.toolName);
    const input = schema === undefined ? undefined : await mend(toolCall.input, schema);
    if (input === undefined) return null;
    repairs += 1;
    return { ...toolCall, input };
  };
}

async function mend(text: string, schema: z.ZodType): Promise<string | undefined> {
  const { value, state } = await parsePartialJson(text);
  if (state !== 'successful-parse' && state !== 'repaired-parse') return undefined;
  const mended = schema.safeParse(value).success ? value : withoutInvalidFields(value, schema);
  return mended === undefined ? undefined : JSON.stringify(mended);
}

/** Only of the object itself: half of a list is not what the model meant. */
function withoutInvalidFields(value: unknown, schema: z.ZodType): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { error } = schema.safeParse(value);
  const invalid = new Set(error?.issues.map(({ path: [field] }) => field));
  const kept = Object.fromEntries(Object.entries(value).filter(([field]) => !invalid.has(field)));
  // A field that is not optional is missed by now.
  return schema.safeParse(kept).success ? kept : undefined;
}
