import { shorten } from 'responses-loop-example-shared/stand-in-words.js';
import type { ToolAnswer } from './facts.js';

type Output = Readonly<Record<string, unknown>>;

/** Sentences about tools of the app that did what they should. */
const REPORTS: Readonly<Record<string, (output: Output) => string>> = {
  timeNow: ({ local }) => `It is ${String(local)}.`,
  note: ({ note }) => `Noted: ${String(note)}`,
  readFile: ({ path, content }) => `This is \`${String(path)}\`:\n\n${block(String(content))}`,
  listDir: ({ entries }) => folderText(Array.isArray(entries) ? (entries as readonly { name: string }[]) : []),
  writeFile: ({ path, bytes }) => `I wrote \`${String(path)}\` (${String(bytes)} bytes).`,
  writeJsx: ({ path }) => `I wrote \`${String(path)}\` and show it above.`,
  browserOpen: ({ title, url, content }) =>
    `The browser shows *${String(title)}* (${String(url)}):\n\n${block(String(content))}`,
  shellCommand: ({ output }) =>
    String(output).trim() === ''
      ? 'The command ran without printing anything.'
      : `The command printed:\n\n${block(String(output))}`,
  updatePlan: ({ items }) => planText(Array.isArray(items) ? (items as readonly { state: string }[]) : []),
  subAgent: ({ summary }) => `The sub-agent reports:\n\n${quote(String(summary))}`,
};

/** What tools answered, in sentences. A plan that was written down several times is told once. */
export function reportOf(answers: readonly ToolAnswer[]): string {
  const lastPlan = answers.findLast(({ name }) => name === 'updatePlan');
  const told = answers.filter((answer) => answer.name !== 'updatePlan' || answer === lastPlan);
  return told.map(sentenceOf).join('\n\n');
}

function sentenceOf({ name, text }: ToolAnswer): string {
  const output = readJson(text);
  if (output === undefined) {
    return /\b(denied|did not allow)\b/i.test(text)
      ? `You did not allow \`${name}\`, so it was not run.`
      : `\`${name}\` returned:\n\n${block(text)}`;
  }
  if (output['isDenied'] === true) return `You did not allow \`${name}\`, so it was not run.`;
  if (output['ok'] === false) return failureText(name, output);
  const report = Object.hasOwn(REPORTS, name) ? REPORTS[name] : undefined;
  return output['ok'] === true && report !== undefined ? report(output) : `\`${name}\` returned:\n\n${block(text)}`;
}

function failureText(name: string, { error, output }: Output): string {
  const why = String(error);
  const { what } = /^This command is never run here: (?<what>.*?)\.?$/s.exec(why)?.groups ?? {};
  if (what !== undefined) return `Blocked: ${what} is never allowed.`;
  const printed = typeof output === 'string' && output.trim() !== '' ? `\n\n${block(output)}` : '';
  return `\`${name}\` failed: ${why}${printed}`;
}

function folderText(entries: readonly { readonly name: string }[]): string {
  if (entries.length === 0) return 'The folder is empty.';
  const names = entries.slice(0, MAX_NAMES).map(({ name }) => `\`${name}\``);
  const more = entries.length > MAX_NAMES ? ` and ${entries.length - MAX_NAMES} more` : '';
  return `I found ${entries.length === 1 ? 'one entry' : `${entries.length} entries`}: ${names.join(', ')}${more}.`;
}

const MAX_NAMES = 10;

function planText(items: readonly { readonly state: string }[]): string {
  const done = items.filter(({ state }) => state === 'completed').length;
  return done === items.length
    ? `All ${done} steps of the plan are done.`
    : `${done} of ${items.length} steps are done.`;
}

function readJson(text: string): Output | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Output) : undefined;
  } catch {
    return undefined;
  }
}

function block(text: string): string {
  return `\`\`\`\n${shorten(text.trimEnd())}\n\`\`\``;
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
