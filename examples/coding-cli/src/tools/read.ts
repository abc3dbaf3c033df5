import { z } from 'zod';
import { locateToRead } from '../files/locate.js';
import type { FileView } from '../files/read-lines.js';
import { runFileJob } from '../jobs/run.js';
import { type CodingTool, ToolError } from './context.js';

const MAX_LINES = 2000;
const MAX_LINE_CHARS = 2000;

const INPUT = z.object({
  path: z.string().min(1).describe('File to read; relative paths start in the workspace.'),
  offset: z.int().min(1).optional().describe('First line, from 1.'),
  limit: z.int().min(1).optional().describe(`Number of lines (default ${MAX_LINES}).`),
});

export const read: CodingTool<typeof INPUT> = {
  name: 'read',
  description:
    'Reads a file. Text comes as "number<TAB>line"; images as images; of other binary files only type and size.',
  inputSchema: INPUT,
  readOnly: true,
  title: ({ path }) => `Read ${path}`,
  execute: async ({ path, offset = 1, limit = MAX_LINES }, context) => {
    const real = locateToRead(path, context);
    const view = await runFileJob('viewFile', { path: real, offset, limit, maxChars: MAX_LINE_CHARS }, context);
    context.extra.stamps.keep(real, view.hash);
    if (view.kind === 'text') {
      if (view.lines.length > 0 && (view.hasCutLines || offset + view.lines.length <= view.total))
        context.extra.report({ type: 'truncated' });
      return textOf(view, path, offset);
    }
    if (view.kind === 'binary') return `${path} is a binary file of ${view.size} bytes. Its content is not shown.`;
    if (view.content === undefined)
      return `${path} is an image (${view.mimeType}) of ${view.size} bytes, too large to be shown.`;
    return {
      content: [{ type: 'image', data: Buffer.from(view.content).toString('base64'), mimeType: view.mimeType }],
    };
  },
};

function textOf({ lines, total }: Extract<FileView, { kind: 'text' }>, path: string, offset: number): string {
  if (total === 0) return `${path} is empty.`;
  if (lines.length === 0) throw new ToolError(`${path} has ${total} lines: there is no line ${offset}.`);
  const shown = lines.map((line, at) => `${offset + at}\t${line}`).join('\n');
  const last = offset + lines.length - 1;
  return last < total ? `${shown}\n[lines ${offset} to ${last} of ${total}; go on with offset ${last + 1}]` : shown;
}
