import { expect, it } from 'vitest';
import type { FileContent, TextContent } from '../../src/core/message.js';
import { toResultPart } from '../../src/sdk/parts/to-result.js';

/** What the part of a result carries for the next turn, beside what it shows. */
function carried(content: readonly (TextContent | FileContent)[], shown: string): unknown {
  const output = { value: shown, content, isError: false };
  const part = { type: 'tool-result', origin: 'loop', callId: 'call_1', name: 'add', output } as const;
  return toResultPart(part, shown, { stored: false, origin: undefined, vendor: 'openai' }).providerMetadata;
}

it('a result that shows all that the model was given carries nothing', () => {
  expect(carried([{ type: 'text', text: 'five' }], 'five')).toBeUndefined();
});

it.each([
  ['other words', ['5']],
  ['the same and another text', ['five', 'and a note for the model']],
])('a result for which the model was given %s carries them', (_name, texts) => {
  const content = texts.map((text) => ({ type: 'text', text }) as const);
  const metadata = JSON.stringify(carried(content, 'five'));
  for (const text of texts) expect(metadata).toContain(text);
});

it('a result of the server carries nothing, because its item goes back', () => {
  const output = { value: { status: 'completed' }, content: [], isError: false };
  const part = { type: 'tool-result', origin: 'hosted', callId: 'call_1', name: 'web', output } as const;
  const shown = toResultPart(part, output.value, { stored: false, origin: undefined, vendor: 'openai' });
  expect(shown).not.toHaveProperty('providerMetadata');
});
