import type { FileContent, TextContent, ToolOutput } from '../../core/message.js';
import { clip } from '../../util/excerpt.js';

type Content = TextContent | FileContent;

/** Text of one output, in UTF-16 units; about 50,000 tokens. */
const DEFAULT_MAX_OUTPUT_CHARS = 200_000;

/** Cuts the text of an output to a size, and says so in the text. Files are left alone. */
export function limitOutput(output: ToolOutput, maxChars: number = DEFAULT_MAX_OUTPUT_CHARS): ToolOutput {
  const total = output.content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
  if (total <= maxChars) return output;
  let left = Math.max(0, maxChars);
  let kept = 0;
  const content = output.content.flatMap((block): readonly Content[] => {
    if (block.type !== 'text') return [block];
    const text = clip(block.text, left);
    left -= text.length;
    // Once a block was cut, nothing that follows may slip in behind the gap.
    if (text.length < block.text.length) left = 0;
    kept += text.length;
    return text === '' ? [] : [{ ...block, text }];
  });
  const mark = `[output cut: ${total - kept} of ${total} characters left out]`;
  return { ...output, content: [...content, { type: 'text', text: mark }] };
}
