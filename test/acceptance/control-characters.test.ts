import { generateText, streamText } from 'ai';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { logEvents, type ObserverEvent, observers } from 'responses-loop';
import { calls, reply, rig, says } from './support/rig.js';

const program = fileURLToPath(new URL('../support/hostile-mcp-server.mjs', import.meta.url));
const hostile = (mode: string) => ({ bad: { command: process.execPath, args: [program, mode] } });

const ESCAPES = '\u001b[2J\u001b]0;pwned\u0007\u009b\u202e';
const RAW = /[^\P{Cc}\n\t]|\p{Bidi_Control}/u;

/** What `logEvents` writes for a person to read. */
function logger() {
  const lines: string[] = [];
  const events: ObserverEvent[] = [];
  const write = (line: string): void => void lines.push(line);
  const onEvent = observers(logEvents({ debug: write, info: write, warn: write, error: write }), (event) =>
    events.push(event),
  );
  return { lines, events, onEvent };
}

describe('orders to a terminal in the words of a server', () => {
  it.each(['ansi', 'ansi-start', 'ansi-stderr', 'ansi-names'])(
    'never reach a warning, an event or a line of the log (MCP server: %s)',
    async (mode) => {
      const { lines, events, onEvent } = logger();
      const { model } = await rig([reply(says('r1', 'Hi.'))], { mcpServers: hostile(mode), onEvent });
      const { warnings } = await generateText({ model, prompt: 'Go.' });
      expect(JSON.stringify(warnings)).toContain('\\\\u{1b}[2J');
      for (const warning of warnings ?? []) expect('message' in warning ? warning.message : '').not.toMatch(RAW);
      expect(lines.join('\n')).toContain('\\u{1b}[2J');
      expect(lines.join('\n')).not.toMatch(RAW);
      for (const event of events) if ('message' in event) expect(event.message).not.toMatch(RAW);
    },
  );

  it('never reach the error or the log of a call (model server)', async () => {
    const { lines, onEvent } = logger();
    const body = { error: { message: `boom ${ESCAPES}`, code: `odd${ESCAPES}` } };
    const { model } = await rig([{ status: 400, json: body }], { onEvent });
    const error: unknown = await generateText({ model, prompt: 'Go.', maxRetries: 0 }).catch(
      (caught: unknown) => caught,
    );
    expect(String(error)).toContain('boom \\u{1b}[2J');
    expect(String(error)).not.toMatch(RAW);
    expect(inspect((error as Error).message)).not.toMatch(RAW);
    expect(lines.join('\n')).not.toMatch(RAW);
  });

  it('never reach an error inside a stream (model server)', async () => {
    const events = [
      { type: 'response.created', response: { id: 'r1' } },
      { type: 'error', code: 'server_error', message: `boom ${ESCAPES}` },
    ];
    const { model } = await rig([events], {});
    const errors: unknown[] = [];
    const result = streamText({ model, prompt: 'Go.', maxRetries: 0, onError: ({ error }) => void errors.push(error) });
    await result.consumeStream();
    expect(String(errors[0])).toContain('boom \\u{1b}[2J');
    expect(String(errors[0])).not.toMatch(RAW);
  });

  it('never reach what the model reads about a failed call', async () => {
    const { model, requests } = await rig([reply(calls('r1', ['hi', {}])), reply(says('r2', 'Done.'))], {
      mcpServers: hostile('ansi-call'),
    });
    await generateText({ model, prompt: 'Go.' });
    expect(JSON.stringify(requests[1]?.input)).toContain('boom \\\\u{1b}[2J');
  });
});
