/** What a person and a model call an element. */
export interface Labelled {
  /** As it is for Playwright. */
  readonly ref: string;
  /** Role and name, such as `button "Send"`. */
  readonly label: string;
}

export interface PageSnapshot {
  /** For the model, cut to the budget. */
  readonly text: string;
  /** By the ref that the model has. */
  readonly elements: ReadonlyMap<string, Labelled>;
}

const MAX_CHARS = 20_000;
const MAX_LABEL = 80;
/** Role, name and states of an element; the name is the page's and may hold anything, also what looks like a ref. */
const LINE =
  /^(?<head>\s*- '?(?<role>[a-z]+)(?: (?<name>"(?:[^"\\]|\\.)*"))?(?: \[(?!ref=)[^\]]*\])*) \[ref=(?<ref>(?:f\d+)?e\d+)\]/;

/**
 * The accessibility tree of a page as text. Its refs get what only this snapshot has in front: one of an earlier snapshot or
 * browser, which a person may have been asked about, never means another element.
 */
export function readSnapshot(tree: string, prefix: string): PageSnapshot {
  const elements = new Map<string, Labelled>();
  const lines: string[] = [];
  let chars = 0;
  for (const line of tree.split('\n')) {
    const found = LINE.exec(line)?.groups;
    const ref = `${prefix}${found?.['ref'] ?? ''}`;
    const shown = found === undefined ? withoutRefs(line) : withRef(line, found, ref);
    chars += shown.length + 1;
    if (chars > MAX_CHARS) {
      lines.push(`(cut: ${tree.length} characters; scroll, or read a part with browserExtract)`);
      break;
    }
    lines.push(shown);
    if (found !== undefined) elements.set(ref, { ref: found['ref'] ?? '', label: labelOf(found) });
  }
  return { text: lines.join('\n'), elements };
}

type Found = Readonly<Record<string, string | undefined>>;

function withRef(line: string, { head = '', ref: own }: Found, ref: string): string {
  const rest = line.slice(`${head} [ref=${own}]`.length);
  return `${withoutRefs(head)} [ref=${ref}]${withoutRefs(rest)}`;
}

/** What the page wrote itself is no ref. */
function withoutRefs(text: string): string {
  return text.replaceAll('[ref=', '[ref:');
}

function labelOf({ role = 'element', name }: Found): string {
  return name === undefined ? role : `${role} ${shortLine(name, MAX_LABEL)}`;
}

/** A text of a page in one line, without signs that nobody sees or that turn the others around. */
export function shortLine(text: string, maxChars: number): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return line.length > maxChars ? `${line.slice(0, maxChars)}…` : line;
}
