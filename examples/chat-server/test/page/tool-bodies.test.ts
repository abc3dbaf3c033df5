import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { describe, expect, it } from 'vitest';
import { ToolOutput } from '../../page/components/tool-output.js';
import type { ToolPart } from '../../page/lib/parts.js';
import { bodyOf } from '../../page/lib/tool-bodies.js';

const read = (output: unknown, others: object = {}): ToolPart =>
  ({
    type: 'tool-readFile',
    toolCallId: 'call_1',
    state: 'output-available',
    input: { path: 'a.ts' },
    output,
    ...others,
  }) as never;
const FILE = { ok: true, path: 'a.ts', content: 'const a = 1;' };

describe('the view of a tool', () => {
  it('shows what the call gave, and is loaded when it is looked at', async () => {
    const { prelude } = await prerender(createElement(ToolOutput, { part: read(FILE), place: 'details' }));
    const markup = await new Response(prelude).text();
    expect(markup).toContain('const a = 1;');
  });

  it('is for tools of this application alone', () => {
    expect(bodyOf(read(FILE))).toBeDefined();
    expect(bodyOf(read(FILE, { providerExecuted: true }))).toBeUndefined();
    expect(bodyOf(read(FILE, { type: 'dynamic-tool', toolName: 'readFile' }))).toBeUndefined();
    expect(bodyOf(read(FILE, { type: 'tool-constructor' }))).toBeUndefined();
  });

  it('is in its own place only, and a failed call has the text of its error', () => {
    expect(renderToStaticMarkup(createElement(ToolOutput, { part: read(FILE), place: 'card' }))).toBe('');
    const part = read({ ok: false, error: 'No such file.' });
    expect(renderToStaticMarkup(createElement(ToolOutput, { part, place: 'details' }))).toContain('No such file.');
  });

  it('of a command shows what it printed if it failed, too, and why', async () => {
    const failed = { ok: false, error: 'It ended with exit code 1.', output: '\u001B[31mFAIL\u001B[0m a' };
    const part = read(failed, { type: 'tool-shellCommand' });
    const { prelude } = await prerender(createElement(ToolOutput, { part, place: 'details' }));
    const markup = await new Response(prelude).text();
    expect(markup).toContain('It ended with exit code 1.');
    expect(markup).toContain('<span class="ansi-ink-red">FAIL</span> a');
  });
});
