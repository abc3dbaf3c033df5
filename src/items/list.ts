import type { Kind } from './kind.js';
import { applyPatch } from './kinds/apply-patch.js';
import { codeInterpreter } from './kinds/code-interpreter.js';
import { computer } from './kinds/computer.js';
import { customTool } from './kinds/custom-tool.js';
import { fileSearch } from './kinds/file-search.js';
import { imageGeneration } from './kinds/image-generation.js';
import { mcp } from './kinds/mcp.js';
import { program } from './kinds/program.js';
import { localShell, shell } from './kinds/shell.js';
import { toolSearch } from './kinds/tool-search.js';
import { webSearch } from './kinds/web-search.js';
import { codeExecution, viewImage, viewVideo, xSearch } from './kinds/xai.js';

/** Every tool family. A new one is a line here. */
export const KINDS = [
  customTool,
  localShell,
  shell,
  applyPatch,
  computer,
  toolSearch,
  program,
  webSearch,
  fileSearch,
  codeInterpreter,
  xSearch,
  codeExecution,
  viewImage,
  viewVideo,
  imageGeneration,
  mcp,
] as const satisfies readonly Kind[];
