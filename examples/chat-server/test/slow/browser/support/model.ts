import {
  createScriptedServer,
  responseEvents,
  type ResponseDescription,
  type ScriptedRequest,
} from 'responses-loop/testing';

/** Slow enough for a test to be in the middle of something. */
const PACE_MS = 3;

export type Output = NonNullable<ResponseDescription['output']>[number];

/** What is known of a request, as far as a test decides by it. */
export interface Asked {
  /** What the person said last. */
  readonly question: string;
  /** How many calls were answered since. */
  readonly answered: number;
  /** Names of the tools that are offered. */
  readonly offered: readonly string[];
  readonly text: string;
}

/** A model server on loopback that says what the test says. */
export async function startModel(answer: (asked: Asked) => readonly Output[]): Promise<{
  readonly baseURL: string;
  readonly close: () => Promise<void>;
}> {
  const server = await createScriptedServer({
    otherwise: (request) => {
      const events = responseEvents({ output: [...answer(askedOf(request))], id: `resp_${crypto.randomUUID()}` });
      return { events, delayMs: PACE_MS };
    },
  });
  return { baseURL: server.baseURL, close: () => server.close() };
}

function askedOf({ input, body, text }: ScriptedRequest): Asked {
  const last = input.findLastIndex((item) => item['role'] === 'user');
  const tools = Array.isArray(body['tools']) ? (body['tools'] as readonly { readonly name?: string }[]) : [];
  return {
    question: JSON.stringify(input[last]?.['content'] ?? ''),
    answered: input.slice(last + 1).filter((item) => item['type'] === 'function_call_output').length,
    offered: tools.map(({ name }) => name ?? ''),
    text,
  };
}

/** A list of texts comes in as many deltas. */
export const say = (text: string | string[]): Output => ({ type: 'text', text });
export const call = (name: string, input: object): Output => ({
  type: 'call',
  name,
  arguments: JSON.stringify(input),
});
