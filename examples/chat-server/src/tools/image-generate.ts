import { extname } from 'node:path';
import { generateText, type ToolSet } from 'ai';
import { z } from 'zod';
import { getChatModel, getSessionId } from '../context/request-context.js';
import type { PictureStore } from '../pictures/picture-store.js';
import { pictureTypeOf } from 'responses-loop-example-shared/picture-type.js';
import { actionName } from './action-name.js';
import { defineTool, type ToolDef, type ToolOutput } from './tool-def.js';
import type { WriteTarget } from './file-change.js';
import { replaceFile, type ShownFile } from './replace-file.js';
import type { WorkspaceFiles } from './workspace-files.js';
import { judgeWrite, writeTarget } from './write-target.js';

type Format = 'png' | 'jpeg' | 'webp';
const FORMATS: Readonly<Record<string, Format>> = { '.png': 'png', '.jpg': 'jpeg', '.jpeg': 'jpeg', '.webp': 'webp' };

/** Lets the server of the chat's model draw, by its hosted tool, and keeps what it drew in the workspace. */
export function imageGenerateTool(files: WorkspaceFiles, pictures: PictureStore): ToolDef {
  return defineTool({
    id: 'imageGenerate',
    description:
      'Makes a picture by the image_generation tool of the model server, writes it into the workspace and shows it.',
    inputSchema: z.object({
      actionName,
      prompt: z.string().min(1).max(8000).describe('What is to be seen.'),
      path: z.string().min(1).max(4096).describe('The file for it, ending with .png, .jpg, .jpeg or .webp.'),
      alt: z.string().max(500).optional().describe('What is to be seen, for a person who does not see it.'),
      size: z.enum(['auto', '1024x1024', '1024x1536', '1536x1024']).optional(),
    }),
    target: ({ path }) => target(path, files),
    judge: ({ path }) =>
      judgeWrite(path, () => target(path, files), {
        tool: 'imageGenerate',
        reason: 'the server draws a picture, which costs money, and it writes a file',
      }),
    execute: async ({ prompt, path, alt, size = 'auto' }, { signal, shown }) => {
      const { format } = target(path, files);
      const content = await draw(prompt, { size, format }, signal);
      return keep({ content, path, alt: alt ?? prompt, shown }, files, pictures);
    },
  });
}

interface Drawn {
  readonly content: Uint8Array;
  readonly path: string;
  readonly alt: string;
  readonly shown: ShownFile | undefined;
}

async function keep(
  { content, path, alt, shown }: Drawn,
  files: WorkspaceFiles,
  pictures: PictureStore,
): Promise<ToolOutput> {
  const { format, ...place } = target(path, files);
  const type = pictureTypeOf(content);
  if (type !== `image/${format}`) {
    throw new Error(
      `The server gave ${type ?? 'no picture'}, which cannot be written to ${path}. Nothing was written.`,
    );
  }
  const picture = await pictures.save(getSessionId(), content, alt);
  await replaceFile(place, content, files, shown);
  return { ok: true, path, picture };
}

/** @throws Error for the model, if the server has no such tool, or drew nothing. */
async function draw(
  prompt: string,
  options: { readonly size: string; readonly format: Format },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { model, entry } = getChatModel();
  const result = await generateText({
    model,
    prompt,
    tools: hostedTool(options),
    toolChoice: { type: 'tool', toolName: 'image_generation' },
    abortSignal: signal,
    maxRetries: 0,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new Error(`${entry.label} drew nothing: ${error instanceof Error ? error.message : String(error)}`);
  });
  const file = result.files.find(({ mediaType }) => mediaType.startsWith('image/'));
  if (file !== undefined) return file.uint8Array;
  const said = result.text.trim() === '' ? '' : ` It said: ${result.text.trim().slice(0, 500)}`;
  throw new Error(`${entry.label} drew nothing.${said}`);
}

/** Of OpenAI's Responses API; other providers of the AI SDK leave out what they do not know. */
function hostedTool({ size, format }: { readonly size: string; readonly format: Format }): ToolSet {
  const hosted = {
    type: 'provider',
    id: 'openai.image_generation',
    args: { size, outputFormat: format },
    inputSchema: z.object({}),
    isProviderExecuted: true,
  };
  return { image_generation: hosted } as unknown as ToolSet;
}

function target(path: string, files: WorkspaceFiles): WriteTarget & { readonly format: Format } {
  const format = FORMATS[extname(path).toLowerCase()];
  if (format === undefined) throw new Error(`${path} does not end with .png, .jpg, .jpeg or .webp.`);
  return { ...writeTarget(path, files), format };
}
