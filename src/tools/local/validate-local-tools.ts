import { invalidSettings } from '../../errors/invalid-settings.js';
import { isRecord } from '../../util/guards.js';
import { lazy } from '../../util/lazy.js';
import { problemOfOptions } from './tool-options.js';

/** Members people mistype, or know by another name, and what they are called here. */
const MEANT: Readonly<Record<string, string>> = {
  parameters: 'inputSchema',
  inputschema: 'inputSchema',
  schema: 'inputSchema',
  readonly: 'readOnly',
  timeout: 'timeoutMs',
  timeoutms: 'timeoutMs',
  totaltimeout: 'totalTimeoutMs',
  totaltimeoutms: 'totalTimeoutMs',
  needsapproval: 'needsApproval',
  needapproval: 'needsApproval',
  requiresapproval: 'needsApproval',
  requireapproval: 'needsApproval',
  // MCP's names for the same.
  readonlyhint: 'readOnly',
  destructivehint: 'destructive',
  idempotenthint: 'idempotent',
  tomodeloutput: 'toModelOutput',
  deferloading: 'deferLoading',
  allowedcallers: 'allowedCallers',
  handler: 'execute',
};

/** Refuses local tools that can never run as meant; called when the provider is created. */
export function validateLocalTools(tools: unknown): void {
  if (tools === undefined) return;
  if (!isRecord(tools)) throw invalidSettings('`tools` has to be an object of tools by name.');
  for (const [name, tool] of Object.entries(tools)) {
    const problem = problemOf(tool);
    if (problem !== undefined) throw invalidSettings(`tools["${name}"]${problem}`);
  }
}

function problemOf(tool: unknown): string | undefined {
  if (!isRecord(tool)) return ' has to be an object with `execute` and `inputSchema`.';
  return (
    mistyped(tool) ??
    problemOfExecute(tool['execute']) ??
    problemOfSchema(tool['inputSchema']) ??
    problemOfMembers(tool) ??
    problemOfOptions(tool)
  );
}

function mistyped(tool: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of Object.keys(tool)) {
    const meant = Object.hasOwn(MEANT, name.toLowerCase()) ? MEANT[name.toLowerCase()] : undefined;
    if (meant !== undefined && meant !== name && !(meant in tool))
      return ` has \`${name}\`; it is called \`${meant}\` here.`;
  }
  return undefined;
}

function problemOfExecute(execute: unknown): string | undefined {
  if (typeof execute === 'function') return undefined;
  return ' has no `execute` function. Pass tools that the client runs to streamText instead.';
}

/** A zod shape without `z.object` around it would go out as a schema that says nothing. */
function problemOfSchema(schema: unknown): string | undefined {
  if (schema === undefined || schema === null || typeof schema === 'boolean') return undefined;
  if (typeof schema !== 'object' && typeof schema !== 'function')
    return `.inputSchema has to be a schema, not a ${typeof schema}.`;
  const isShape = !isSchema(schema) && Object.values(schema).some(isSchema);
  return isShape ? '.inputSchema is an object of schemas: wrap it in `z.object(…)`.' : undefined;
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('~standard' in value || '_def' in value || '_zod' in value);
}

/** Members with one kind of value each; a wrong kind would be taken for "no", or for "yes". */
const members = lazy((): readonly (readonly [string, (value: unknown) => boolean, string])[] => [
  ...(['timeoutMs', 'totalTimeoutMs'] as const).map(
    (name) => [name, (value: unknown) => typeof value === 'number' && value >= 0, 'a number of milliseconds'] as const,
  ),
  ...(['readOnly', 'destructive', 'idempotent', 'strict'] as const).map(
    (name) => [name, (value: unknown) => typeof value === 'boolean', '`true` or `false`'] as const,
  ),
  [
    'needsApproval',
    (value) => typeof value === 'boolean' || typeof value === 'function',
    '`true`, `false`, or a function of the arguments',
  ],
  ['toModelOutput', (value) => typeof value === 'function', 'a function of the result'],
]);

function problemOfMembers(tool: Readonly<Record<string, unknown>>): string | undefined {
  const wrong = members().find(([name, isFine]) => tool[name] !== undefined && !isFine(tool[name]));
  if (wrong !== undefined) return `.${wrong[0]} has to be ${wrong[2]}.`;
  return tool['readOnly'] === true && tool['destructive'] === true
    ? ' is `readOnly` and `destructive`: a tool that changes nothing destroys nothing.'
    : undefined;
}
