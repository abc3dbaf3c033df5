import { invalidSettings } from '../../errors/invalid-settings.js';
import {
  brokenRule,
  isCallable,
  isCallerList,
  isCount,
  isFlag,
  isTime,
  type MemberRule,
  misnamed,
  otherNames,
} from '../../util/check.js';
import { isRecord } from '../../util/guards.js';
import { lazy } from '../../util/lazy.js';
import { openAiOptions } from './tool-options.js';

/** Members, and their other names. */
const names = lazy(() =>
  otherNames({
    execute: ['handler'],
    inputSchema: ['parameters', 'schema'],
    timeoutMs: ['timeout'],
    totalTimeoutMs: ['totalTimeout'],
    maxOutputChars: ['maxOutput', 'maxToolOutputChars'],
    needsApproval: ['needApproval', 'requiresApproval', 'requireApproval'],
    // MCP's names.
    readOnly: ['readOnlyHint'],
    destructive: ['destructiveHint'],
    idempotent: ['idempotentHint'],
    toModelOutput: [],
    deferLoading: [],
    allowedCallers: [],
  }),
);

/** Refuses local tools that cannot run as meant; called when the provider is created. */
export function validateLocalTools(tools: unknown): void {
  if (tools === undefined) return;
  if (!isRecord(tools)) throw invalidSettings('`tools` must be an object of tools by name.');
  for (const [name, tool] of Object.entries(tools)) {
    const problem = problemOf(tool);
    if (problem !== undefined) throw invalidSettings(`tools["${name}"]${problem}`);
  }
}

function problemOf(tool: unknown): string | undefined {
  if (!isRecord(tool)) return ' must be an object with `execute` and `inputSchema`.';
  const wrong = misnamed(tool, names());
  if (wrong !== undefined) return ` has \`${wrong.typed}\`; it is called \`${wrong.meant}\` here.`;
  if (!isCallable(tool['execute']))
    return ' has no `execute` function. Pass tools that the client runs to streamText instead.';
  if (tool['readOnly'] === true && tool['destructive'] === true)
    return ' is `readOnly` and `destructive`: a tool that changes nothing destroys nothing.';
  return (
    problemOfSchema(tool['inputSchema']) ??
    brokenRule(tool, rules().own) ??
    brokenRule(openAiOptions(tool), rules().openAi)
  );
}

/** A zod shape without `z.object` would be sent as an empty schema. */
function problemOfSchema(schema: unknown): string | undefined {
  if (schema === undefined || schema === null || typeof schema === 'boolean') return undefined;
  if (typeof schema !== 'object' && typeof schema !== 'function')
    return `.inputSchema must be a schema, not a ${typeof schema}.`;
  const isShape = !isSchema(schema) && Object.values(schema).some(isSchema);
  return isShape ? '.inputSchema is an object of schemas: wrap it in `z.object(…)`.' : undefined;
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('~standard' in value || '_def' in value || '_zod' in value);
}

/** A member, a check for its value, and the name of its type. */
type Check = readonly [name: string, isFine: (value: unknown) => boolean, words: string];

function rulesFor(place: string, checks: readonly Check[]): readonly MemberRule[] {
  return checks.map(([name, isFine, words]) => [name, isFine, `${place}.${name} must be ${words}.`]);
}

/** Members with one kind of value each; a wrong kind would be taken for "no", or for "yes". */
const rules = lazy(() => {
  const options: readonly Check[] = [
    ...['deferLoading', 'async'].map((name): Check => [name, isFlag, '`true` or `false`']),
    ['allowedCallers', isCallerList, 'a list of "direct" and "programmatic"'],
    [
      'namespace',
      (value) => isRecord(value) && typeof value['name'] === 'string' && typeof value['description'] === 'string',
      'an object with `name` and `description`',
    ],
  ];
  const members: readonly Check[] = [
    ...['timeoutMs', 'totalTimeoutMs'].map((name): Check => [name, isTime, 'a number of milliseconds']),
    ['maxOutputChars', isCount, 'a number of at least 1'],
    ...['readOnly', 'destructive', 'idempotent', 'strict'].map((name): Check => [name, isFlag, '`true` or `false`']),
    ['needsApproval', (value) => isFlag(value) || isCallable(value), '`true`, `false`, or a function of the arguments'],
    ['toModelOutput', isCallable, 'a function of the result'],
  ];
  return {
    own: rulesFor('', [...members, ...options]),
    openAi: rulesFor('.providerOptions.openai', [...options, ['outputSchema', isRecord, 'a JSON schema']]),
  };
});
