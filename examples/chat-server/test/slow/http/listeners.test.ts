import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalsIn, type Chunk, textOf, typesOf, until } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { type ScriptedModel, startScriptedModel, textOfItem } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
/** One that gives a turn up at once, and one that lets it run on. */
let strict: ChatProcess;
let patient: ChatProcess;
const strictMcp = countingServer(newFolder());
const patientMcp = countingServer(newFolder());
const WORDS = Array.from({ length: 30 }, (_, n) => `word${n}`).join(' ');

beforeAll(async () => {
  model = await startScriptedModel({ delayMs: 20 });
  [strict, patient] = await Promise.all([
    startChat({ baseURL: model.baseURL, args: ['--grace', '0', ...strictMcp.args] }),
    startChat({ baseURL: model.baseURL, args: ['--grace', '60', ...patientMcp.args] }),
  ]);
});
afterAll(async () => {
  await model.close();
});

const hasText = (chunks: readonly Chunk[]): boolean => textOf(chunks).includes('word3');
const requestOf = (word: string) => model.requests.find(({ text }) => text.includes(word));

describe('listeners', () => {
  it('of a running turn all see it from its first chunk, and it ends for all of them', async () => {
    const turn = patient.send('many', WORDS);
    await until(
      () => patient.session('many').catch(() => undefined),
      (session) => session?.running === true,
    );
    const joined = await Promise.all(
      [1, 2, 3].map(async () => (await patient.fetch('GET', '/api/chat/many/stream')).text()),
    );
    const { chunks } = await turn;
    for (const text of joined) {
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
      expect(text.split('\n\n').filter((line) => line.startsWith('data: {')).length).toBe(chunks.length);
    }
    expect((await patient.fetch('GET', '/api/chat/many/stream')).status).toBe(204);
  });

  it('that all go leave a turn running for the grace, and a page that comes back joins it', async () => {
    await patient.leaveWhen(patient.message('away', WORDS), hasText);
    const text = await (await patient.fetch('GET', '/api/chat/away/stream')).text();
    expect(text).toContain('"type":"start"');
    expect(text).toContain('word29');
    const { messages } = await patient.idle('away');
    expect(messages[1]?.parts[0]).toMatchObject({ text: `You said: ${WORDS}`, state: 'done' });
  });

  it('that all go end a turn at once without a grace; what was said is kept, and marked', async () => {
    await strict.leaveWhen(strict.message('cut', `cut ${WORDS}`), hasText);
    const { messages } = await strict.idle('cut');
    expect(messages[1]?.metadata.isAborted).toBe(true);
    expect(messages[1]?.parts[0]).toMatchObject({ type: 'text', state: 'done' });
    await until(
      () => requestOf('cut word0')?.aborted,
      (aborted) => aborted === true,
    );
    const next = await strict.send('cut', 'go on');
    expect(textOf(next.chunks)).toBe('You said: go on');
  });

  it('count while one of several is left', async () => {
    const turn = strict.send('two', `two ${WORDS}`);
    await until(
      () => strict.session('two').catch(() => undefined),
      (session) => session?.running === true,
    );
    for (let n = 0; n < 5; n += 1) {
      const leave = new AbortController();
      const response = await strict.fetch('GET', '/api/chat/two/stream', undefined, { signal: leave.signal });
      await response.body?.getReader().read();
      leave.abort();
    }
    const { chunks } = await turn;
    expect(textOf(chunks)).toContain('word29');
    expect((await strict.idle('two')).messages[1]?.metadata.isAborted).toBeUndefined();
  });

  it('are none that ask by HEAD whether there is a stream', async () => {
    const body = strict.message('head', `head ${WORDS}`);
    let asked: Promise<Response> | undefined;
    await strict.leaveWhen(body, (chunks) => {
      asked ??= strict.fetch('HEAD', '/api/chat/head/stream');
      return hasText(chunks);
    });
    expect([200, 204]).toContain((await asked)?.status);
    await strict.idle('head');
    await until(
      () => requestOf('head word0')?.aborted,
      (aborted) => aborted === true,
    );
  });

  it('in JSON mode count too: whoever hangs up ends the turn', async () => {
    const leave = new AbortController();
    const body = strict.message('hang', `hang ${WORDS}`, { responseMode: 'json' });
    const turn = strict.fetch('POST', '/api/chat', body, { signal: leave.signal }).catch(() => undefined);
    await until(
      () => requestOf('hang word0'),
      (request) => request !== undefined,
    );
    leave.abort();
    await turn;
    await strict.idle('hang');
    await until(
      () => requestOf('hang word0')?.aborted,
      (aborted) => aborted === true,
    );
  });

  it('that go while a tool of an MCP server runs end the tool', async () => {
    await strict.leaveWhen(strict.message('tool', 'call wait {}'), () => strictMcp.did().includes('wait began'));
    await strict.idle('tool');
    await until(
      () => strictMcp.did(),
      (did) => did.includes('wait cancelled'),
    );
    const { messages } = await strict.session('tool');
    expect(messages[1]?.parts).toMatchObject([{ type: 'dynamic-tool', toolName: 'wait' }]);
    expect(textOf((await strict.send('tool', 'still there?')).chunks)).toBe('You said: still there?');
    expect(model.problems).toEqual([]);
  });

  it('may be gone before the turn begins', async () => {
    for (let n = 0; n < 10; n += 1) {
      const leave = new AbortController();
      const sent = strict.fetch('POST', '/api/chat', strict.message(`early${n}`, `early ${WORDS}`), {
        signal: leave.signal,
      });
      setTimeout(() => leave.abort(), n * 3);
      await sent.catch(() => undefined);
    }
    await until(
      async () => (await strict.api<{ items: { id: string; running: boolean }[] }>('GET', '/api/sessions')).json.items,
      (items) => items.every(({ running }) => !running),
    );
  });
});

describe('stop', () => {
  it('ends the request to the model and the stream, keeps what was said, and says that there was a turn', async () => {
    const turn = patient.send('stop', `stop ${WORDS}`);
    await until(
      () => requestOf('stop word0'),
      (request) => request !== undefined,
    );
    await until(
      async () => (await patient.session('stop')).running,
      (running) => running,
    );
    expect(await patient.api('POST', '/api/chat/stop/stop', {})).toEqual({ status: 202, json: { stopped: true } });
    const { chunks, isDone } = await turn;
    expect(chunks.at(-1)).toMatchObject({ type: 'abort' });
    expect(isDone).toBe(true);
    await until(
      () => requestOf('stop word0')?.aborted,
      (aborted) => aborted === true,
    );
    expect(await patient.api('POST', '/api/chat/stop/stop', {})).toEqual({ status: 202, json: { stopped: false } });
    const next = await patient.send('stop', 'next');
    expect(next.status).toBe(200);
  });

  it('reaches a tool of an MCP server', async () => {
    const turn = patient.send('stop-mcp', 'call wait {}');
    await until(
      () => patientMcp.did(),
      (did) => did.includes('wait began'),
    );
    await patient.api('POST', '/api/chat/stop-mcp/stop', {});
    await until(
      () => patientMcp.did(),
      (did) => did.includes('wait cancelled'),
    );
    expect(typesOf((await turn).chunks)).toContain('abort');
  });

  it('reaches a command of the shell that was approved, and what it started', async () => {
    const call = `call shellCommand ${JSON.stringify({ command: 'bash -c "echo $$ > pid; sleep 300"' })}`;
    const [id = ''] = approvalsIn((await patient.send('stop-shell', call)).chunks);
    const turn = patient.answer('stop-shell', { id, approved: true });
    const { existsSync, readFileSync } = await import('node:fs');
    const file = `${patient.workspace}/pid`;
    const pid = Number(
      await until(
        () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
        (text) => text.endsWith('\n'),
      ),
    );
    await patient.api('POST', '/api/chat/stop-shell/stop', {});
    expect(typesOf((await turn).chunks)).toContain('abort');
    await until(
      () => isAlive(pid),
      (alive) => !alive,
    );
  });

  it('reaches a sub-agent and its request', async () => {
    const call = `call subAgent ${JSON.stringify({ agent: 'document', task: `agent ${WORDS}` })}`;
    const turn = patient.send('stop-agent', call);
    const ofAgent = () =>
      model.requests.findLast(({ input }) => textOfItem(input.at(-1)?.['content']).startsWith('agent word0'));
    await until(ofAgent, (request) => request !== undefined);
    await patient.api('POST', '/api/chat/stop-agent/stop', {});
    expect(typesOf((await turn).chunks)).toContain('abort');
    await until(ofAgent, (request) => request?.aborted === true);
    const agents = await patient.api<{ state: string }[]>('GET', '/api/sessions/stop-agent/agents');
    expect(agents.json.map(({ state }) => state)).toEqual(['aborted']);
  });
});

describe('a second message', () => {
  it('while a turn runs is refused, and nothing of it is stored', async () => {
    const turn = patient.send('busy', `busy ${WORDS}`);
    await until(
      () => requestOf('busy word0'),
      (request) => request !== undefined,
    );
    const second = await patient.send('busy', 'me too');
    expect(second).toMatchObject({ status: 409, json: { error: { code: 'turn_running' } } });
    await turn;
    expect((await patient.session('busy')).messages).toHaveLength(2);
  });

  it('of several at once in a new chat one runs', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => patient.send('race', `race ${n}`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    expect((await patient.session('race')).messages).toHaveLength(2);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
