import type { UnknownToolCall } from 'responses-loop/v3';
import { ownArguments } from './arguments.js';

const TOOLS: Readonly<Record<string, string>> = {
  execute_command: 'bash',
  run_command: 'bash',
  shell: 'bash',
  read_file: 'read',
  write_file: 'write',
  str_replace: 'edit',
  edit_file: 'edit',
  list_dir: 'list',
  list_files: 'list',
  search: 'grep',
};

/**
 * Sends a call under a name of another program on to the tool that is meant, through approval and every check of that tool.
 * A call of anything else gets the list of tools.
 */
export function onUnknownTool({ name, arguments: text, validNames }: UnknownToolCall): unknown {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (tool === undefined || !validNames.includes(tool)) return undefined;
  const input = parseObject(text);
  // What is no object is refused with the real tool's words.
  return input === undefined ? { tool } : { tool, arguments: ownArguments(tool, input) };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
