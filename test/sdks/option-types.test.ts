import { createOpenAI } from '@ai-sdk/openai';
import { createResponsesProvider, ResponsesLoopError } from 'responses-loop';
import { scriptedFetch } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import type { Model } from '../contract/model.js';
import { CALL_OPTIONS } from '../contract/tables/call-options.js';
import { XAI_OPTION_ROWS } from '../contract/peers/xai/requests.js';
import { spec } from './support/sdk.js';

/** Something of every JSON type, and of some kinds of each. */
const SPECIMENS: readonly unknown[] = [
  'ducks',
  '',
  'auto',
  0,
  7,
  -1,
  1.5,
  true,
  false,
  [],
  ['ducks'],
  [7],
  [{}],
  {},
  { type: 'ducks' },
  { mode: 7 },
  { toolNames: 'add' },
];
const FUNCTION = { type: 'function', name: 'add', inputSchema: { type: 'object', properties: {} } };
const PROMPT = [{ role: 'user', content: [{ type: 'text', text: 'Ducks?' }] }];

/** Whether the call was refused for its options, and whether anything was sent then. */
async function refusalOf(make: (fetch: typeof globalThis.fetch) => unknown, providerOptions: object) {
  const fetch = scriptedFetch(['Yes.'], { otherwise: 'Yes.' });
  try {
    const call = { prompt: PROMPT, tools: [FUNCTION], providerOptions };
    const { warnings } = await (make(fetch) as Model).doGenerate(call);
    return { error: undefined, sent: fetch.requests.length, warnings: JSON.stringify(warnings) };
  } catch (error) {
    return { error, sent: fetch.requests.length, warnings: '' };
  }
}

const stock = (fetch: typeof globalThis.fetch): unknown =>
  createOpenAI({ apiKey: 'k', fetch }).responses('gpt-6-astra');
const ours =
  (more: object) =>
  (fetch: typeof globalThis.fetch): unknown =>
    createResponsesProvider({ apiKey: 'k', fetch, ...more })('gpt-6-astra');

const OPENAI = { baseURL: 'https://api.openai.com/v1' };
/** Where options may stand, and for whom. */
const PLACES: readonly (readonly [place: string, key: string, settings: object])[] = [
  ['openai', 'openai', OPENAI],
  ['azure', 'azure', { resourceName: 'pond' }],
  ['openai, for Azure', 'openai', { resourceName: 'pond' }],
  ['our own key', 'responses-loop', OPENAI],
  ['the name of the provider', 'pond', { ...OPENAI, name: 'pond' }],
];

const options = [...new Set(CALL_OPTIONS.map(({ option }) => option))];
const isRefusal = (error: unknown): boolean => ResponsesLoopError.isInstance(error) && error.code === 'invalid-options';

// Majors before 4 lack options; what theirs refuse, 4 refuses too.
describe.skipIf(spec !== 'v4')('an option of any JSON value', () => {
  it.each(options)(
    '%s: what the stock provider refuses is refused wherever it stands, before anything is sent',
    async (option) => {
      const wrong: string[] = [];
      for (const value of SPECIMENS) {
        const theirs = await refusalOf(stock, { openai: { [option]: value } });
        for (const [place, key, settings] of PLACES) {
          const mine = await refusalOf(ours(settings), { [key]: { [option]: value } });
          const refused = isRefusal(mine.error);
          if (refused && mine.sent > 0) wrong.push(`${place}: sent all the same`);
          if (refused && !String(mine.error).includes(option)) wrong.push(`${place}: no name in ${String(mine.error)}`);
          if (theirs.error !== undefined && !refused)
            wrong.push(`${place}: ${JSON.stringify(value)} is taken, the stock provider refuses it`);
          if (theirs.error === undefined && mine.error !== undefined && !refused)
            wrong.push(`${place}: ${JSON.stringify(value)} fails`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it.each([...new Set(XAI_OPTION_ROWS.map(({ option }) => option))])(
    '%s of xAI: what its provider refuses is refused, or sent with a warning that names it',
    async (option) => {
      const { createXai } = await import('@ai-sdk/xai');
      const wrong: string[] = [];
      for (const value of SPECIMENS) {
        const theirs = await refusalOf((fetch) => createXai({ apiKey: 'k', fetch }).responses('grok-4.3'), {
          xai: { [option]: value },
        });
        for (const key of ['xai', 'openai', 'responses-loop', 'pond']) {
          const settings = { baseURL: 'https://api.x.ai/v1', name: 'pond' };
          const mine = await refusalOf(ours(settings), { [key]: { [option]: value } });
          if (theirs.error !== undefined && !isRefusal(mine.error) && !mine.warnings.includes(option))
            wrong.push(`${key}: ${JSON.stringify(value)} is taken without a word`);
          if (isRefusal(mine.error) && mine.sent > 0) wrong.push(`${key}: ${JSON.stringify(value)} was sent`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );
});
