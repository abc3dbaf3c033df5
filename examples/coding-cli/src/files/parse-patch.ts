import { ToolError } from '../tools/context.js';

export interface PatchLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Lines of a file that follow one another, and what they become. */
export interface PatchPart {
  /** Lines before it that say where it is, such as the head of a function. */
  readonly anchors: readonly string[];
  readonly lines: readonly PatchLine[];
  /** It is the end of the file. */
  readonly isEnd: boolean;
}

export type PatchStep =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'update'; readonly path: string; readonly to?: string; readonly parts: readonly PatchPart[] };

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const HEAD = /^\*\*\* (Add|Delete|Update) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const END_OF_FILE = '*** End of File';
const KINDS: Readonly<Record<string, PatchLine['kind']>> = { ' ': 'same', '+': 'added', '-': 'removed' };

/**
 * Reads a patch in the format that models of OpenAI are trained on. What is not understood is an error: nothing of it is left out.
 *
 * @throws ToolError that names the line.
 */
export function parsePatch(patch: string): readonly PatchStep[] {
  const lines = patch.replaceAll('\r\n', '\n').trim().split('\n');
  if (lines[0] !== BEGIN || lines.at(-1) !== END)
    throw new ToolError(`A patch begins with "${BEGIN}" and ends with "${END}". Nothing was changed.`);
  const steps: PatchStep[] = [];
  for (let at = 1; at < lines.length - 1;) {
    const [, verb, path = ''] = HEAD.exec(lines[at] ?? '') ?? [];
    if (verb === undefined)
      throw wrong(
        at,
        lines[at],
        'it should be "*** Add File: PATH", "*** Update File: PATH" or "*** Delete File: PATH"',
      );
    const end = nextHead(lines, at + 1);
    steps.push(stepOf(verb, path.trim(), { lines: lines.slice(at + 1, end), first: at + 1 }));
    at = end;
  }
  if (steps.length === 0) throw new ToolError('The patch changes no file.');
  return steps;
}

/** Every path that a patch names. */
export function pathsOfPatch(steps: readonly PatchStep[]): string[] {
  return steps.flatMap((step) =>
    step.kind === 'update' && step.to !== undefined ? [step.path, step.to] : [step.path],
  );
}

interface Body {
  readonly lines: readonly string[];
  /** The number of the first, from 0. */
  readonly first: number;
}

function nextHead(lines: readonly string[], from: number): number {
  const found = lines.findIndex((line, at) => at >= from && HEAD.test(line));
  return found === -1 ? lines.length - 1 : found;
}

function stepOf(verb: string, path: string, body: Body): PatchStep {
  if (verb === 'Add') return { kind: 'add', path, content: contentOf(body) };
  if (verb === 'Update') return updateOf(path, body);
  const extra = body.lines.findIndex((line) => line !== '');
  if (extra !== -1) throw wrong(body.first + extra, body.lines[extra], 'nothing follows "Delete File"');
  return { kind: 'delete', path };
}

function contentOf({ lines, first }: Body): string {
  const odd = lines.findIndex((line) => !line.startsWith('+'));
  if (odd !== -1) throw wrong(first + odd, lines[odd], 'each line of a new file begins with "+"');
  return lines.map((line) => `${line.slice(1)}\n`).join('');
}

function updateOf(path: string, { lines, first }: Body): PatchStep {
  const [, to] = MOVE.exec(lines[0] ?? '') ?? [];
  const parts: PatchPart[] = [];
  let part: { anchors: string[]; lines: PatchLine[]; isEnd: boolean } | undefined;
  for (let at = to === undefined ? 0 : 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const isAnchor = line === '@@' || line.startsWith('@@ ');
    if (part === undefined || (isAnchor && part.lines.length > 0)) {
      part = { anchors: [], lines: [], isEnd: false };
      parts.push(part);
    }
    // Editors leave out the blank of an empty line.
    const kind = line === '' ? 'same' : KINDS[line.slice(0, 1)];
    if (isAnchor) part.anchors.push(line.slice(3));
    else if (line === END_OF_FILE) part.isEnd = true;
    else if (kind === undefined || part.isEnd)
      throw wrong(first + at, line, 'a line of a change begins with " ", "+", "-" or "@@"');
    else part.lines.push({ kind, text: line.slice(1) });
  }
  if (to === undefined && !parts.some((each) => each.lines.some(({ kind }) => kind !== 'same')))
    throw new ToolError(`The patch changes nothing in ${path}.`);
  return { kind: 'update', path, ...(to === undefined ? {} : { to: to.trim() }), parts };
}

function wrong(at: number, line: string | undefined, what: string): ToolError {
  return new ToolError(`Line ${at + 1} of the patch is ${JSON.stringify(line ?? '')}: ${what}. Nothing was changed.`);
}
