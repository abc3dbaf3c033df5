import { type AskedCall, questionOf, spellText } from 'responses-loop/question';

/** A line of a difference: data, never text that is read again by what it looks like. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  /** Without its line end. */
  readonly text: string;
  /** Its number in the old file, from 1. */
  readonly before?: number | undefined;
  /** Its number in the new file, from 1. */
  readonly after?: number | undefined;
  /** The last line of a file that does not end with a line end. */
  readonly isOpen?: boolean | undefined;
}

/** Lines that follow one another. */
export type Hunk = readonly DiffLine[];

/** A file that a call changes, and how many of all hunks are its own. */
export interface ChangedFile {
  readonly path: string;
  readonly fate: 'added' | 'changed' | 'deleted';
  readonly hunks: number;
  /** What its lines do not show, in words of the program. */
  readonly note?: string | undefined;
}

/** What a call changes. Without the files it is the one file that the call names. */
export interface Changes {
  /** Absent: the lines are those of the call itself, as far as it has some. */
  readonly hunks?: readonly Hunk[] | undefined;
  readonly files?: readonly ChangedFile[] | undefined;
}

/** Which arguments of a tool of the application itself have a view of their own, by their names. */
export interface OwnView {
  readonly command?: string;
  readonly path?: string;
  /** A text that a file gets, and one that it loses. */
  readonly added?: string;
  readonly removed?: string;
  /** Several changes of that file. */
  readonly edits?: string;
  /** A patch of any files: a command to read, if it is not known what it changes. */
  readonly patch?: string;
  /** The model's own words about the call. They show nothing of what runs. */
  readonly claim?: string;
  /** What the call is about, such as the path that is read: shown without its name. */
  readonly subject?: string;
}

/** All texts are spelled. */
export type CallBlock =
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'arguments'; readonly text: string }
  | { readonly kind: 'claim'; readonly text: string }
  | {
      readonly kind: 'difference';
      readonly path: string;
      readonly fate?: ChangedFile['fate'] | undefined;
      readonly note?: string | undefined;
      readonly hunks: readonly Hunk[];
    };

/** A call as a person sees it, whole: what is asked about, and what runs unasked. */
export interface CallView {
  /** Which tool, on one line. */
  readonly head: string;
  /** Every argument stands in one of them. */
  readonly blocks: readonly CallBlock[];
}

/**
 * What a person answers to. Only a tool of the application has a view of its own: whoever calls this decides by who owns the
 * tool (`own`), never by the names of its arguments. Different calls have different views.
 *
 * @param changes What the call would change in files, if that is known: shown in place of the texts of the call.
 */
export function callView(call: AskedCall, own?: OwnView, changes?: Changes): CallView {
  const { head } = questionOf({ ...call, arguments: {} });
  const rest = new Map(entriesOf(call.arguments));
  if (own === undefined || rest.size === 0) return { head, blocks: [argumentsBlock(call.arguments)] };
  const take = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : rest.get(name);
    if (typeof value !== 'string') return undefined;
    rest.delete(name ?? '');
    return value;
  };
  const differences = differencesOf(rest, own, { take, changes });
  const command = take(own.command ?? own.patch);
  const claim = take(own.claim);
  const subject = take(own.subject);
  const blocks: CallBlock[] = [
    ...(command === undefined ? [] : [{ kind: 'command', text: spellText(command) } as const]),
    ...differences,
  ];
  if (subject !== undefined) blocks.push(subjectBlock(subject, rest));
  else if (rest.size > 0 || blocks.length === 0) blocks.push(argumentsBlock(Object.fromEntries(rest)));
  if (claim !== undefined) blocks.push({ kind: 'claim', text: spellText(JSON.stringify(claim)) });
  return { head, blocks };
}

/** A text on one line, spelled. */
export function spelledLine(text: string): string {
  return spellText(text).replaceAll('\n', '⟨U+000A⟩');
}

/** Before what the program says about a call: no spelled text holds this sign. */
export const SAID = '⟩ ';

/** Beside the model's own words. */
export const CLAIM = 'the model calls it: ';

/** A view as text, for a log. Different views give different texts. */
export function textOfView({ head, blocks }: CallView): string {
  return [head, ...blocks.map(textOfBlock)].join('\n');
}

function textOfBlock(block: CallBlock): string {
  if (block.kind === 'claim') return `${SAID}${CLAIM}${block.text}`;
  if (block.kind === 'command') return `$ ${block.text.replaceAll('\n', '\n> ')}`;
  if (block.kind !== 'difference') return `${SAID}with ${block.text}`;
  const lines = block.hunks.flatMap((hunk) => ['@', ...hunk.map(({ kind, text }) => `${SIGNS[kind]} ${text}`)]);
  const note = block.note === undefined ? [] : [`${SAID}${block.note}`];
  return [`${SAID}${FATES[block.fate ?? 'changed']} ${block.path}`, ...note, ...lines].join('\n');
}

/** What becomes of a file. */
export const FATES: Readonly<Record<ChangedFile['fate'], string>> = {
  added: 'new file',
  changed: 'file',
  deleted: 'deleted file',
};

/** What a line of a difference begins with. */
export const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '-' };

/** The lines of hunks with every sign spelled, for a view. */
export function spelledHunks(hunks: readonly Hunk[]): readonly Hunk[] {
  return hunks.map((hunk) =>
    hunk.map((line) => ({ ...line, text: `${spellText(line.text)}${line.isOpen === true ? '⟨no line end⟩' : ''}` })),
  );
}

/** How many lines a difference adds and removes. */
export function countsOf(hunks: readonly Hunk[]): string {
  const count = (kind: DiffLine['kind']): number => hunks.flat().filter((line) => line.kind === kind).length;
  return `+${count('added')} −${count('removed')}`;
}

/** A text as lines of one kind, numbered from `first` if it is known. */
export function linesOf(text: string, kind: 'added' | 'removed', first?: number): DiffLine[] {
  if (text === '') return [];
  const isOpen = !text.endsWith('\n');
  const lines = (isOpen ? text : text.slice(0, -1)).split('\n');
  const at = kind === 'added' ? 'after' : 'before';
  return lines.map((line, index) => ({
    kind,
    text: line,
    ...(first === undefined ? {} : { [at]: first + index }),
    ...(isOpen && index === lines.length - 1 ? { isOpen } : {}),
  }));
}

type DifferenceBlock = Extract<CallBlock, { kind: 'difference' }>;

interface DifferenceSource {
  readonly take: (name: string | undefined) => string | undefined;
  readonly changes: Changes | undefined;
}

/** Takes what they stand for out of the other arguments. Empty if the tool changes no file, or nobody says which, or to what. */
function differencesOf(
  rest: Map<string, unknown>,
  own: OwnView,
  { take, changes }: DifferenceSource,
): readonly DifferenceBlock[] {
  if (own.path === undefined && own.patch === undefined) return [];
  const path = own.path === undefined ? undefined : rest.get(own.path);
  const { hunks: all } = changes ?? {};
  const files = changes?.files ?? (typeof path === 'string' && all !== undefined ? [wholeOf(path, all)] : []);
  if (all !== undefined && files.length > 0) {
    for (const name of [own.path, own.added, own.removed, own.edits, own.patch]) rest.delete(name ?? '');
    let from = 0;
    return files.map((file) => differenceOfFile(file, all.slice(from, (from += file.hunks))));
  }
  const names = [own.path, own.added, own.removed].filter((name) => name !== undefined);
  const isWhole = names.every((name) => typeof rest.get(name) === 'string');
  const [known] = files;
  if (!isWhole || (own.added === undefined && known === undefined)) return [];
  const [named = '', added = '', removed] = [take(own.path), take(own.added), take(own.removed)];
  const made = [
    ...(removed === undefined ? [] : linesOf(removed, 'removed')),
    ...linesOf(added, 'added', removed === undefined ? 1 : undefined),
  ];
  return [differenceOfFile({ path: named, ...known }, made.length === 0 ? [] : [made])];
}

function differenceOfFile(
  { path, fate, note }: Pick<ChangedFile, 'path' | 'note'> & { readonly fate?: ChangedFile['fate'] },
  hunks: readonly Hunk[],
): DifferenceBlock {
  return {
    kind: 'difference',
    path: spelledLine(path),
    ...(fate === undefined ? {} : { fate }),
    ...(note === undefined ? {} : { note: spelledLine(note) }),
    hunks: spelledHunks(hunks),
  };
}

function wholeOf(path: string, hunks: readonly Hunk[]): ChangedFile {
  return { path, fate: 'changed', hunks: hunks.length };
}

function argumentsBlock(value: unknown): CallBlock {
  return { kind: 'arguments', text: questionOf({ tool: '', arguments: value }).whole };
}

/** A subject that could be taken for other arguments, or for two words, stands in quotation marks. */
function subjectBlock(subject: string, others: ReadonlyMap<string, unknown>): CallBlock {
  const isPlain = /^[^\s{"]\S*$/.test(subject);
  const text = spellText(isPlain ? subject : JSON.stringify(subject));
  if (others.size === 0) return { kind: 'arguments', text };
  return {
    kind: 'arguments',
    text: `${text} ${questionOf({ tool: '', arguments: Object.fromEntries(others) }).whole}`,
  };
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
