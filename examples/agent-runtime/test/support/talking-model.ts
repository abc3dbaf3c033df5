import { appendFileSync, existsSync, readFileSync } from 'node:fs';

import { createScriptedServer, responseEvents, type ScriptedReply, type ScriptedRequest } from 'responses-loop/testing';
import { createResponsesProvider, type ResponsesProviderV3 } from 'responses-loop/v3';

/**
 * A model server that answers every user with a thought, a text and two calls, and the outputs of those with a text. It
 * writes slowly, so that there is time to be interrupted, and looks at every request.
 */
export async function startTalkingModel(delayMs: number) {
  const problems: string[] = [];
  const answer = (request: ScriptedRequest): ScriptedReply => {
    problems.push(...problemsOf(request));
    const said = request.input.filter(({ role }) => role === 'user').length;
    const isAnswered = request.input.at(-1)?.['type'] === 'function_call_output';
    const output = isAnswered
      ? [{ type: 'text' as const, text: `That was message ${said}.` }]
      : [
          { type: 'reasoning' as const, summary: ['Two tools are needed.'], encrypted: `sealed-${request.index}` },
          { type: 'text' as const, text: 'Let me look and write that down.' },
          { type: 'call' as const, name: 'look', arguments: { at: `pond ${said}` } },
          { type: 'call' as const, name: 'note', arguments: { text: `message ${said}` } },
        ];
    return { events: responseEvents({ output, id: `resp_${request.index}` }), delayMs };
  };
  const server = await createScriptedServer({ otherwise: answer });
  return { server, problems, baseURL: server.baseURL };
}

/** A provider with a read-only tool and one that writes; both take a moment, and say in a file that they ran. */
export function talkingProvider(baseURL: string, log: string): ResponsesProviderV3 {
  const run = (name: string) => async (input: Record<string, unknown>, options?: { toolCallId?: string }) => {
    appendFileSync(log, `${name} ${options?.toolCallId ?? JSON.stringify(input)}\n`);
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { done: name, input };
  };
  const inputSchema = { type: 'object', properties: {} } as const;
  return createResponsesProvider({
    baseURL,
    apiKey: 'test',
    tools: {
      look: { inputSchema, execute: run('look'), readOnly: true },
      note: { inputSchema, execute: run('note') },
    },
  });
}

/** Which calls ran, by their ids. */
export function ranCalls(log: string): string[] {
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
}

function problemsOf({ input, index }: ScriptedRequest): string[] {
  const problems: string[] = [];
  const open = new Set<unknown>();
  const seen = new Set<unknown>();
  for (const item of input) {
    const id = item['call_id'] as string;
    if (item['type'] === 'function_call') {
      if (seen.has(id)) problems.push(`request ${index}: call ${id} comes twice`);
      seen.add(id);
      open.add(id);
    } else if (item['type'] === 'function_call_output' && !open.delete(id)) {
      problems.push(`request ${index}: output ${id} has no call, or is the second`);
    } else if (item['role'] === 'user' && open.size > 0) {
      problems.push(`request ${index}: ${[...open].join(', ')} have no output`);
    }
  }
  const said = input.filter(({ role }) => role === 'user').map((item) => JSON.stringify(item['content']));
  if (new Set(said).size !== said.length) problems.push(`request ${index}: the user says the same twice`);
  return problems;
}
