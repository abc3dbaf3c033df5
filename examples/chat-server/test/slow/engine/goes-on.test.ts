import { afterAll, describe, expect, it } from 'vitest';
import type { QueuedItem } from '../../../src/types.js';
import { type Chunk, textOf, typesOf, until } from '../../support/chat-client.js';
import { answersOf, ChatFollower } from '../../support/chat-follower.js';
import { countingServer } from '../../support/counting-server.js';
import { startHeldModel } from '../../support/held-model.js';
import { newPlace, startTwo, useModel } from '../../support/instances.js';
import { type ChatProcess, newFolder } from '../../support/start-chat.js';

const { postgres, model } = await useModel(() => startHeldModel(3));
afterAll(() => expect(model.problems).toEqual([]));

interface Agent {
  readonly state: string;
  readonly canContinue: boolean;
  readonly questions: readonly { readonly toolCallId: string }[];
}

const hand = (task: string): string => `call subAgent ${JSON.stringify({ agent: 'default', task })}`;
const agentsOf = async (chat: ChatProcess): Promise<readonly Agent[]> =>
  (await chat.api<Agent[]>('GET', '/api/sessions/c/agents')).json;
const waiting = async (chat: ChatProcess): Promise<string[]> =>
  (Reflect.get(await chat.session('s'), 'queue') as readonly QueuedItem[]).map(({ text }) => text);
/** All texts of the person in the conversation, wherever the model read them. */
const heard = async (chat: ChatProcess): Promise<string[]> =>
  (await chat.session('s')).messages.flatMap(({ role, parts }) =>
    parts.flatMap((part) => {
      if (part.type === 'data-steered') return [part.data.text];
      return role === 'user' && part.type === 'text' ? [part.text] : [];
    }),
  );

async function startTwoWithTools() {
  const mcp = countingServer(newFolder());
  const [one, two] = await startTwo({ ...newPlace(postgres, model), args: mcp.args });
  return { one, two, mcp };
}

describe.skipIf(postgres === undefined)('at another instance, once the first one is killed,', () => {
  it('a sub-agent goes on with its task, and reports into the same answer', async () => {
    const { one, two, mcp } = await startTwoWithTools();
    const sent = one.send('c', hand('call wait {}')).catch(() => undefined);
    await until(mcp.did, (did) => did.includes('wait began'));
    await one.end('SIGKILL');
    await sent;
    const { messages } = await two.idle('c');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(messages[1]?.parts).toMatchObject([{ state: 'output-available', output: { ok: true } }, { type: 'text' }]);
    expect(answersOf({ messages } as never)[0]).toMatch(/^Done: .*Done: .*interrupted/);
    expect(await agentsOf(two)).toMatchObject([{ state: 'done', questions: [], canContinue: false }]);
  });

  it('the question of a sub-agent is answered, its call runs once, and the turn ends', async () => {
    const { one, two, mcp } = await startTwoWithTools();
    const isAsked = (chunks: readonly Chunk[]): boolean => typesOf(chunks).includes('data-sub-agent-approval');
    await one.leaveWhen(one.message('c', hand('call count {"what":"x"}')), isAsked);
    const follower = new ChatFollower('c', two);
    await follower.read(isAsked);
    await one.end('SIGKILL');
    // The turn that goes on waits for the answer by then.
    await follower.read((chunks) => follower.reloads > 0 && isAsked(chunks));
    const [agent] = await until(
      () => agentsOf(two),
      (agents) => agents[0]?.questions.length === 1,
    );
    const path = `/api/sessions/c/approvals/${encodeURIComponent(agent?.questions[0]?.toolCallId ?? '')}`;
    expect(await two.api('POST', path, { approved: true })).toEqual({ status: 200, json: { result: 'resolved' } });
    const { messages } = await two.idle('c');
    expect(answersOf({ messages } as never)).toEqual([expect.stringMatching(/^Done: .*Done: .*counted x/)]);
    expect(mcp.did()).toEqual(['count x']);
    expect(await agentsOf(two)).toMatchObject([{ state: 'done', questions: [], canContinue: false }]);
  });

  it('what was said to the turn and what was queued is heard once, in its order', async () => {
    const { one, two } = await startTwoWithTools();
    model.hold('be busy');
    const sent = one.send('s', 'be busy').catch(() => undefined);
    await model.holds('be busy');
    for (const [text, whileRunning] of [
      ['one', 'queue'],
      ['to the turn', 'steer'],
    ] as const)
      expect((await one.send('s', text, { whileRunning })).status).toBe(202);
    await one.end('SIGKILL');
    model.release();
    await sent;
    await until(
      () => waiting(two),
      (left) => left.length === 0,
    );
    await two.idle('s');
    expect(await heard(two)).toEqual(['be busy', 'to the turn', 'one']);
  });

  it('a message that the turn had heard stays where it was heard', async () => {
    const { one, two, mcp } = await startTwoWithTools();
    model.hold('begin');
    const isHeard = (chunks: readonly Chunk[]): boolean => chunks.some(({ type }) => type === 'data-steered');
    const turn = one.leaveWhen(one.message('s', 'begin\ncall look {}'), isHeard);
    await model.holds('begin');
    await one.send('s', 'call wait {}', { whileRunning: 'steer' });
    model.release();
    await turn;
    await until(mcp.did, (did) => did.includes('wait began'));
    await one.end('SIGKILL');
    await two.idle('s');
    expect(await heard(two)).toEqual(['begin\ncall look {}', 'call wait {}']);
    expect(answersOf(await two.session('s'))).toEqual([expect.stringMatching(/Done: .*interrupted/)]);
  });

  it('a client that asked both hears the turn of a queued message, too', async () => {
    const { one, two } = await startTwoWithTools();
    model.hold('be busy');
    const sent = one.send('s', 'be busy').catch(() => undefined);
    await model.holds('be busy');
    await one.send('s', 'next one', { whileRunning: 'queue' });
    await one.end('SIGKILL');
    model.release();
    await sent;
    const follower = new ChatFollower('s', two);
    await follower.read();
    expect(textOf(follower.chunks)).toMatch(/^You said: (?:be busy|next one)$/);
    await until(
      async () => answersOf(await two.session('s')),
      (answers) => answers.length === 2,
    );
    expect(answersOf(await two.session('s'))).toEqual(['You said: be busy', 'You said: next one']);
  });
});
