import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { z } from 'zod';
import builtIn from './models.json' with { type: 'json' };
import type { ModelFacts } from './model-facts.js';

/** A model as a file names it. */
export interface ModelDefinition extends ModelFacts {
  readonly id: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
}

/** Whom a provider's models are asked through. */
export interface ProviderDefinition {
  readonly id: string;
  readonly label: string;
  /** `loop`: responses-loop; `stock`: `@ai-sdk/openai`; else the name of a package of a provider for the AI SDK. */
  readonly adapter: string;
  readonly baseUrl?: string | undefined;
  /** The environment variable with the key. */
  readonly keyVariable?: string | undefined;
  /** Whether the server is asked for its models. */
  readonly discover: boolean;
  readonly models: readonly ModelDefinition[];
  /** The file that names it: packages are looked for beside it. */
  readonly file: string;
}

const name = z.string().trim().min(1).max(200);
const MODEL = z.strictObject({
  id: name,
  label: name.optional(),
  description: z.string().max(500).optional(),
  images: z.boolean().optional(),
  files: z.boolean().optional(),
  efforts: z.array(z.string().min(1).max(30)).max(10).optional(),
});
const PROVIDER = z.strictObject({
  label: name.optional(),
  adapter: z
    .string()
    .regex(/^(?:loop|stock|(?:@[a-z0-9-]+\/)?[a-z0-9-]+)$/, 'must be "loop", "stock" or the name of a package')
    .optional(),
  baseUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  keyVariable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable; a key itself has no place in this file')
    .optional(),
  discover: z.boolean().optional(),
  models: z
    .array(z.union([name.transform((id) => ({ id })), MODEL]))
    .max(500)
    .optional(),
});
const FILE = z.strictObject({
  providers: z.record(
    z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a short name of small letters, digits and "-"'),
    PROVIDER,
  ),
});
const RESERVED = new Set(['default', 'server']);
const BUILT_IN: Readonly<Record<string, z.infer<typeof PROVIDER>>> = builtIn.providers;

/** What is known of a provider by its name alone. */
export function getProviderDefinition(id: string): z.infer<typeof PROVIDER> | undefined {
  return Object.hasOwn(BUILT_IN, id) ? BUILT_IN[id] : undefined;
}

/**
 * Reads `{"providers": {"NAME": {…}}}`. What a known provider's entry leaves out is the built-in list's.
 *
 * @throws SettingsError that names the file and the field.
 */
export function readModelsFile(path: string): ProviderDefinition[] {
  const file = resolve(path);
  const wrong = (problem: string): SettingsError => new SettingsError(`--models: ${path} ${problem}.`);
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw wrong(error instanceof SyntaxError ? 'is not JSON' : 'cannot be read');
  }
  const { success, data, error } = FILE.safeParse(given);
  if (!success) throw wrong(`is wrong: ${z.prettifyError(error)}`);
  return Object.entries(data.providers).map(([id, entry]) => {
    if (RESERVED.has(id)) throw wrong(`names a provider "${id}": this name is taken`);
    const { adapter, label = id, models = [], ...rest } = { ...getProviderDefinition(id), ...entry };
    if (adapter === undefined) throw wrong(`has no "adapter" for the provider "${id}"`);
    const isServer = adapter === 'loop' || adapter === 'stock';
    if (isServer && rest.baseUrl === undefined) throw wrong(`has no "baseUrl" for the provider "${id}"`);
    if (!isServer && rest.discover === true) {
      throw wrong(`asks for "discover" at "${id}": only "loop" and "stock" can list models; list its "models"`);
    }
    return { ...rest, id, label, adapter, models, discover: rest.discover ?? (isServer && models.length === 0), file };
  });
}

/** Never to be shown. */
export function keysOf(
  definitions: readonly ProviderDefinition[],
  env: Readonly<Record<string, string | undefined>>,
): (string | undefined)[] {
  return definitions.map(({ keyVariable }) => (keyVariable === undefined ? undefined : env[keyVariable]));
}
