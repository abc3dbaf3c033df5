import { isRecord } from '../../util/guards.js';
import type { McpSchemaValidator } from '../mcp/schema-validator.js';
import { checkArguments } from '../schema/check-arguments.js';
import type { ResolvedSchema } from './resolve-schema.js';

/** The check for a schema that is JSON and brings none; answers as the AI SDK's schemas do. */
export function jsonSchemaCheck(
  schema: unknown,
  validator: McpSchemaValidator | undefined,
): ResolvedSchema['validate'] {
  if (!isRecord(schema)) return undefined;
  if (validator === undefined) {
    return (value) => {
      const issues = checkArguments(schema, value);
      return issues.length === 0 ? { success: true, value } : { success: false, error: { issues } };
    };
  }
  let check: ReturnType<McpSchemaValidator['getValidator']> | undefined;
  return (value) => {
    try {
      check ??= validator.getValidator(schema);
    } catch {
      // A schema the validator cannot read is no reason to refuse arguments.
      check = (input) => ({ valid: true, data: input, errorMessage: undefined });
    }
    const result = check(value);
    return result.valid ? { success: true, value } : { success: false, error: result.errorMessage };
  };
}
