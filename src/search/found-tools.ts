import type { ToolOutput } from '../core/message.js';
import type { LoopTool } from '../tools/loop-tool.js';
import { shortDescription } from './describe-tool.js';

/** Characters of a description in the output: the tool is offered with the whole of it. */
const MAX_DESCRIPTION = 200;
const AFTER_NAME = ': ';

/** Returns what the model reads about tools that were found: a line for each, which begins with the name. */
export function listFound(query: string, tools: readonly LoopTool[]): string {
  if (tools.length === 0) return `No tool fits ${JSON.stringify(query)}. Try other words, or fewer.`;
  const lines = tools.map((tool) => tool.declaration.name + AFTER_NAME + shortDescription(tool, MAX_DESCRIPTION));
  return ['You can call these tools from now on.', ...lines].join('\n');
}

/** Returns the names in such a text. A name that was cut does not count. */
export function namesIn({ content }: ToolOutput): readonly string[] {
  const lines = content.flatMap((block) => (block.type === 'text' ? block.text.split('\n') : []));
  return lines.flatMap((line) => {
    const end = line.indexOf(AFTER_NAME.trimEnd());
    return end > 0 ? [line.slice(0, end)] : [];
  });
}
