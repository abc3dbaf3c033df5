import { readdirSync } from 'node:fs';
import { responseEvents } from 'responses-loop/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chunk } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { type ScriptedModel, startScriptedModel, textOfItem } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder, startChat } from '../../support/start-chat.js';

const CHATS = 12;
const isAllowed = (name: string): boolean => Number(name.slice(1)) % 2 === 0;

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({
    delayMs: 2,
    // A sub-agent that uses the ids that all others use, and a tool that it was not given.
    answer: ({ input, index }) => {
      const said = textOfItem(input.find(({ role }) => role === 'user')?.['content']);
      const [, name = ''] = /^work for (\w+)$/.exec(said) ?? [];
      if (name === '' || input.some(({ type }) => type === 'function_call_output')) return undefined;
      const path = `${name}.md`;
      const output = [
        { type: 'call', name: 'writeFile', callId: 'call_same', arguments: { path, content: name } },
        { type: 'call', name: 'count', callId: 'call_mcp', arguments: { what: name } },
        { type: 'call', name: 'look', callId: 'call_foreign', arguments: {} },
      ] as const;
      return { events: responseEvents({ id: `resp_${index}`, output: [...output] }), delayMs: index % 5 };
    },
  });
});
afterAll(async () => {
  await model.close();
});

const dataOf = (chunk: Chunk): Record<string, unknown> => chunk['data'] as Record<string, unknown>;

/** A turn with a sub-agent, in which every question is answered as soon as it is heard. */
async function delegate(chat: ChatProcess, name: string): Promise<readonly Chunk[]> {
  const request = { agent: 'dynamic', task: `work for ${name}`, tools: ['writeFile', 'count'] };
  const body = chat.message(name, `call subAgent ${JSON.stringify(request)}`);
  const answered = new Set<unknown>();
  return chat.leaveWhen(body, (chunks) => {
    for (const chunk of chunks.filter(({ type }) => type === 'data-sub-agent-approval')) {
      const { toolCallId } = dataOf(chunk);
      if (answered.has(toolCallId)) continue;
      answered.add(toolCallId);
      const path = `/api/sessions/${name}/approvals/${String(toolCallId)}`;
      void chat.api('POST', path, { approved: isAllowed(name), reason: `said ${name}` });
    }
    return chunks.some(({ type }) => type === 'finish' || type === 'abort');
  });
}

describe('sub-agents of many chats at once, whose calls have the same ids', () => {
  it.each([
    ['with an MCP server', true],
    ['without one', false],
  ])(
    '%s are asked about, allowed and denied in their own chat only, and use what they were given',
    async (_what, isMcp) => {
      const mcp = countingServer(newFolder());
      const chat = await startChat({ baseURL: model.baseURL, args: isMcp ? mcp.args : [] });
      const names = Array.from({ length: CHATS }, (_, n) => `u${n}`);
      const heard = await Promise.all(names.map((name) => delegate(chat, name)));
      const allowed = names.filter(isAllowed);
      for (const [n, chunks] of heard.entries()) {
        const name = names[n] ?? '';
        const agents = chunks.flatMap((chunk) => (chunk.type === 'data-sub-agent-start' ? [dataOf(chunk)] : []));
        expect(agents).toMatchObject([{ task: `work for ${name}` }]);
        const own = chunks.filter(({ type }) => type.startsWith('data-sub-agent')).map((chunk) => dataOf(chunk));
        expect(new Set(own.map(({ agentId }) => agentId)).size).toBe(1);
        const asked = chunks.filter(({ type }) => type === 'data-sub-agent-approval').map((chunk) => dataOf(chunk));
        expect(asked.map(({ toolName }) => String(toolName)).toSorted()).toEqual(
          isMcp ? ['count', 'writeFile'] : ['writeFile'],
        );
        expect(JSON.stringify(asked)).toContain(`${name}.md`);
        const words = JSON.stringify(chunks);
        expect(names.filter((other) => other !== name && words.includes(`said ${other}"`))).toEqual([]);
      }
      const written = readdirSync(chat.workspace).filter((file) => file.endsWith('.md'));
      expect(written.toSorted()).toEqual(allowed.map((name) => `${name}.md`).toSorted());
      expect(mcp.did().toSorted()).toEqual((isMcp ? allowed.map((name) => `count ${name}`) : []).toSorted());
      const offered = model.requests
        .filter(({ input }) => textOfItem(input[0]?.['content'] ?? '').startsWith('work for'))
        .map(({ body }) =>
          (body['tools'] as { name: string }[])
            .map((tool) => tool.name)
            .toSorted()
            .join(),
        );
      expect([...new Set(offered)].every((each) => each === 'count,writeFile' || each === 'writeFile')).toBe(true);
      await chat.end();
    },
    60_000,
  );
});
