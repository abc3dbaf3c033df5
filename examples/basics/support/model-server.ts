import { createScriptedServer, responseBody, responseEvents, type ScriptedRequest } from 'responses-loop/testing';

import { reportFailuresOf } from './report-failure.js';
import { type Round, ROUNDS, type Title } from './stand-in-rounds.js';

/** Who answers the questions of an example. */
export interface ModelServer {
  readonly isLive: boolean;
  readonly modelId: string;
  /** For the settings of a provider. Nothing for a live server: the provider reads the environment itself. */
  readonly settings: { readonly baseURL?: string; readonly apiKey?: string };
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The live server that `OPENAI_BASE_URL` or `OPENAI_API_KEY` name, with the model of `MODEL`; without them a stand-in on
 * loopback, which speaks the same protocol and plays the rounds written down for this example.
 */
export async function openModelServer(title: Title): Promise<ModelServer> {
  const { OPENAI_BASE_URL: baseURL = '', OPENAI_API_KEY: apiKey = '', MODEL: modelId = '' } = process.env;
  if (baseURL !== '' && modelId === '') throw new Error('OPENAI_BASE_URL needs MODEL: which model of that server?');
  if (baseURL !== '' || apiKey !== '') {
    reportFailuresOf(title);
    return { isLive: true, modelId: modelId || 'gpt-5.1', settings: {}, [Symbol.asyncDispose]: async () => {} };
  }
  const rounds: readonly Round[] = ROUNDS[title];
  const steps = rounds.map((round, at) => (request: ScriptedRequest) => {
    const output = typeof round === 'function' ? round(outputsIn(request)) : round;
    const description = { id: `resp_${at + 1}`, output };
    return request.body['stream'] === true ? responseEvents(description) : { json: responseBody(description) };
  });
  const server = await createScriptedServer({ steps });
  return {
    isLive: false,
    modelId: 'stand-in',
    settings: { baseURL: server.baseURL, apiKey: 'sk-stand-in' },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function outputsIn({ input }: ScriptedRequest): string[] {
  const outputs = input.filter((item) => item['type'] === 'function_call_output').map((item) => item['output']);
  return outputs.map((output) => (typeof output === 'string' ? output : JSON.stringify(output)));
}
