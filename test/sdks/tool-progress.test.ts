import { generateText, type ModelMessage, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { messagesSoFar, type ResponsesProviderSettings } from 'responses-loop';
import { calls, reply, type Rig, rig, says } from '../acceptance/support/rig.js';
import { toolOf } from '../acceptance/support/tools.js';
import { outputs as outputsOf } from '../acceptance/support/wire.js';
import { everythingPath } from '../tools/support/servers.js';
import { FINAL, walking } from './support/progress.js';
import { fullPartsOf, type Loose, messagesOf, showsAll, toModelMessages, uiMessageOf } from './support/sdk.js';
import { question, ROADS, stored } from './support/turns.js';

/** A rig whose tool goes on once a reader of the model's stream was given its first preliminary result. */
async function watched(settings: ResponsesProviderSettings, tool = 'walk', args: object = {}): Promise<Rig> {
  const { walk, watch } = walking(settings.toolProgress === 'parts');
  const played = await rig(
    [
      reply(calls('resp_1', [tool, args, 'call_1'] as never)),
      reply(says('resp_2', 'There.')),
      reply(says('resp_3', 'Bye.')),
    ],
    { backend: 'openai', tools: { walk }, ...settings },
  );
  return { ...played, model: watch(played.model) };
}

async function goOn({ model }: Rig, messages: readonly ModelMessage[]): Promise<void> {
  await generateText({ model, messages: [...messages, { role: 'user', content: 'Thanks.' }] });
}

const outputs = (request: Rig['requests'][number] | undefined) => outputsOf(request).map(([, text]) => text);
const SHOWN = { toolProgress: 'parts' } as const;

describe.each(Object.entries(ROADS))('progress of a tool, and the next turn by %s', (_name, road) => {
  it.each([{}, { historySecret: 'a secret of sixteen' }])('which has the last result alone (%j)', async (settings) => {
    const played = await watched({ ...SHOWN, ...settings });
    await goOn(played, await road(played, {}));
    const [, live, next] = played.requests;
    expect(next?.input.slice(0, live?.input.length)).toEqual(live?.input);
    expect(outputs(next)).toEqual([JSON.stringify(FINAL)]);
  });

  it('also where a store has lost the metadata', async () => {
    const played = await watched(SHOWN);
    const bare = JSON.parse(
      JSON.stringify(await road(played, {}), (key, value: unknown) =>
        key === 'providerOptions' || key === 'providerMetadata' ? undefined : value,
      ),
    ) as ModelMessage[];
    await goOn(played, bare);
    // Without metadata nothing tells of a call that was not shown.
    expect(outputs(played.requests.at(-1))).toEqual(showsAll ? [JSON.stringify(FINAL)] : []);
  });

  it('and the error alone, if the tool failed after its progress', async () => {
    const fails = toolOf(async function* fails() {
      yield { at: 'the gate' };
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error('a fox');
    });
    const played = await watched({ ...SHOWN, tools: { walk: fails } });
    await goOn(played, await road(played, {}));
    const [, live, next] = played.requests;
    expect(outputs(live)).toEqual(['a fox']);
    expect(outputs(next)).toEqual(['a fox']);
  });

  it('of an MCP server’s tool', async () => {
    const mcpServers = { everything: { command: process.execPath, args: [everythingPath] } };
    const args = { duration: 0.2, steps: 4 };
    const played = await watched({ ...SHOWN, mcpServers }, 'trigger-long-running-operation', args);
    await goOn(played, await road(played, {}));
    const [, live, next] = played.requests;
    expect(outputs(next)).toEqual(outputs(live));
    expect(outputs(next)).toEqual([expect.stringContaining('Long running operation completed')]);
  });
});

describe('progress in what the AI SDK makes of a stream', () => {
  it('is a result of its own in the stream and in its messages, where the last one stands last', async () => {
    const played = await watched(SHOWN);
    const result = streamText({ model: played.model, prompt: question });
    const shown = (await fullPartsOf(result)).filter(({ type }) => type === 'tool-result');
    expect(shown.map(({ output }) => output)).toEqual(showsAll ? [{ at: 'the gate' }, FINAL] : []);
    // The reason why it has to be asked for: no version keeps the mark of a provider's preliminary results.
    expect(shown.filter(({ preliminary }) => preliminary === true)).toEqual([]);
    const results = (await messagesOf(result)).flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool-result'),
    );
    expect((results.at(-1) as Loose | undefined)?.['output']).toEqual(
      showsAll ? { type: 'json', value: FINAL } : undefined,
    );
    await goOn(played, []);
  });

  it('is replaced in a UI message, and in messagesSoFar', async () => {
    const played = await watched(SHOWN);
    const message = await uiMessageOf(streamText({ model: played.model, prompt: question }));
    const tools = message.parts.filter(({ type }) => type === 'dynamic-tool') as unknown as Loose[];
    expect(tools.map(({ state, output }) => [state, output])).toEqual(showsAll ? [['output-available', FINAL]] : []);
    expect(JSON.stringify(tools)).not.toContain('the gate');
    const again = await watched(SHOWN);
    const { fullStream } = streamText({ model: again.model, prompt: question });
    const kept = JSON.stringify(await messagesSoFar(fullStream));
    expect(kept).not.toContain('the gate');
    // A call that was not shown is in the carrier.
    expect(kept).toContain('the pond');
    await goOn(played, []);
    await goOn(again, []);
  });

  it('is no result of a call that was aborted: the next turn hears that it was interrupted', async () => {
    const controller = new AbortController();
    const never = toolOf(async function* never() {
      yield { at: 'the gate' };
      await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
    });
    const played = await rig([reply(calls('resp_1', ['walk', {}, 'call_1'])), reply(says('resp_2', 'Bye.'))], {
      ...SHOWN,
      backend: 'openai',
      tools: { walk: never },
      onEvent: ({ type }) => {
        // Leaves the reader time to be given the preliminary result.
        if (type === 'tool-progress') setTimeout(() => controller.abort(), 50);
      },
    });
    const result = streamText({ model: played.model, prompt: question, abortSignal: controller.signal });
    const [answer, soFar] = await Promise.all([
      uiMessageOf(result).catch(() => undefined),
      messagesSoFar(result.fullStream),
    ]);
    const user = { role: 'user' as const, content: question };
    const kept = answer === undefined ? [] : await toModelMessages(stored([answer]));
    for (const messages of [kept, soFar as ModelMessage[]]) expect(messages.length > 0).toBe(showsAll);
    expect(JSON.stringify(soFar)).not.toContain('the gate');
    await goOn(played, [user, ...kept]);
    expect(JSON.stringify(played.requests.at(-1)?.input)).not.toContain('the gate');
    expect(outputs(played.requests.at(-1))).toEqual(showsAll ? [expect.stringContaining('interrupted')] : []);
  });

  it('is in no part unless the settings ask for it', async () => {
    const played = await watched({});
    const parts = await fullPartsOf(streamText({ model: played.model, prompt: question }));
    const shown = parts.filter(({ type }) => type === 'tool-result');
    expect(shown.map(({ output }) => output)).toEqual(showsAll ? [FINAL] : []);
    await goOn(played, []);
  });
});
