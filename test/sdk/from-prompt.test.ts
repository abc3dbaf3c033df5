import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/core/message.js';
import { fromPrompt } from '../../src/sdk/prompt/from-prompt.js';

const BYTES = new Uint8Array([104, 105]);

function contentOf(part: object): { content: unknown; warnings: readonly string[] } {
  const { messages, warnings } = fromPrompt([{ role: 'user', content: [part] }]);
  return { content: (messages[0] as Extract<Message, { role: 'user' }>).content, warnings };
}

const file = (data: unknown, rest: object = {}): object => ({ type: 'file', mediaType: 'image/png', data, ...rest });

describe('user content in every shape of ai 5, 6 and 7', () => {
  it.each<[string, object, object]>([
    ['text', { type: 'text', text: 'Hi' }, { type: 'text', text: 'Hi' }],
    ['bytes', file(BYTES), { type: 'file', mediaType: 'image/png', source: { type: 'data', base64: 'aGk=' } }],
    ['a Node buffer', file(Buffer.from('hi')), { source: { type: 'data', base64: 'aGk=' } }],
    ['base64', file('aGk='), { source: { type: 'data', base64: 'aGk=' } }],
    [
      'a URL object',
      file(new URL('https://example.com/a.png')),
      { source: { type: 'url', url: 'https://example.com/a.png' } },
    ],
    ['a URL as text', file('https://example.com/a.png'), { source: { type: 'url', url: 'https://example.com/a.png' } }],
    ['a data URL', file('data:image/png;base64,aGk='), { source: { type: 'data', base64: 'aGk=' } }],
    ['a data URL object', file(new URL('data:image/png;base64,aGk=')), { source: { type: 'data', base64: 'aGk=' } }],
    [
      'a data URL object that is not base64',
      file(new URL('data:text/plain,hi')),
      { source: { type: 'url', url: 'data:text/plain,hi' } },
    ],
    ['a file id', file('file-abc123'), { source: { type: 'id', id: 'file-abc123' } }],
    ['an Azure file id', file('assistant-abc123'), { source: { type: 'id', id: 'assistant-abc123' } }],
    ['tagged data (ai 7)', file({ type: 'data', data: 'aGk=' }), { source: { type: 'data', base64: 'aGk=' } }],
    ['tagged bytes (ai 7)', file({ type: 'data', data: BYTES }), { source: { type: 'data', base64: 'aGk=' } }],
    [
      'a tagged URL (ai 7)',
      file({ type: 'url', url: new URL('https://example.com/a.png') }),
      { source: { type: 'url', url: 'https://example.com/a.png' } },
    ],
    [
      'a tagged URL as text (ai 7)',
      file({ type: 'url', url: 'https://example.com/a.png' }),
      { source: { type: 'url', url: 'https://example.com/a.png' } },
    ],
    [
      'a tagged text (ai 7)',
      file({ type: 'text', text: 'hi' }, { mediaType: 'text/plain' }),
      { mediaType: 'text/plain', source: { type: 'data', base64: 'aGk=' } },
    ],
    [
      'a tagged reference (ai 7)',
      file({ type: 'reference', reference: { openai: 'file-abc' } }),
      { source: { type: 'id', id: 'file-abc' } },
    ],
    [
      'a tagged reference of Azure (ai 7)',
      file({ type: 'reference', reference: { azure: 'assistant-1' } }),
      { source: { type: 'id', id: 'assistant-1' } },
    ],
    ['ai 6 and earlier: image/*', file('aGk=', { mediaType: 'image/*' }), { mediaType: 'image/*' }],
    ['ai 7: image', file('aGk=', { mediaType: 'image' }), { mediaType: 'image' }],
    [
      'a file name',
      file('aGk=', { mediaType: 'application/pdf', filename: 'a.pdf' }),
      { mediaType: 'application/pdf', filename: 'a.pdf' },
    ],
    [
      'image detail of the stock provider',
      file('aGk=', { providerOptions: { openai: { imageDetail: 'low' } } }),
      { detail: 'low' },
    ],
    ['no media type', { type: 'file', data: 'aGk=' }, { mediaType: 'application/octet-stream' }],
  ])('%s', (_name, part, expected) => {
    const { content, warnings } = contentOf(part);
    expect(content).toMatchObject([expected]);
    expect(warnings).toEqual([]);
  });

  it('content that is a plain text', () => {
    const { messages, warnings } = fromPrompt([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'U' },
      { role: 'assistant', content: 'A' },
    ]);
    expect(messages).toEqual([
      { role: 'system', text: 'S' },
      { role: 'user', content: [{ type: 'text', text: 'U' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'A' }] },
    ]);
    expect(warnings).toEqual([]);
  });

  it('a system message made of parts, and several of them', () => {
    const { messages } = fromPrompt([
      {
        role: 'system',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'system', content: 'c' },
    ]);
    expect(messages).toEqual([
      { role: 'system', text: 'ab' },
      { role: 'system', text: 'c' },
    ]);
  });
});

const DENIED = 'The call to "t" was denied and did not run';
const NOT_AGAIN = 'Do not try it again unless the user asks for it.';

describe('tool results in every shape', () => {
  const outputOf = (output: unknown): { output: object; warnings: readonly string[] } => {
    const { messages, warnings } = fromPrompt([
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 't', output }] },
    ]);
    const [read] = (messages[0] as Extract<Message, { role: 'tool' }>).content;
    return { output: read?.type === 'tool-result' ? read.output : {}, warnings };
  };
  const said = (text: string, isError = false): object => ({ isError, content: [{ type: 'text', text }] });

  it.each<[string, unknown, object]>([
    ['text', { type: 'text', value: 'v' }, said('v')],
    ['error-text', { type: 'error-text', value: 'v' }, said('v', true)],
    ['json', { type: 'json', value: { a: 1 } }, said('{"a":1}')],
    ['json null', { type: 'json', value: null }, said('null')],
    ['json without a value', { type: 'json' }, said('null')],
    ['json that is a text', { type: 'json', value: 'v' }, said('"v"')],
    ['error-json', { type: 'error-json', value: { a: 1 } }, said('{"a":1}', true)],
    ['error-json that is a text (ai 5 and 6)', { type: 'error-json', value: 'v' }, said('v', true)],
    ['execution-denied', { type: 'execution-denied' }, said(`${DENIED}: the user said no. ${NOT_AGAIN}`, true)],
    [
      'execution-denied with a reason',
      { type: 'execution-denied', reason: 'no' },
      said(`${DENIED}: no. ${NOT_AGAIN}`, true),
    ],
    ['a shape of tomorrow', { type: 'hologram', value: 'v' }, said('{"type":"hologram","value":"v"}')],
    ['a bare value', 'v', said('"v"')],
    ['nothing', undefined, said('null')],
    [
      'content: text',
      {
        type: 'content',
        value: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ],
    [
      'content: media (ai 5)',
      { type: 'content', value: [{ type: 'media', data: 'aGk=', mediaType: 'image/png' }] },
      { content: [{ type: 'file', mediaType: 'image/png', source: { type: 'data', base64: 'aGk=' } }] },
    ],
    [
      'content: image-data (ai 6)',
      { type: 'content', value: [{ type: 'image-data', data: 'aGk=', mediaType: 'image/png' }] },
      { content: [{ type: 'file', mediaType: 'image/png' }] },
    ],
    [
      'content: image-url (ai 6)',
      { type: 'content', value: [{ type: 'image-url', url: 'https://example.com/a.png' }] },
      { content: [{ mediaType: 'image/png', source: { type: 'url', url: 'https://example.com/a.png' } }] },
    ],
    [
      'content: file-data (ai 6)',
      {
        type: 'content',
        value: [{ type: 'file-data', data: 'aGk=', mediaType: 'application/pdf', filename: 'a.pdf' }],
      },
      { content: [{ mediaType: 'application/pdf', filename: 'a.pdf' }] },
    ],
    [
      'content: file-url without a media type (ai 7)',
      { type: 'content', value: [{ type: 'file-url', url: 'https://example.com/a.pdf' }] },
      {
        content: [{ mediaType: 'application/octet-stream', source: { type: 'url', url: 'https://example.com/a.pdf' } }],
      },
    ],
    [
      'content: file-id (ai 6)',
      { type: 'content', value: [{ type: 'file-id', fileId: 'file-1' }] },
      { content: [{ source: { type: 'id', id: 'file-1' } }] },
    ],
    [
      'content: file-id by provider (ai 7)',
      { type: 'content', value: [{ type: 'file-id', fileId: { openai: 'file-1' } }] },
      { content: [{ source: { type: 'id', id: 'file-1' } }] },
    ],
    [
      'content: image-file-id (ai 6)',
      { type: 'content', value: [{ type: 'image-file-id', fileId: 'file-1' }] },
      { content: [{ mediaType: 'image/png', source: { type: 'id', id: 'file-1' } }] },
    ],
    [
      'content: file (ai 7)',
      { type: 'content', value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } }] },
      { content: [{ mediaType: 'image/png', source: { type: 'data', base64: 'aGk=' } }] },
    ],
    [
      'our own files, wrapped as JSON on their way through the SDK',
      { type: 'json', value: { type: 'content', value: [{ type: 'media', data: 'aGk=', mediaType: 'image/png' }] } },
      { content: [{ type: 'file', mediaType: 'image/png' }] },
    ],
  ])('%s', (_name, output, expected) => {
    const read = outputOf(output);
    expect(read.output).toMatchObject(expected);
    expect(read.warnings).toEqual([]);
  });

  it.each<[string, object]>([
    ['custom (ai 6 and 7)', { type: 'custom' }],
    ['a shape of tomorrow', { type: 'hologram' }],
    ['media without data', { type: 'media', mediaType: 'image/png' }],
  ])('content it cannot read is left out with a warning: %s', (_name, part) => {
    const { output, warnings } = outputOf({ type: 'content', value: [{ type: 'text', text: 'a' }, part] });
    expect(output).toMatchObject({ content: [{ type: 'text', text: 'a' }] });
    expect(warnings).toEqual([expect.stringContaining((part as { type: string }).type)]);
  });
});

describe('what nobody knows is left out with a warning, never thrown at', () => {
  it.each<[string, object, string]>([
    ['a user part', { role: 'user', content: [{ type: 'hologram' }] }, 'hologram'],
    ['a file without data', { role: 'user', content: [{ type: 'file', mediaType: 'image/png' }] }, 'file'],
    [
      'a file reference of another provider',
      {
        role: 'user',
        content: [
          { type: 'file', mediaType: 'image/png', data: { type: 'reference', reference: { anthropic: 'file_1' } } },
        ],
      },
      'file',
    ],
    ['custom assistant parts (ai 7)', { role: 'assistant', content: [{ type: 'custom', kind: 'a.b' }] }, 'custom'],
    [
      'reasoning files (ai 7)',
      { role: 'assistant', content: [{ type: 'reasoning-file', mediaType: 'image/png', data: 'aGk=' }] },
      'reasoning-file',
    ],
    [
      'approval requests (ai 6)',
      { role: 'assistant', content: [{ type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' }] },
      'tool-approval-request',
    ],
    ['a part without a type', { role: 'user', content: [{}] }, 'undefined'],
    ['a role', { role: 'narrator', content: 'Once upon a time' }, 'narrator'],
    ['a role that every object has', { role: 'constructor', content: 'x' }, 'constructor'],
  ])('%s', (_name, message, named) => {
    const { warnings } = fromPrompt([{ role: 'user', content: 'Q' }, message]);
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`^Message 1 .*${named}`))]);
  });

  it.each([
    null,
    5,
    'text',
    [],
    { role: 'user' },
    { role: 'user', content: null },
    { role: 'assistant', content: [null, 5, 'x'] },
    { role: 'tool', content: 'x' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call' }, { type: 'tool-result' }, { type: 'reasoning' }, { type: 'text' }],
    },
  ])('broken input: %j', (message) => {
    expect(() => fromPrompt([message])).not.toThrow();
  });
});
