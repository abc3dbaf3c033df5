import type { FunctionOptions } from '../../core/tool.js';
import { isCallerList, isFlag } from '../../util/check.js';
import { defined } from '../../util/defined.js';
import { asRecord, isRecord } from '../../util/guards.js';
import { lazy } from '../../util/lazy.js';
import type { LocalTool } from './local-tool.js';

/** An option of the declaration: its name, whether a value is one, and what it has to be. */
type OptionCheck = readonly [name: keyof FunctionOptions, isFine: (value: unknown) => boolean, words: string];

const checks = lazy((): readonly OptionCheck[] => [
  ['deferLoading', isFlag, '`true` or `false`'],
  ['async', isFlag, '`true` or `false`'],
  ['allowedCallers', isCallerList, 'a list of "direct" and "programmatic"'],
  [
    'namespace',
    (value) => isRecord(value) && typeof value['name'] === 'string' && typeof value['description'] === 'string',
    'an object with `name` and `description`',
  ],
  ['outputSchema', isRecord, 'a JSON schema'],
]);

/** What else the declaration of a local tool says: its own members, else what an AI SDK tool has for the stock provider. */
export function toolOptions(tool: LocalTool): FunctionOptions {
  const { deferLoading, async, allowedCallers, namespace } = tool;
  const stock = stockOptions({ ...tool });
  // Checked when the provider was created.
  const given = Object.fromEntries(checks().map(([name]) => [name, stock[name]])) as FunctionOptions;
  return defined({ ...given, ...defined({ deferLoading, async, allowedCallers, namespace }) });
}

/** What is wrong with them. */
export function problemOfOptions(tool: Readonly<Record<string, unknown>>): string | undefined {
  const stock = stockOptions(tool);
  for (const [name, isFine, words] of checks()) {
    // An AI SDK tool has another `outputSchema` of its own.
    const own = name === 'outputSchema' ? undefined : tool[name];
    if (own !== undefined && !isFine(own)) return `.${name} has to be ${words}.`;
    if (stock[name] !== undefined && !isFine(stock[name])) return `.providerOptions.openai.${name} has to be ${words}.`;
  }
  return undefined;
}

function stockOptions({ providerOptions }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return asRecord(asRecord(providerOptions)?.['openai']) ?? {};
}
