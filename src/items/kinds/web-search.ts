import { isJsonObject, type JsonObject, type JsonValue, toSnakeCase } from '../../core/json.js';
import { asArray, asRecord, asString, isRecord } from '../../util/guards.js';
import { list, object, text } from '../fields.js';
import type { HostedKind } from '../kind.js';
import { argumentsOf, COMPLETED, oneOf, pick, telling, texts, wireOf } from '../members.js';

const PLACE = {
  members: { type: oneOf('approximate'), country: 'string', city: 'string', region: 'string', timezone: 'string' },
} as const;
const SIZE = oneOf('low', 'medium', 'high');

/** Statuses that a search without results keeps in a finished response. */
const UNFINISHED: ReadonlySet<string> = new Set(['in_progress', 'searching']);

const STEPS: Readonly<Record<string, string>> = { open_page: 'openPage', find_in_page: 'findInPage' };

export const webSearch = {
  type: 'web_search_call',
  tool: 'web_search',
  changesNothing: true,
  alsoTools: ['web_search_preview'],
  steps: ['browse_page', 'web_search_with_snippets'],
  arguments: {
    'openai.web_search': {
      members: {
        externalWebAccess: 'boolean',
        filters: { members: { allowedDomains: texts, blockedDomains: texts } },
        searchContextSize: SIZE,
        userLocation: PLACE,
      },
    },
    'openai.web_search_preview': { members: { searchContextSize: SIZE, userLocation: PLACE } },
    'xai.web_search': {
      members: {
        allowedDomains: texts,
        excludedDomains: texts,
        enableImageSearch: 'boolean',
        enableImageUnderstanding: 'boolean',
      },
    },
  },
  declare: (body, { type, args }) =>
    type === 'web_search' && isJsonObject(args['filters']) ? { ...body, filters: toSnakeCase(args['filters']) } : body,
  include: { value: 'web_search_call.action.sources', unless: 'includeWebSearchSources' },
  // xAI puts the question into `arguments`.
  input: (item) => ({ ...pick(item, ['action']), ...argumentsOf(item['arguments']) }),
  result: (item) => ({ ...pick(item, ['status', 'results']), ...actionOf(item['action']) }),
  hasFailed: ({ status }) => UNFINISHED.has(asString(status) ?? ''),
  sources: ({ action }) =>
    asArray(asRecord(action)?.['sources']).flatMap((source) => asString(asRecord(source)?.['url']) ?? []),
  // The question is in the result too, so the result alone makes the item.
  fromPart: ({ input }) => {
    const { action, sources } = wireOf(input) ?? {};
    if (!isJsonObject(action)) return undefined;
    const found = asArray(sources).length === 0 ? {} : { sources: sources as JsonValue };
    return { ...COMPLETED, action: { ...action, ...found } };
  },
  may: { action: object, arguments: text, results: list },
} as const satisfies HostedKind;

/** Returns the action together with its sources. */
function actionOf(value: JsonValue | undefined): JsonObject {
  if (!isRecord(value)) return {};
  const { type, sources, ...action } = value;
  return { action: { type: STEPS[asString(type) ?? ''] ?? type ?? null, ...action }, ...telling({ sources }) };
}
