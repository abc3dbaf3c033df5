import { firstLine, shorten, usageOf, wordsOf } from 'responses-loop-example-shared/stand-in-words.js';
import type { ResponseDescription, ScriptedRequest } from 'responses-loop/testing';
import { type Facts, factsOf, type ToolAnswer } from './demo/facts.js';
import { type Output, scriptFor } from './demo/scripts.js';
import { MARKDOWN, MENU, REASONING, STORY } from './demo/texts.js';

/** A model made of rules: it knows nothing but the request, so that what it remembers was kept and sent by the server. */
export function demoBrain(request: ScriptedRequest): ResponseDescription {
  const facts = factsOf(request);
  const call = scriptFor(facts)[facts.answers.length];
  const question = facts.said.at(-1) ?? '';
  if (call === undefined && /^\s*fail\b/i.test(question)) {
    return { status: 'failed', error: { code: 'server_error', message: 'You asked me to fail.' } };
  }
  const output: Output[] = call === undefined ? say(question, facts) : [{ type: 'call', ...call }];
  return { output, usage: usageOf(request.text.length, JSON.stringify(output).length) };
}

function say(question: string, facts: Facts): Output[] {
  const text: Output = { type: 'text', text: wordsOf(answer(question, facts)) };
  const isThinking = facts.answers.length === 0 && /\bthink\b/i.test(question);
  return isThinking ? [{ type: 'reasoning', summary: [REASONING] }, text] : [text];
}

function answer(question: string, { said, system, offered, answers }: Facts): string {
  if (answers.length > 0) return answers.map(report).join('\n\n');
  if (offered.length === 0 && /\btitle\b/i.test(`${system}\n${question}`)) return titleOf(said);
  if (offered.length === 0 && /\bsummar/i.test(`${system}\n${question}`)) return summaryOf(said.slice(0, -1));
  if (/\b(remember|what did i (say|ask)|before)\b/i.test(question)) return summaryOf(said.slice(0, -1));
  if (/\bmarkdown\b/i.test(question)) return MARKDOWN;
  if (/\bstory\b/i.test(question)) return STORY;
  if (/\bthink\b/i.test(question)) return 'I have thought about it. Open *Thoughts* above to see how.';
  if (/\bmcp\b/i.test(question)) {
    return 'No MCP server is connected. Start the server with `--mcp-config FILE`, a file such as any MCP client has.';
  }
  return /^\s*(hi|hello|hey|help|what can)\b/i.test(question) ? MENU : `You said: “${firstLine(question)}”\n\n${MENU}`;
}

/** The first thing that was said, in a few words. */
function titleOf(said: readonly string[]): string {
  const [first = ''] = said;
  return firstLine(first).split(/\s+/).slice(0, 6).join(' ');
}

function summaryOf(said: readonly string[]): string {
  return said.length === 0
    ? 'This is the first thing you said.'
    : `Before this you said:\n${said.map((text) => `- ${firstLine(text)}`).join('\n')}`;
}

/** What a tool answered, as somebody would tell it. */
function report({ name, text }: ToolAnswer): string {
  const { ok, error, summary } = readJson(text);
  if (ok === false) return `\`${name}\` did not work: ${String(error)}`;
  if (typeof summary === 'string') return `The sub-agent reports:\n\n${quote(summary)}`;
  if (/\b(denied|did not allow)\b/i.test(text)) return `You did not allow \`${name}\`, so nothing was done.`;
  return `\`${name}\` is done:\n\n\`\`\`\n${shorten(text)}\n\`\`\``;
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
