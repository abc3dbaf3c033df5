import { DEFAULT_LIMITS } from '../../core/limits.js';
import type { FileContent, TextContent, ToolOutput } from '../../core/message.js';
import { clip } from '../../util/excerpt.js';

type Content = TextContent | FileContent;

/** Text of one output, in UTF-16 units; about 50,000 tokens. */
const DEFAULT_MAX_OUTPUT_CHARS = 200_000;

/** Names and types of all files of one output; their bytes have a limit of their own. */
const MAX_FILE_CHARS = 200_000;
/** What is said of a file beside its name and type, at least. */
const FILE_CHARS = 60;

export interface OutputLimits {
  /** Default 200,000. */
  readonly maxToolOutputChars?: number;
  /** Of an output that is an error. Default 4,000. */
  readonly errorChars?: number;
}

/**
 * Cuts the text of an output, with the line breaks that go between its blocks, to a size, and says so in the text. Files are
 * left alone, unless there are thousands.
 */
export function limitOutput(output: ToolOutput, limits: OutputLimits = {}): ToolOutput {
  const { maxToolOutputChars = DEFAULT_MAX_OUTPUT_CHARS, errorChars = DEFAULT_LIMITS.errorChars } = limits;
  const maxChars = Math.max(0, output.isError ? Math.min(errorChars, maxToolOutputChars) : maxToolOutputChars);
  const [first, second] = output.content;
  // As most outputs are.
  if (first?.type === 'text' && second === undefined && first.text.length <= maxChars) return output;
  const content = limitText(limitFileNames(output.content), maxChars);
  return content === output.content ? output : { ...output, content };
}

function limitText(content: readonly Content[], maxChars: number): readonly Content[] {
  const texts = content.filter((block) => block.type === 'text');
  const total = texts.reduce((sum, { text }) => sum + text.length, 0);
  const breaks = Math.max(0, texts.length - 1);
  if (total + breaks <= maxChars) return content;
  // The first block follows no other.
  let left = maxChars + 1;
  let kept = 0;
  const cut = content.flatMap((block): readonly Content[] => {
    if (block.type !== 'text') return [block];
    const text = clip(block.text, Math.max(0, left - 1));
    // Once a block was cut, nothing that follows may slip in behind the gap.
    left = text.length < block.text.length ? 0 : left - text.length - 1;
    kept += text.length;
    return text === '' ? [] : [{ ...block, text }];
  });
  return [...cut, { type: 'text', text: `[output cut: ${total - kept} of ${total} characters left out]` }];
}

function limitFileNames(content: readonly Content[]): readonly Content[] {
  let left = MAX_FILE_CHARS;
  const kept = content.filter((block) => {
    if (block.type === 'text') return true;
    left -= (block.filename?.length ?? 0) + block.mediaType.length + FILE_CHARS;
    return left >= 0;
  });
  const missing = content.length - kept.length;
  return missing === 0 ? content : [...kept, { type: 'text', text: `[output cut: ${missing} files left out]` }];
}
