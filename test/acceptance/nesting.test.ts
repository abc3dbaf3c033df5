import { describe, expect, it } from 'vitest';
import { ApiError, ResponsesLoopError } from 'responses-loop';
import type { JsonObject } from '../../src/core/json.js';
import { finishOf, partsOf, streamParts, userPrompt } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';
import { outputs } from './support/wire.js';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const event = (value: string): string => `data: ${value}\n\n`;
const done = (item: string): string => event(`{"type":"response.output_item.done","output_index":0,"item":${item}}`);
const stream = (...events: readonly string[]): { bytes: string } => ({
  bytes: [
    event('{"type":"response.created","response":{"id":"resp_1"}}'),
    ...events,
    event('{"type":"response.completed","response":{"id":"resp_1","status":"completed","output":[]}}'),
  ].join(''),
});
const add = { inputSchema: { type: 'object' }, readOnly: true, execute: () => 'done' };
const TOO_DEEP = 'The answer contains JSON that is nested more than 500 levels deep (limit: limits.jsonDepth).';

describe('JSON that is nested without end', () => {
  it.each([
    ['an item of an unknown kind', done(`{"type":"odd","id":"o","value":${nested(5_000)}}`)],
    [
      'arguments that are an object',
      done(`{"type":"function_call","id":"f","call_id":"c","name":"add","arguments":{"a":${nested(5_000)}}}`),
    ],
  ])('in %s ends the call with an error that names the limit, also behind a tool that ran', async (_name, item) => {
    const call = done('{"type":"function_call","id":"f","call_id":"c0","name":"add","arguments":"{}"}');
    const { model } = await rig([stream(call, item)], { tools: { add } });
    const parts = await streamParts(model);
    const [error] = partsOf(parts, 'error').map((part) => part.error);
    expect(ResponsesLoopError.isInstance(error) && { code: error.code, message: error.message }).toEqual({
      code: 'limit',
      message: TOO_DEEP,
    });
    expect(finishOf(parts).finishReason).toBe('error');
  });

  it('in an answer that is one JSON body is refused, and is not asked for again', async () => {
    const bytes = `{"id":"resp_1","object":"response","status":"completed","output":[{"type":"odd","value":${nested(5_000)}}]}`;
    const { model } = await rig([{ bytes }]);
    const error: unknown = await model.doGenerate({ prompt: userPrompt() }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(ResponsesLoopError.isInstance(error) && error.code).toBe('limit');
    expect(error).not.toMatchObject({ isRetryable: true });
  });

  it('in wrappers around a call is what the model reads to be wrong with its call', async () => {
    const wrapped = Array.from({ length: 3_000 }).reduce<string>(
      (inner) => `{"tool_uses":[{"recipient_name":"multi_tool_use.parallel","parameters":${inner}}]}`,
      '{"tool_uses":[{"recipient_name":"functions.add","parameters":{}}]}',
    );
    const round = calls('resp_1', ['multi_tool_use.parallel', wrapped]);
    const { model, requests } = await rig([reply(round), reply(says('resp_2', 'Sorry.'))], { tools: { add } });
    expect(finishOf(await streamParts(model)).finishReason).toBe('stop');
    expect(outputs(requests[1])[0]?.[1]).toContain('The arguments are nested more than 500 levels deep');
  });

  it.each([
    [20, 10, 'The arguments are nested more than 10 levels deep'],
    [700, 900, 'done'],
    [20, 500, 'done'],
  ])('in arguments (%i levels) is measured by limits.jsonDepth (%s)', async (levels, jsonDepth, answer) => {
    const round = calls('resp_1', ['add', `{"a":${nested(levels)}}`]);
    const { model, requests } = await rig([reply(round), reply(says('resp_2', 'Well.'))], {
      tools: { add },
      limits: { jsonDepth },
    });
    await streamParts(model);
    expect(outputs(requests[1])[0]?.[1]).toContain(answer);
  });

  it('a few wrappers in each other are opened', async () => {
    const uses = (recipient: string, parameters: JsonObject): JsonObject => ({
      tool_uses: [{ recipient_name: recipient, parameters }],
    });
    const round = calls('resp_1', ['parallel', uses('parallel', uses('functions.add', {}))]);
    const { model, requests } = await rig([reply(round), reply(says('resp_2', 'Done.'))], { tools: { add } });
    await streamParts(model);
    expect(outputs(requests[1]).map(([, output]) => output)).toEqual(['done']);
  });

  it('in the arguments of a tool that the server ran leaves them the text they were', async () => {
    const args = `{"a":${nested(5_000)}}`;
    const item = JSON.stringify({ type: 'mcp_call', id: 'm', name: 'find', server_label: 's', arguments: args });
    const { model } = await rig([stream(done(item))], { toolParts: 'all' });
    const parts = await streamParts(model);
    expect(partsOf(parts, 'tool-call')[0]?.input).toBe(JSON.stringify({ arguments: args }));
  });

  it.each([
    ['a detail', `{"detail":${nested(100_000)}}`],
    ['a code', `{"error":{"message":"No.","code":${nested(100_000)}}}`],
  ])('in %s of an error leaves the error one of the server', async (_name, bytes) => {
    const { model } = await rig([{ status: 400, bytes }]);
    const error: unknown = await model.doStream({ prompt: userPrompt() }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(ApiError.isInstance(error) && error.statusCode).toBe(400);
    expect(String(error)).not.toContain('call stack');
  });

  it('in a posted history is refused before anything is sent', async () => {
    const input: unknown = JSON.parse(nested(20_000));
    const { model } = await rig([]);
    const prompt = [
      ...userPrompt(),
      { role: 'assistant' as const, content: [{ type: 'tool-call' as const, toolCallId: 'c', toolName: 't', input }] },
    ];
    await expect(model.doStream({ prompt })).rejects.toMatchObject({
      code: 'limit',
      message: 'The prompt contains JSON that is nested more than 500 levels deep (limit: limits.jsonDepth).',
    });
  });

  it('is no matter where it is deep, and not too deep; files are not looked into', async () => {
    const input: unknown = JSON.parse(`{"a":${nested(499)}}`);
    const { model, requests } = await rig([reply(says('resp_1', 'Fine.'))]);
    const prompt = [
      {
        role: 'user' as const,
        content: [{ type: 'file' as const, mediaType: 'image/png', data: new Uint8Array(1_000_000) }],
      },
      { role: 'assistant' as const, content: [{ type: 'tool-call' as const, toolCallId: 'c', toolName: 't', input }] },
    ];
    await streamParts(model, { prompt });
    expect(requests).toHaveLength(1);
  });
});
