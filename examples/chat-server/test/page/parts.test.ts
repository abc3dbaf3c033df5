import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeLink } from '../../page/lib/links.js';
import { claimOf, labelOf, lineOfCall, viewOfCall } from '../../page/lib/call-views.js';
import { callOf, openPlan, planIn, readable, type ToolPart, toolView } from '../../page/lib/parts.js';
import type { ChatMessage } from '../../src/types.js';

const tool = (rest: object): ToolPart =>
  ({ type: 'tool-shellCommand', toolCallId: 'c1', input: {}, ...rest }) as unknown as ToolPart;

describe('the state of a call', () => {
  const approval = { id: 'ap1' };
  it.each([
    ['running', 'live', { state: 'input-streaming' }],
    ['running', 'live', { state: 'input-available' }],
    ['failed', 'last', { state: 'input-available' }],
    ['waiting for you', 'live', { state: 'approval-requested', approval }],
    ['waiting for you', 'last', { state: 'approval-requested', approval }],
    ['not answered', 'past', { state: 'approval-requested', approval }],
    ['running', 'live', { state: 'approval-responded', approval: { ...approval, approved: true } }],
    ['waiting for you', 'last', { state: 'approval-responded', approval: { ...approval, approved: true } }],
    ['not run', 'past', { state: 'approval-responded', approval: { ...approval, approved: true } }],
    ['denied', 'last', { state: 'approval-responded', approval: { ...approval, approved: false } }],
    ['denied', 'past', { state: 'approval-responded', approval: { ...approval, approved: false } }],
    ['running', 'live', { state: 'output-available', output: 'half', preliminary: true }],
    ['done', 'past', { state: 'output-available', output: { ok: true } }],
    ['done', 'past', { state: 'output-available', output: 'text' }],
    ['failed', 'past', { state: 'output-available', output: { ok: false, error: 'no' } }],
    ['failed', 'past', { state: 'output-available', output: { isError: true, content: [] } }],
    ['denied', 'past', { state: 'output-available', output: { ok: false, isDenied: true, error: 'no' } }],
    ['failed', 'past', { state: 'output-error', errorText: 'no' }],
    ['denied', 'past', { state: 'output-denied', approval: { ...approval, approved: false } }],
  ] as const)('is "%s", live: %s, for %o', (state, isLive, part) => {
    expect(toolView(tool(part), isLive).state).toBe(state);
  });

  it('is shown by what runs; the words of the model stand beside it', () => {
    const part = tool({ state: 'input-available', input: { actionName: 'List the files', command: 'ls' } });
    const view = viewOfCall(callOf(part));
    expect([view.head, lineOfCall(view), claimOf(view)]).toEqual(['shellCommand', 'ls', '"List the files"']);
  });

  it.each([
    ['ls -la', 'ls -la'],
    ['cat a\nrm b', 'cat a …'],
    ['\n\nls\n', 'ls'],
    ['x'.repeat(200), `${'x'.repeat(80)}…`],
  ])('is shown by the command on the line of its name: %j', (command, shown) => {
    const part = tool({ state: 'input-available', input: { actionName: 'List the files', command } });
    expect(lineOfCall(viewOfCall(callOf(part)))).toBe(shown);
  });

  it('has a name for people only if it is a tool of the app', () => {
    const call = { name: 'writeFile', input: {}, isOwn: true };
    expect(labelOf(call, 'writeFile')).toBe('Write file');
    expect(labelOf({ ...call, isOwn: false }, 'writeFile (MCP)')).toBe('writeFile (MCP)');
    expect(labelOf({ ...call, name: 'toString' }, 'toString')).toBe('toString');
  });

  it.each([{ type: 'dynamic-tool', toolName: 'shellCommand' }, { providerExecuted: true }])(
    'of an MCP server has no view of its own, whatever its tool is called: %o',
    (other) => {
      const input = { actionName: 'List the files', command: 'ls' };
      const { blocks } = viewOfCall(callOf(tool({ state: 'input-available', input, ...other })));
      expect(blocks).toEqual([{ kind: 'arguments', text: '{ "actionName": "List the files", "command": "ls" }' }]);
    },
  );
});

describe('a link', () => {
  it.each(['https://example.com/a?b#c', 'http://example.com/', 'mailto:duck@example.com'])('%s is followed', (href) => {
    expect(safeLink(href)).toBe(href);
  });

  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:http://127.0.0.1/1',
    'file:///etc/passwd',
    '/api/sessions',
    '//example.com',
    '',
    undefined,
  ])('%s leads nowhere', (href) => {
    expect(safeLink(href)).toBeUndefined();
  });

  it('has one of three protocols, whatever it is made of', () => {
    const odd = fc.string({ unit: fc.constantFrom(...'jJaAvscriptdt:/\\ \t\n\0#?hHmo%6A&;'.split('')) });
    fc.assert(
      fc.property(odd, (href) => {
        const safe = safeLink(href);
        expect(safe === undefined || /^(https?|mailto):/.test(safe)).toBe(true);
      }),
    );
  });
});

describe('what a tool gave', () => {
  it('is read as text, as the texts of an MCP result, or as JSON', () => {
    expect(readable('plain')).toBe('plain');
    expect(
      readable({
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }),
    ).toBe('a\nb');
    expect(readable({ ok: true })).toBe('{\n  "ok": true\n}');
    expect(readable(undefined)).toBe('');
  });

  it('may be anything at all', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => typeof readable(value) === 'string'));
  });
});

describe('the plan', () => {
  it('is the one that was written down last', () => {
    const plan = (text: string, state: string): ChatMessage['parts'][number] =>
      ({
        type: 'tool-updatePlan',
        toolCallId: text,
        state: 'output-available',
        input: { items: [{ text, state }] },
        output: {},
      }) as never;
    const messages: ChatMessage[] = [
      { id: 'm1', role: 'assistant', parts: [plan('Look', 'done'), plan('Write', 'in_progress')] },
      {
        id: 'm2',
        role: 'assistant',
        parts: [{ type: 'tool-updatePlan', toolCallId: 'x', state: 'input-streaming', input: {} } as never],
      },
    ];
    expect(openPlan(messages)).toEqual({ messageId: 'm1', items: [{ text: 'Write', state: 'in_progress' }] });
    expect(openPlan([])).toBeUndefined();
  });

  it('is open until all of it is done, and stays in its message', () => {
    const part = { type: 'tool-updatePlan', toolCallId: 'c1', state: 'output-available', output: {} };
    const done = { ...part, input: { items: [{ text: 'Look', state: 'completed' }] } };
    const planned: ChatMessage = { id: 'm1', role: 'assistant', parts: [done as never] };
    expect(openPlan([planned])).toBeUndefined();
    expect(planIn(planned.parts)).toEqual([{ text: 'Look', state: 'completed' }]);
  });

  it('is not changed by an update that failed', () => {
    const update = (text: string, ok: boolean): ToolPart =>
      ({
        type: 'tool-updatePlan',
        toolCallId: text,
        state: 'output-available',
        input: { items: [{ text, state: 'pending' }] },
        output: { ok },
      }) as never;
    expect(planIn([update('Look', true), update('Leap', false)])).toEqual([{ text: 'Look', state: 'pending' }]);
  });
});
