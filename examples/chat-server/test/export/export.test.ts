import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatAsMarkdown } from '../../src/export/chat-as-markdown.js';
import { attachment, fileNameOf } from '../../src/export/file-name.js';
import { NO_USAGE, type SessionFile } from '../../src/types.js';
import { call, message } from '../support/messages.js';

const SESSION: SessionFile = {
  version: 1,
  id: 's1',
  title: 'Ducks',
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-01-02T03:04:05.000Z',
  leafId: null,
  instructions: '',
  grants: [],
  usage: NO_USAGE,
};

describe('a chat as Markdown', () => {
  it('has who said what, calls with what they got and gave, and names of files', () => {
    const file = {
      type: 'file',
      mediaType: 'image/png',
      filename: 'duck.png',
      url: 'data:image/png;base64,AA==',
    } as const;
    const text = chatAsMarkdown(SESSION, [
      message('u', { parts: [{ type: 'text', text: 'Write it.' }, file] }),
      message('a', {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'one\ntwo' },
          call('c1', { state: 'output-available', output: { ok: true } }),
          { type: 'text', text: 'Done.' },
        ],
        metadata: { isAborted: true },
      }),
    ]);
    expect(text).toBe(
      [
        '# Ducks',
        '2026-01-02',
        '## You',
        'Write it.',
        '*File: duck.png*',
        '## Assistant',
        '> *Thinking:* one\n> two',
        '**Tool writeFile** (output available)',
        '```json\n{\n  "path": "c1"\n}\n```',
        '```json\n{\n  "ok": true\n}\n```',
        'Done.',
        '*Stopped.*\n',
      ].join('\n\n'),
    );
  });

  it.each(['approval-responded', 'output-denied'] as const)('keeps the reason of a denial: %s', (state) => {
    const part = call('c1', { state, approval: { id: 'ap_1', approved: false, reason: 'Ducks live\nthere.' } });
    const text = chatAsMarkdown(SESSION, [message('a', { role: 'assistant', parts: [part] })]);
    expect(text).toContain('> *Denied:* Ducks live\n> there.');
    const approval = { id: 'ap_1', approved: true, reason: 'Go on.' };
    const approved = call('c1', { state: 'output-available', output: 1, approval });
    expect(chatAsMarkdown(SESSION, [message('a', { role: 'assistant', parts: [approved] })])).not.toContain('Go on.');
  });

  it('keeps what a tool gave inside of its fence, whatever fences it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '```', '````', 'x', '\n'), { maxLength: 12 }), (pieces) => {
        const output = pieces.join('');
        const part = call('c1', { state: 'output-available', output });
        const lines = chatAsMarkdown(SESSION, [message('a', { role: 'assistant', parts: [part] })]).split('\n');
        const fence = lines.at(-2) ?? '';
        expect(fence).toMatch(/^`{3,}$/);
        expect(output).not.toContain(fence);
      }),
    );
  });
});

describe('the name of an exported file', () => {
  it.each([
    ['Ducks & geese', 'Ducks & geese.md'],
    ['../../etc/passwd', 'etc passwd.md'],
    ['a/b\\c:d*e?f"g<h>i|j\nk\u202ek', 'a b c d e f g h i j k k.md'],
    ['…', '….md'],
    [' .. ', 'chat.md'],
    ['', 'chat.md'],
    ['🦆'.repeat(100), `${'🦆'.repeat(80)}.md`],
  ])('of %j is %j', (title, name) => {
    expect(fileNameOf(title, 'md')).toBe(name);
  });

  it('is a header that every client takes, and the name itself for those that read more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (title) => {
        const name = fileNameOf(title, 'md');
        const header = attachment(name);
        expect(() => new Headers({ 'content-disposition': header })).not.toThrow();
        expect(decodeURIComponent(/filename\*=UTF-8''(?<name>.*)$/.exec(header)?.groups?.['name'] ?? '')).toBe(name);
      }),
    );
  });
});
