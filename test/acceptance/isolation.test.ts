import { AsyncLocalStorage } from 'node:async_hooks';
import { generateText, streamText } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createResponsesProvider, type ObserverEvent } from 'responses-loop';
import { createGate, createScriptedServer, responseBody, responseEvents } from 'responses-loop/testing';
import { readAll, textOf, userPrompt } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';
import { toolOf } from './support/tools.js';
import { outline, outputs } from './support/wire.js';

describe('calls on one provider', () => {
  it('that run at the same time share nothing: each has its own rounds, ids, outputs and usage', async () => {
    const names = ['alice', 'bob', 'carol', 'dave'];
    const everybody = createGate();
    let waiting = 0;
    // No call gets its second round before all have had their first.
    const meet = toolOf(async ({ who }) => {
      waiting += 1;
      if (waiting === names.length) everybody.release();
      await everybody.released;
      return `hello ${String(who)}`;
    });
    const server = await createScriptedServer({
      otherwise: (request) => {
        const who = outline(request)[0]?.replace('user ', '') ?? '';
        const known = outputs(request);
        const next =
          known.length === 0
            ? calls('resp_1', ['meet', { who }, 'call_0'])
            : says('resp_1', `${known.length} ${known[0]?.[1] ?? ''}`);
        return request.body['stream'] === true ? responseEvents(next) : { json: responseBody(next) };
      },
    });
    const provider = createResponsesProvider({ baseURL: server.baseURL, tools: { meet } });
    onTestFinished(async () => {
      await provider.close();
      await server.close();
    });
    const model = provider('gpt-test');
    const results = await Promise.all(
      names.map(async (prompt, at) => {
        const result = at % 2 === 0 ? await generateText({ model, prompt }) : streamText({ model, prompt });
        return { text: await result.text, usage: await result.usage, metadata: await result.providerMetadata };
      }),
    );
    expect(results.map(({ text }) => text)).toEqual(names.map((name) => `1 hello ${name}`));
    expect(results.map(({ usage }) => usage.totalTokens)).toEqual([30, 30, 30, 30]);
    for (const { metadata } of results)
      expect(metadata?.['responses-loop']?.['rounds']).toMatchObject([
        { calls: [{ callId: 'call_0' }] },
        { calls: [] },
      ]);
    expect(server.requests).toHaveLength(8);
  });

  it('abort one of them, and the others go on', async () => {
    const gate = createGate();
    const wait = toolOf(() => gate.released.then(() => 'waited'));
    const { model, server } = await rig(
      [reply(calls('resp_1', ['wait', {}])), reply(calls('resp_1', ['wait', {}])), reply(says('resp_2', 'Done.'))],
      { tools: { wait } },
    );
    const controller = new AbortController();
    const given = generateText({ model, prompt: 'one', abortSignal: controller.signal }).catch(
      (error: unknown) => error,
    );
    await server.waitForRequest(0);
    const kept = generateText({ model, prompt: 'two' });
    await server.waitForRequest(1);
    controller.abort();
    expect(await given).toMatchObject({ name: 'AbortError' });
    gate.release();
    expect((await kept).text).toBe('Done.');
  });

  it('are counted for the observer, and each event belongs to one of them', async () => {
    const events: ObserverEvent[] = [];
    const ping = toolOf(() => 'pong');
    const { model } = await rig(
      [reply(calls('resp_1', ['ping', {}])), reply(says('resp_2', 'One.')), reply(says('resp_3', 'Two.'))],
      {
        tools: { ping },
        onEvent: (event) => events.push(event),
      },
    );
    await generateText({ model, prompt: 'one' });
    await generateText({ model, prompt: 'two' });
    const told = events.map((event) => ('callNumber' in event ? `${event.callNumber} ${event.type}` : event.type));
    expect(told).toEqual([
      '1 call-start',
      '1 round-start',
      '1 key',
      '1 request',
      '1 response',
      '1 tool-start',
      '1 tool-end',
      '1 round-end',
      '1 round-start',
      '1 request',
      '1 response',
      '1 round-end',
      '1 call-end',
      '2 call-start',
      '2 round-start',
      '2 key',
      '2 request',
      '2 response',
      '2 round-end',
      '2 call-end',
    ]);
  });
});

describe('AsyncLocalStorage', () => {
  const steps = [reply(calls('resp_1', ['look', {}], ['write', {}])), reply(says('resp_2', 'Done.'))];

  it.each(['streamText', 'generateText'] as const)(
    'reaches tools and every observer event of the call that caused them (%s)',
    async (road) => {
      const storage = new AsyncLocalStorage<string>();
      const inTools: unknown[] = [];
      const inEvents = new Set<unknown>();
      const note = toolOf(() => {
        inTools.push(storage.getStore());
        return 'noted';
      });
      const { model } = await rig([...steps, ...steps], {
        tools: { look: { ...note, readOnly: true }, write: note },
        onEvent: () => inEvents.add(storage.getStore()),
      });
      const call = (prompt: string) =>
        road === 'generateText' ? generateText({ model, prompt }) : streamText({ model, prompt });
      for (const user of ['alice', 'bob']) {
        inEvents.clear();
        inTools.length = 0;
        const result = await storage.run(user, () => call('Hello'));
        // Read outside: the context is that of the call, not of whoever pulls.
        expect(await result.text).toBe('Done.');
        expect([inTools, [...inEvents]]).toEqual([[user, user], [user]]);
      }
    },
  );

  it('reaches tools although the stream is read in another context', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const look = toolOf(() => seen.push(storage.getStore()), { readOnly: true });
    const { model } = await rig(
      [
        reply(calls('resp_1', ['look', {}], ['look', {}])),
        reply(calls('resp_2', ['look', {}])),
        reply(says('resp_3', 'Done.')),
      ],
      {
        tools: { look },
      },
    );
    const { stream } = await storage.run('caller', () => model.doStream({ prompt: userPrompt() }));
    const parts = await storage.run('reader', () => readAll(stream));
    expect(textOf(parts)).toBe('Done.');
    expect(seen).toEqual(['caller', 'caller', 'caller']);
  });
});
