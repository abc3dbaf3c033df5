import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { actionName } from './action-name.js';
import { defineTool, type ToolDef, type ToolOutput } from './tool-def.js';
import { fileError, openReadable, resolveReadable, type WorkspaceFiles } from './workspace-files.js';

const MAX_BYTES = 20_000_000;
const MAX_LINES = 2000;
const MAX_LINE_CHARS = 2000;
const MAX_CHARS = 60_000;

export function readFileTool(files: WorkspaceFiles): ToolDef {
  return defineTool({
    id: 'readFile',
    description: 'Reads a text file in the workspace.',
    inputSchema: z.object({
      actionName,
      path: z.string().min(1).max(4096),
      offset: z.number().int().min(1).optional().describe('The first line to read, from 1.'),
      limit: z.number().int().min(1).max(MAX_LINES).optional().describe(`How many lines; at most ${MAX_LINES}.`),
    }),
    execute: async ({ path, offset = 1, limit = MAX_LINES }) => {
      try {
        const text = await readText(resolveReadable(path, files), path);
        return excerpt(text, { path, offset, limit });
      } catch (error) {
        throw fileError(error, path);
      }
    },
  });
}

async function readText(real: string, path: string): Promise<string> {
  const handle = await openReadable(real, path);
  try {
    const { size } = await handle.stat();
    if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes: too much to read here.`);
    const bytes = await handle.readFile();
    if (bytes.includes(0) || !isUtf8(bytes)) throw new Error(`${path} is not a text file (${bytes.length} bytes).`);
    return bytes.toString('utf8');
  } finally {
    await handle.close();
  }
}

interface Range {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
}

function excerpt(text: string, { path, offset, limit }: Range): ToolOutput {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (offset > Math.max(1, lines.length)) {
    throw new Error(`${path} has ${lines.length} lines: there is no line ${offset}.`);
  }
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const cut = line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)} [… line cut]` : line;
    chars += cut.length + 1;
    if (chars > MAX_CHARS && shown.length > 0) break;
    shown.push(cut);
  }
  const last = offset - 1 + shown.length;
  return {
    ok: true,
    path,
    content: shown.join('\n'),
    lines: { from: offset, to: last, of: lines.length },
    ...(last < lines.length ? { next: `Go on with offset ${last + 1}.` } : {}),
  };
}
