import type { JsonObject, JsonValue } from '../../core/json.js';
import { asRecords } from '../../util/guards.js';
import { list } from '../fields.js';
import type { HostedKind } from '../kind.js';
import { pick, texts } from '../members.js';

const PLACES = { vectorStoreIds: texts, maxNumResults: 'number' } as const;

export const fileSearch = {
  type: 'file_search_call',
  tool: 'file_search',
  changesNothing: true,
  arguments: {
    'openai.file_search': { members: { ...PLACES, ranking: 'object', filters: 'object' } },
    'xai.file_search': { members: PLACES, required: ['vectorStoreIds'] },
  },
  declare: ({ ranking, ...body }) => ({ ...body, ...(ranking === undefined ? {} : { ranking_options: ranking }) }),
  input: (item) => pick(item, ['queries']),
  result: (item) => ({ ...pick(item, ['status', 'queries']), results: filesOf(item['results']) }),
  may: { queries: list, results: list },
} as const satisfies HostedKind;

function filesOf(value: JsonValue | undefined): JsonValue {
  if (!Array.isArray(value)) return null;
  return (asRecords(value) as JsonObject[]).map(({ file_id: fileId, ...file }) => ({
    ...(fileId === undefined ? {} : { fileId }),
    ...file,
  }));
}
