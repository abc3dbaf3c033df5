import { z } from 'zod';
import { getChatModel, getSessionId } from '../context/request-context.js';
import { MAX_PICTURE_BYTES, nameOfPicture, type Picture, type PictureStore } from '../pictures/picture-store.js';
import { actionName } from './action-name.js';
import { defineTool, type ToolDef } from './tool-def.js';
import { fileError, openReadable, resolveReadable, type WorkspaceFiles } from './workspace-files.js';

/** Shows a picture of the workspace to the person, and to a model that takes pictures. */
export function viewImageTool(files: WorkspaceFiles, pictures: PictureStore): ToolDef {
  return defineTool({
    id: 'viewImage',
    description: 'Shows a picture of the workspace (PNG, JPEG, GIF, WebP) to the person and to you.',
    inputSchema: z.object({
      actionName,
      path: z.string().min(1).max(4096),
      alt: z.string().max(500).optional().describe('What is to be seen, for a person who does not see it.'),
    }),
    execute: async ({ path, alt }) => {
      const content = await readPicture(path, files);
      const picture = await pictures.save(getSessionId(), content, alt ?? path);
      return { ok: true, path, picture };
    },
    toModelOutput: async (output) => {
      const { picture } = output as { readonly picture?: Picture };
      if (!output.ok || picture === undefined) return undefined;
      const { images, label } = getChatModel().entry;
      if (images === false) return [{ type: 'text', text: `The person sees it; ${label} takes no pictures.` }];
      const found = await pictures.read(getSessionId(), nameOfPicture(picture));
      if (found === undefined) return [{ type: 'text', text: 'The picture is not there any more.' }];
      const { mediaType, content } = found;
      return [{ type: 'image-data', data: Buffer.from(content).toString('base64'), mediaType }];
    },
  });
}

async function readPicture(path: string, files: WorkspaceFiles): Promise<Buffer> {
  try {
    const handle = await openReadable(resolveReadable(path, files), path);
    try {
      const { size } = await handle.stat();
      if (size > MAX_PICTURE_BYTES) throw new Error(`it has ${size} bytes; ${MAX_PICTURE_BYTES} are allowed`);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileError(error, path);
  }
}
