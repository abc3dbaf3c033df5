import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScriptedServer, responseEvents, type ResponseDescription } from 'responses-loop/testing';
import { createResponsesProvider } from 'responses-loop/v3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { imageGenerateTool } from '../../src/tools/image-generate.js';
import { chatModelOf } from '../support/chat-model.js';
import { inTurn } from '../support/in-turn.js';
import { PICTURES, pictureBytes, picturesIn, SVG } from '../support/pictures.js';
import { makeWorkspace } from '../support/workspace.js';

type Output = NonNullable<ResponseDescription['output']>[number];

const drawn = (base64: string): Output => ({
  type: 'item',
  item: { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: base64 },
});

const CANNOT: Output = { type: 'text', text: 'I cannot draw.' };

async function rig(output: readonly Output[]) {
  const server = await createScriptedServer({ otherwise: () => ({ events: responseEvents({ output: [...output] }) }) });
  const provider = createResponsesProvider({ baseURL: server.baseURL, apiKey: 'test' });
  const files = makeWorkspace();
  onTestFinished(async () => {
    await provider.close();
    await server.close();
  });
  const tool = imageGenerateTool(files, picturesIn(files.dataFolder, 'chat'));
  const chatModel = { ...chatModelOf('eye'), model: provider('eye') };
  const make = (path: string) =>
    inTurn({ sessionId: 'chat', chatModel }, () =>
      tool.execute({ prompt: 'A duck', path }, { toolCallId: 'c', signal: new AbortController().signal }),
    );
  return { server, files, tool, make };
}

describe('imageGenerate', () => {
  it('asks the server of the chat for one picture, and keeps it in the workspace', async () => {
    const { server, files, make } = await rig([drawn(PICTURES.png)]);
    expect(await make('art/duck.png')).toMatchObject({ ok: true, path: 'art/duck.png', picture: { alt: 'A duck' } });
    expect(readFileSync(join(files.root, 'art/duck.png'))).toEqual(pictureBytes('png'));
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.body).toMatchObject({
      tools: [{ type: 'image_generation', output_format: 'png', size: 'auto' }],
      tool_choice: { type: 'image_generation' },
    });
  });

  it.each([
    ['nothing', [CANNOT], 'eye drew nothing'],
    ['no picture', [drawn(Buffer.from(SVG).toString('base64'))], 'The server gave no picture'],
    ['another kind', [drawn(PICTURES.gif)], 'The server gave image/gif'],
  ])('writes nothing if the server gives %s', async (_name, output, message) => {
    const { files, make } = await rig(output);
    await expect(make('duck.png')).rejects.toThrow(message);
    expect(existsSync(join(files.root, 'duck.png'))).toBe(false);
  });

  it('asks a person, and refuses what it cannot write', async () => {
    const { tool } = await rig([]);
    const judge = (path: string) => tool.judge?.({ prompt: 'x', path });
    expect(await judge('a.JPG')).toMatchObject({ decision: 'ask' });
    for (const path of ['a.svg', 'png', '../a.png', '.git/a.png', '.chat-server/a.png']) {
      expect(await judge(path), path).toMatchObject({ decision: 'refuse' });
    }
  });
});
