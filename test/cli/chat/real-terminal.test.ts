import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createScriptedServer,
  responseEvents,
  type ScriptedEvent,
  type ScriptedServer,
  type ScriptedStep,
} from 'responses-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TestTerminal } from '../../../examples/coding-cli/test/support/terminal.js';
import { everythingPath } from '../../tools/support/servers.js';

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

interface Chat {
  readonly terminal: TestTerminal;
  readonly server: ScriptedServer;
  /** Types a line when the prompt is there. */
  readonly say: (line: string) => Promise<void>;
}

function inTerminal(args: readonly string[], cwd: string): TestTerminal {
  const terminal = new TestTerminal({
    command: process.execPath,
    args: ['--import', import.meta.resolve('tsx'), main, 'chat', ...args],
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, NO_COLOR: process.env['NO_COLOR'] },
    columns: 120,
  });
  onTestFinished(() => terminal[Symbol.dispose]());
  return terminal;
}

/** The command in a pseudo terminal, with a model that says what the steps say. */
async function open(...steps: ScriptedStep[]): Promise<Chat> {
  const cwd = mkdtempSync(join(tmpdir(), 'chat-terminal-'));
  const mcpServers = { everything: { command: process.execPath, args: [everythingPath] } };
  writeFileSync(join(cwd, 'mcp.json'), JSON.stringify({ mcpServers }));
  const server = await createScriptedServer({ steps });
  const terminal = inTerminal(['--base-url', server.baseURL, '-m', 'm', '--mcp-config', 'mcp.json'], cwd);
  onTestFinished(async () => {
    await server.close();
    rmSync(cwd, { recursive: true, force: true });
  });
  const say = async (line: string): Promise<void> => {
    await terminal.shows((screen) => screen.trimEnd().endsWith('>'));
    terminal.write(`${line}\r`);
  };
  return { terminal, server, say };
}

const text = (said: string): readonly ScriptedEvent[] => responseEvents({ output: [{ type: 'text', text: said }] });
const calls = (name: string, args: object): readonly ScriptedEvent[] =>
  responseEvents({ output: [{ type: 'call', name, arguments: { ...args } }] });
const saysOutput: ScriptedStep = ({ input }) =>
  responseEvents({ output: [{ type: 'text', text: `It said: ${JSON.stringify(input.at(-1)?.['output'])}` }] });
const sum = calls('get-sum', { a: 2, b: 40 });
const QUESTION = '[y]es, [n]o, [a]lways this tool:';

describe('chat in a terminal', () => {
  it('keeps the conversation until /clear, and ends with /exit', async () => {
    const { terminal, server, say } = await open(text('First.'), text('Second.'), text('Third.'));
    await say('one');
    await terminal.shows('First.');
    await say('two');
    await terminal.shows('[10 tokens in, 5 out; conversation: 20 tokens in, 10 out]');
    expect(terminal.text).toContain('[10 tokens in, 5 out]');
    await say('/clear');
    await say('three');
    await terminal.shows('Third.');
    await say('/exit');
    expect((await terminal.exited).exitCode).toBe(0);
    // After /clear another conversation begins.
    expect(terminal.count('conversation:')).toBe(1);
    const said = server.requests.map(({ input }) => JSON.stringify(input));
    expect(said[1]).toMatch(/one.+First\..+two/);
    expect(said[2]).not.toMatch(/one|First|two/);
  });

  it('asks before a tool runs; y runs it once, n does not', async () => {
    const { terminal, server, say } = await open(sum, saysOutput, sum, saysOutput);
    await say('add');
    await terminal.shows(QUESTION);
    expect(terminal.text).toContain('Run get-sum of everything?\n{ "a": 2, "b": 40 }');
    terminal.write('y\r');
    await terminal.shows('It said: "The sum of 2 and 40 is 42."');
    await say('again');
    await terminal.until(() => terminal.count(QUESTION) === 2);
    terminal.write('n\r');
    await terminal.shows('the user said no');
    expect(terminal.count('The sum of 2 and 40 is 42."')).toBe(1);
    // The next turn knows what the tool said in the one before.
    const outputs = server.requests[2]?.input.filter(({ type }) => type === 'function_call_output');
    expect(outputs).toMatchObject([{ output: 'The sum of 2 and 40 is 42.' }]);
  });

  it('asks no more about a tool after a, but about another', async () => {
    const echo = calls('echo', { message: 'hi' });
    const { terminal, say } = await open(sum, sum, echo, text('Done.'));
    await say('add');
    await terminal.shows(QUESTION);
    terminal.write('a\r');
    await terminal.until(() => terminal.count(QUESTION) === 2);
    expect(terminal.text).toContain('Run echo of everything');
    expect(terminal.count('← get-sum The sum of 2 and 40 is 42.')).toBe(2);
    terminal.write('y\r');
    await terminal.shows('Done.');
  });

  it('asks about calls of one round one after another', async () => {
    const both = responseEvents({
      output: ['one', 'two'].map((message) => ({ type: 'call' as const, name: 'echo', arguments: { message } })),
    });
    const { terminal, say } = await open(both, text('Done.'));
    await say('echo twice');
    await terminal.shows(QUESTION);
    expect(terminal.count('Run echo')).toBe(1);
    terminal.write('y\r');
    await terminal.until(() => terminal.count(QUESTION) === 2);
    terminal.write('n\r');
    await terminal.shows('Done.');
    expect(terminal.text).toContain('← echo Echo: one');
    expect(terminal.text).not.toContain('← echo Echo: two');
  });

  it('takes nothing that was typed before the question for an answer', async () => {
    let go: () => void = () => {};
    const typed = new Promise<void>((resolve) => (go = resolve));
    const { terminal, server, say } = await open({ events: sum, after: typed }, saysOutput, text('Yes what?'));
    await say('add');
    terminal.write('y\ry');
    await terminal.shows(/> add\ny\ny/s);
    go();
    await terminal.shows(QUESTION);
    terminal.write('\r');
    await terminal.shows('the user said no');
    // The line was meant for the chat.
    await terminal.until(() => server.requests.length === 3);
    expect(server.requests[2]?.input.at(-1)).toMatchObject({ role: 'user', content: [{ text: 'y' }] });
  });

  it('Ctrl-C stops an answer and keeps what came; at the prompt it ends', async () => {
    const { terminal, server, say } = await open(
      { events: text('Once upon').slice(0, -4), ending: 'stall' },
      text('Second.'),
    );
    await say('a story');
    await terminal.shows('Once');
    terminal.write('\u0003');
    await terminal.shows('(stopped)');
    await say('go on');
    await terminal.shows('Second.');
    expect(JSON.stringify(server.requests[1]?.input)).toMatch(/a story.+Once.+go on/);
    await terminal.shows((screen) => screen.trimEnd().endsWith('>'));
    terminal.write('\u0003');
    expect((await terminal.exited).exitCode).toBe(0);
  });

  it('Ctrl-C at a question stops the answer, and the tool does not run', async () => {
    const { terminal, say } = await open(sum);
    await say('add');
    await terminal.shows(QUESTION);
    terminal.write('\u0003');
    await terminal.shows('(stopped)');
    expect(terminal.text).not.toContain('The sum of');
    await say('/tools');
    await terminal.shows('get-sum (everything, read-only)');
    terminal.write('\u0004');
    expect((await terminal.exited).exitCode).toBe(0);
  });

  it('Ctrl-C stops a tool that runs, and the chat goes on', async () => {
    const { terminal, server, say } = await open(
      calls('trigger-long-running-operation', { duration: 600, steps: 600 }),
      text('Second.'),
    );
    await say('work');
    await terminal.shows(QUESTION);
    terminal.write('y\r');
    await terminal.shows('→ trigger-long-running-operation');
    terminal.write('\u0003');
    await terminal.shows('(stopped)');
    await say('go on');
    await terminal.shows('Second.');
    const input = JSON.stringify(server.requests[1]?.input);
    expect(input.match(/"function_call"/g)?.length).toBe(input.match(/"function_call_output"/g)?.length);
  });

  it('Ctrl-C ends it before the first prompt, while models are listed', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'chat-hung-'));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const baseURL = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
    const terminal = inTerminal(['--base-url', baseURL], cwd);
    await once(silent, 'request');
    terminal.write('\u0003');
    expect((await terminal.exited).exitCode).toBe(130);
  });

  it('SIGTERM ends it while it answers', async () => {
    const { terminal, say } = await open({ none: 'stall' });
    await say('add');
    await terminal.shows('> add');
    terminal.kill('SIGTERM');
    expect((await terminal.exited).exitCode).toBe(130);
  });
});
