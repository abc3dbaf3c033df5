import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import { calls } from '../acceptance/support/rig.js';
import { type LocalTool, toolOf } from '../acceptance/support/tools.js';
import { ROADS, twoTurns } from './support/turns.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = (said: string) => ({ type: 'text', text: said });

/** Tools whose result a user sees in other words than the model was given. */
const TOOLS: Readonly<Record<string, readonly [tool: LocalTool, settings?: ResponsesProviderSettings]>> = {
  'a text beside a value': [toolOf(() => ({ content: [text('Three ducks.')], structuredContent: { n: 3 } }))],
  'a picture beside a value': [
    toolOf(() => ({
      content: [text('A duck'), { type: 'image', data: PIXEL, mimeType: 'image/png' }],
      structuredContent: { n: 3 },
    })),
  ],
  'a block for the user only': [
    toolOf(() => ({ content: [text('ok'), { ...text('for the user'), annotations: { audience: ['user'] } }] })),
  ],
  'a value that was cut': [toolOf(() => ({ rows: 'x'.repeat(5_000) })), { maxToolOutputChars: 100 }],
  'other words by toModelOutput': [
    toolOf(() => ({ huge: 'RAW' }), { toModelOutput: () => ({ type: 'text', value: 'short' }) }),
  ],
  'a value in the shape of a content': [toolOf(() => ({ type: 'content', value: [{ a: 1 }] }))],
  'JSON in its own spelling': [
    toolOf(() => new Response('{ "a" : 1 }', { headers: { 'content-type': 'application/json' } })),
  ],
  'several texts': [toolOf(() => ({ content: [text('a'), text('b')] }))],
  'an error with a value': [
    toolOf(() => ({ content: [text('it broke')], structuredContent: { code: 7 }, isError: true })),
  ],
  nothing: [toolOf(() => null)],
  'no value': [toolOf(() => undefined)],
  'no number': [toolOf(() => Number.NaN)],
  'a picture': [toolOf(() => Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))],
  'a date and bytes inside a value': [toolOf(() => ({ date: new Date(0), bytes: Uint8Array.of(1, 2) }))],
};

describe.each(Object.entries(ROADS))('after %s', (_road, road) => {
  it.each(Object.entries(TOOLS))(
    'the next turn tells the model what it was told: %s',
    async (_name, [tool, settings]) => {
      const { live, next } = await twoTurns([calls('resp_1', ['look', {}])], road, {
        tools: { look: tool },
        ...settings,
      });
      expect(next?.input.slice(0, live?.input.length)).toEqual(live?.input);
    },
  );
});
