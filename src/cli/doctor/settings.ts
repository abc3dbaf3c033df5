import { inspect } from 'node:util';
import type { JsonObject } from '../../core/json.js';
import type { Profile } from '../../core/profile.js';
import { resolveEndpoint } from '../../request/endpoint.js';
import type { ProfileName, ResponsesProviderSettings } from '../../v4.js';
import { withoutResponses } from '../models.js';
import type { Choice } from './choose-profile.js';
import type { Manner } from './visit.js';

/** The settings for `createResponsesProvider`, without secrets. */
export interface ChosenSettings extends Pick<ResponsesProviderSettings, 'auth' | 'models'> {
  readonly baseURL: string;
  readonly backend: ProfileName | Profile;
}

export function settingsFor({ profile, isBuiltIn }: Choice, manner: Manner, fields: JsonObject): ChosenSettings {
  const root = withoutResponses(manner.url);
  const body = { ...fields, ...(manner.base['store'] === undefined ? { store: null } : {}) };
  const isSame = resolveEndpoint({ baseURL: root, profile }).url === manner.url;
  return {
    baseURL: isSame ? root : `${manner.url}#`,
    // A built-in profile is written by its name.
    backend: isBuiltIn ? (profile.name as ProfileName) : profile,
    ...(manner.auth === profile.auth ? {} : { auth: manner.auth }),
    ...(Object.keys(body).length === 0 ? {} : { models: { '*': { body } } }),
  };
}

export interface Secrets {
  /** The environment variable of the key; absent if no key is needed. */
  readonly keyName: string | undefined;
  readonly headers: readonly string[];
}

const ENTRIES = "'responses-loop/ai5'; // or ai6, ai7: match your AI SDK version";

/** Returns a program that creates the provider, with secrets from the environment. */
export function codeFor(settings: ChosenSettings, { keyName, headers }: Secrets): string {
  const { baseURL, backend, auth, models } = settings;
  const members = [
    `baseURL: ${literal(baseURL)}`,
    ...(keyName === undefined ? [] : [`apiKey: process.env[${literal(keyName)}]`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.map(headerLine).join(', ')} }`]),
    `backend: ${literal(backend, '  ')}`,
    ...(auth === undefined ? [] : [`auth: ${literal(auth)}`]),
    ...(models === undefined ? [] : [`models: ${literal(models, '  ')}`]),
  ];
  const body = members.map((member) => `  ${member},\n`).join('');
  return `import { createResponsesProvider } from ${ENTRIES}\n\nexport const provider = createResponsesProvider({\n${body}});\n`;
}

/** The value is not written, because it may be a key. */
function headerLine(name: string): string {
  const variable = name.toUpperCase().replaceAll(/[^A-Z\d]+/g, '_');
  return `${literal(name)}: process.env[${literal(variable)}]`;
}

/** Writes a value as TypeScript. */
function literal(value: unknown, indent = ''): string {
  const code = inspect(value, { depth: null, maxArrayLength: null, maxStringLength: null, breakLength: 100 });
  return code.replaceAll('\n', `\n${indent}`);
}
