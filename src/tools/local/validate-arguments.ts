import type { ToolArguments } from '../../core/tool.js';
import { errorText } from '../../util/error-text.js';
import { isRecord } from '../../util/guards.js';
import { checkArguments } from '../schema/check-arguments.js';
import type { ResolvedSchema } from './resolve-schema.js';

type CheckedArguments =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** Runs the schema's own check; the error lists the wrong fields for the model. */
export async function validateArguments(
  args: ToolArguments,
  validate: ((value: unknown) => unknown) | undefined,
): Promise<CheckedArguments> {
  if (validate === undefined) return { ok: true, value: args };
  let result: unknown;
  try {
    result = await validate(args);
  } catch (error) {
    return { ok: false, message: complain(error) };
  }
  if (!isRecord(result)) return { ok: true, value: args };
  return result['success'] === false
    ? { ok: false, message: complain(result['error']) }
    : { ok: true, value: 'value' in result ? result['value'] : args };
}

/** Checks a JSON schema without its own check; returns the AI SDK's form of result. */
export function jsonSchemaCheck(schema: unknown): ResolvedSchema['validate'] {
  if (!isRecord(schema)) return undefined;
  return (value) => {
    const issues = checkArguments(schema, value);
    return issues.length === 0 ? { success: true, value } : { success: false, error: { issues } };
  };
}

function complain(error: unknown): string {
  const lines = issuesOf(error).flatMap((issue) => {
    if (!isRecord(issue) || typeof issue['message'] !== 'string') return [];
    return [`- ${pathOf(issue['path'])}: ${issue['message']}`];
  });
  const details = lines.length > 0 ? lines.join('\n') : errorText(error);
  return `The arguments do not match the schema of the tool:\n${details}\nCall it again with arguments that do.`;
}

/** Zod and Standard Schema keep their findings in `issues`; the AI SDK wraps them in an error whose cause has them. */
function issuesOf(error: unknown): readonly unknown[] {
  for (let current: unknown = error, depth = 0; depth < 4; depth += 1) {
    if (Array.isArray(current)) return current as unknown[];
    if (typeof current !== 'object' || current === null) return [];
    if ('issues' in current && Array.isArray(current.issues)) return current.issues as unknown[];
    current = 'cause' in current ? current.cause : undefined;
  }
  return [];
}

function pathOf(path: unknown): string {
  if (!Array.isArray(path) || path.length === 0) return '(arguments)';
  return path.map((step: unknown) => String(isRecord(step) ? step['key'] : step)).join('.');
}
