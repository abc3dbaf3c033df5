export interface Described {
  readonly description: string;
  /** What stands behind the front matter. */
  readonly body: string;
}

const FRONT = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/;
const MAX_DESCRIPTION = 300;

/** A Markdown file with `description:` in front; without it the first line that says something describes it. */
export function readDescribed(text: string): Described {
  const front = FRONT.exec(text);
  const body = (front === null ? text : text.slice(front[0].length)).trim();
  const [, given = ''] = /^description:[ \t]*(.+)$/m.exec(front?.[1] ?? '') ?? [];
  const [first = ''] = body.split('\n').filter((line) => line.trim() !== '');
  const line = unquoted(given.trim()) || first.replace(/^#+\s*/, '');
  return { description: line.replaceAll(/\p{Cc}/gu, ' ').slice(0, MAX_DESCRIPTION), body };
}

function unquoted(text: string): string {
  return /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
}
