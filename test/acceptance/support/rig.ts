import { onTestFinished } from 'vitest';
import {
  createResponsesProvider,
  type ResponsesProvider,
  type ResponsesProviderSettings,
  type ResponsesProviderV2,
} from 'responses-loop';
import {
  createScriptedServer,
  responseBody,
  type ResponseDescription,
  responseEvents,
  type ScriptedEvent,
  type ScriptedRequest,
  type ScriptedServer,
  type ScriptedStep,
} from 'responses-loop/testing';

// Several tests provoke warnings; the SDK would print them.
globalThis.AI_SDK_LOG_WARNINGS = false;

export interface Rig<Provider extends AnyProvider = ResponsesProviderV2> {
  readonly server: ScriptedServer;
  readonly provider: Provider;
  readonly model: ReturnType<Provider>;
  readonly requests: readonly ScriptedRequest[];
}

/** A provider for any version of the AI SDK. */
type AnyProvider = ResponsesProvider;

/**
 * A scripted server and a provider that talks to it over HTTP. When the test ends, a request too many or too few is a
 * failure of its own.
 */
export async function rig(steps: readonly ScriptedStep[], settings: ResponsesProviderSettings = {}): Promise<Rig> {
  return rigOf(createResponsesProvider, steps, settings);
}

/** The same with the provider of another entry. */
export async function rigOf<Provider extends AnyProvider>(
  create: (settings: ResponsesProviderSettings) => Provider,
  steps: readonly ScriptedStep[],
  settings: ResponsesProviderSettings = {},
): Promise<Rig<Provider>> {
  const server = await createScriptedServer({ steps });
  const provider = create({ baseURL: server.baseURL, apiKey: 'test', ...settings });
  onTestFinished(async () => {
    await provider.close();
    await server.close();
    server.assertDone();
  });
  return { server, provider, model: provider('gpt-test') as ReturnType<Provider>, requests: server.requests };
}

/** Answers in the form that was asked for: events, or one JSON body. */
export function reply(description: ResponseDescription): ScriptedStep {
  return (request) => replyTo(request, description);
}

/** The same, if the answer depends on the request. */
export function replyTo({ body }: ScriptedRequest, description: ResponseDescription): ReturnType<AnsweringStep> {
  return body['stream'] === true ? responseEvents(description) : { json: responseBody(description) };
}

type AnsweringStep = Extract<ScriptedStep, (request: ScriptedRequest) => unknown>;

/** A round that makes calls; each is a name with its arguments and, if need be, a call id. */
export function calls(
  id: string,
  ...made: readonly (readonly [name: string, args: CallArguments, callId?: string])[]
): ResponseDescription {
  return {
    id,
    output: made.map(([name, args, callId]) => ({
      type: 'call',
      name,
      arguments: args,
      ...(callId === undefined ? {} : { callId }),
    })),
  };
}

type CallArguments = Extract<NonNullable<ResponseDescription['output']>[number], { type: 'call' }>['arguments'];

export function says(id: string, text: string): ResponseDescription {
  return { id, output: [{ type: 'text', text }] };
}

/** The part of a scripted stream before the first event of a type, and the rest. */
export function splitBefore(events: readonly ScriptedEvent[], type: string): [ScriptedEvent[], ScriptedEvent[]] {
  const at = events.findIndex((event) => event.type === type);
  if (at < 0) throw new Error(`no ${type} in the stream`);
  return [events.slice(0, at), events.slice(at)];
}
