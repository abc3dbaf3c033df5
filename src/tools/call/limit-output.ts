import { DEFAULT_LIMITS, LOOP_LIMITS } from '../../core/limits.js';
import type { FileContent, TextContent, ToolOutput } from '../../core/message.js';

type Content = TextContent | FileContent;

/** Names and types of all files of one output; their bytes have a limit of their own. */
const MAX_FILE_CHARS = 200_000;
/** The minimum size of a file in addition to its name and type. */
const FILE_CHARS = 60;

export interface OutputLimits {
  /** @default 40,000 */
  readonly maxToolOutputChars?: number;
  /** The limit for an output that is an error. @default 4,000 */
  readonly errorChars?: number;
}

/** Returns the characters of an output that the model is given at once. */
export function outputChars({ maxToolOutputChars = LOOP_LIMITS.maxToolOutputChars.byDefault }: OutputLimits): number {
  return maxToolOutputChars;
}

/** Returns the limits of a tool's outputs. The tool's own budget overrides the default. */
export function limitsOfTool(
  { maxOutputChars }: { readonly maxOutputChars?: number | undefined },
  limits: OutputLimits,
): OutputLimits {
  return maxOutputChars === undefined ? limits : { ...limits, maxToolOutputChars: maxOutputChars };
}

/** The middle of an output's text that is left out: the characters from `from` to before `to`. */
export interface OutputGap {
  readonly from: number;
  readonly to: number;
  /** The whole text, with line breaks between its blocks. */
  readonly text: string;
}

/** The part of an output that is kept at its beginning; the rest is kept at its end, because errors name their cause there. */
const HEAD = 1 / 2;
const HEAD_OF_ERROR = 1 / 4;

/**
 * Returns the middle of a text that is too long; `undefined` if it fits. The text of several blocks includes the line
 * breaks between them.
 */
export function gapOf({ content, isError }: ToolOutput, limits: OutputLimits = {}): OutputGap | undefined {
  const { errorChars = DEFAULT_LIMITS.errorChars } = limits;
  const budget = outputChars(limits);
  const maxChars = Math.max(0, isError ? Math.min(errorChars, budget) : budget);
  const [first, second] = content;
  // The common case.
  if (first?.type === 'text' && second === undefined && first.text.length <= maxChars) return undefined;
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const total = texts.reduce((sum, text) => sum + text.length + 1, -1);
  if (total <= maxChars) return undefined;
  const text = texts.join('\n');
  const head = Math.floor(maxChars * (isError ? HEAD_OF_ERROR : HEAD));
  const tail = text.length - (maxChars - head);
  return { from: isLowSurrogate(text, head) ? head - 1 : head, to: isLowSurrogate(text, tail) ? tail + 1 : tail, text };
}

/** Whether a cut before this place would split a character. */
function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0 && isHighSurrogate(text.charCodeAt(at - 1));
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/**
 * Cuts the middle out of the text of an output that is too long. A mark in its place states how much is missing, and
 * then `rest`. Files stay, unless there are thousands.
 */
export function limitOutput(output: ToolOutput, limits?: OutputLimits, rest?: Rest): ToolOutput {
  const content = limitFileNames(output.content);
  const { gap = gapOf(output, limits), note = '' } = rest ?? {};
  if (gap === undefined) return content === output.content ? output : { ...output, content };
  const { from, to, text } = gap;
  const mark = `[output cut: ${to - from} of ${text.length} characters left out${note}]`;
  return { ...output, content: withoutGap(content, gap, mark) };
}

/** The gap of an output, and a note for its mark. */
export interface Rest {
  readonly gap: OutputGap;
  readonly note: string;
}

function withoutGap(content: readonly Content[], { from, to }: OutputGap, mark: string): readonly Content[] {
  let at = 0;
  let isMarked = false;
  const kept = content.flatMap((block): readonly Content[] => {
    if (block.type !== 'text') return [block];
    const { text } = block;
    const head = text.slice(0, Math.max(0, from - at));
    const tail = text.slice(Math.max(head.length, to - at));
    at += text.length + 1;
    if (head === text) return text === '' ? [] : [block];
    const between = isMarked ? '' : mark;
    isMarked = true;
    // A mark for the server's cache stays at the end.
    const last = { ...block, text: tail };
    return [textContent(head), textContent(between), last].filter((piece) => piece.text !== '');
  });
  return isMarked ? kept : [...kept, textContent(mark)];
}

function textContent(text: string): TextContent {
  return { type: 'text', text };
}

function limitFileNames(content: readonly Content[]): readonly Content[] {
  let left = MAX_FILE_CHARS;
  const kept = content.filter((block) => {
    if (block.type === 'text') return true;
    left -= (block.filename?.length ?? 0) + block.mediaType.length + FILE_CHARS;
    return left >= 0;
  });
  const missing = content.length - kept.length;
  return missing === 0 ? content : [...kept, textContent(`[output cut: ${missing} files left out]`)];
}
