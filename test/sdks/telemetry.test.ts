import { inspect } from 'node:util';
import { generateText, streamText, type ToolSet } from 'ai';
import { errorEvent, errorReply, responseEvents, type ScriptedStep } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { reply, rig, says, splitBefore } from '../acceptance/support/rig.js';
import type { JsonObject } from '../../src/core/json.js';
import { type Loose, sdk, spec } from './support/sdk.js';

const SECRETS = ['hdr-5f2c9a7e41', 'tok-77aa01bc9d', 'dom-9c8b7a6d5e', 'pw-0a1b2c3d4e'] as const;
const [header, token, domain, password] = SECRETS;

/** As the API declares them, in a body of our own, so that nothing but our own marks hides anything of it. */
const WIRE_TOOLS: JsonObject[] = [
  {
    type: 'mcp',
    server_label: 's',
    server_url: `https://u:${password}@mcp.invalid/x`,
    authorization: `Bearer ${token}`,
    headers: { A: header },
  },
  {
    type: 'code_interpreter',
    container: {
      type: 'auto',
      network_policy: { type: 'allowlist', domain_secrets: [{ domain: 'd', name: 'N', value: domain }] },
    },
  },
];

/** A server that repeats the tools of a request in its answer, or what it was sent in its errors. */
const answer = reply({ ...says('resp_1', 'Hello.'), fields: { tools: WIRE_TOOLS } });
const repeated = `You sent ${SECRETS.join(', ')}.`;
const refusal = errorReply({ status: 400, message: repeated });
const broken: ScriptedStep = [
  ...splitBefore(responseEvents(says('resp_1', 'Half')), 'response.output_text.done')[0],
  errorEvent({ code: 'server_error', message: repeated }),
];

const STEPS: Readonly<Record<string, { readonly step: ScriptedStep; readonly road: 'stream' | 'generate' }>> = {
  'a generated answer': { step: answer, road: 'generate' },
  'a streamed answer': { step: answer, road: 'stream' },
  'a refusal, generated': { step: refusal, road: 'generate' },
  'a refusal, streamed': { step: refusal, road: 'stream' },
  'an error in the stream': { step: broken, road: 'stream' },
};

/** Asks with telemetry on; gives what the telemetry of AI SDK 7 got, and what the call came to. */
async function watched(step: ScriptedStep, road: 'stream' | 'generate') {
  const { model, requests } = await rig([step], { models: { '*': { body: { tools: WIRE_TOOLS } } } });
  const recorded: unknown[] = [];
  const spy = new Proxy(
    {},
    {
      get: (_target, name) =>
        String(name).startsWith('on') ? (event: unknown) => void recorded.push([name, event]) : undefined,
    },
  );
  const errors: unknown[] = [];
  const options = {
    model,
    prompt: 'Hello',
    maxRetries: 0,
    tools: {} as ToolSet,
    telemetry: { integrations: [spy] },
    include: { requestBody: true, responseBody: true },
  };
  let result: Loose = {};
  if (road === 'generate')
    result = (await generateText(options).catch((error: unknown) => (errors.push(error), {}))) as Loose;
  else {
    const streamed = streamText({ ...options, onError: ({ error }) => void errors.push(error) });
    await streamed.consumeStream();
    result = { request: await Promise.resolve(streamed.request).catch(() => undefined) };
  }
  return { recorded, errors, result, requests };
}

const printed = (value: unknown): string =>
  inspect(value, { depth: 30, maxStringLength: null, maxArrayLength: null, getters: false });
const told = (text: string): string[] => SECRETS.filter((secret) => text.includes(secret));

describe.runIf(sdk === 7)('the telemetry of AI SDK 7 never gets what a request carries for hosted tools', () => {
  it.each(Object.entries(STEPS))('%s', async (_name, { step, road }) => {
    const { recorded, requests } = await watched(step, road);
    expect(told(JSON.stringify(requests[0]?.body))).toEqual(SECRETS);
    expect(recorded.length).toBeGreaterThan(2);
    expect(told(printed(recorded))).toEqual([]);
  });

  it.runIf(spec === 'v4')('but the caller gets the body as it went out', async () => {
    const { result } = await watched(answer, 'generate');
    const { request, response } = result as { request: { body: Loose }; response: { body: Loose } };
    expect(request.body['tools']).toEqual(WIRE_TOOLS);
    expect(response.body['tools']).toEqual(WIRE_TOOLS);
  });
});

describe('errors', () => {
  it.each(['a refusal, generated', 'a refusal, streamed', 'an error in the stream'])(
    'hide the headers of hosted tools, too: %s',
    async (name) => {
      const { step, road } = STEPS[name] as (typeof STEPS)[string];
      const { errors } = await watched(step, road);
      expect(errors).toHaveLength(1);
      expect(told(printed(errors))).toEqual([]);
      expect(printed(errors)).toContain("A: '[redacted]'");
    },
  );
});
