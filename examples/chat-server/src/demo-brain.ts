import { firstLine, usageOf, wordsOf } from 'responses-loop-example-shared/stand-in-words.js';
import type { ResponseDescription, ScriptedRequest } from 'responses-loop/testing';
import { type Facts, factsOf } from './demo/facts.js';
import { reportOf } from './demo/reports.js';
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

function answer(question: string, { said, system, offered, answers, files }: Facts): string {
  if (answers.length > 0) return reportOf(answers);
  if (offered.length === 0 && /\btitle\b/i.test(`${system}\n${question}`)) return titleOf(said);
  if (offered.length === 0 && /\bsummar/i.test(`${system}\n${question}`)) return summaryOf(said.slice(0, -1));
  if (/\b(remember|what did i (say|ask)|before)\b/i.test(question)) return summaryOf(said.slice(0, -1));
  if (/\bmarkdown\b/i.test(question)) return MARKDOWN;
  if (/\bstory\b/i.test(question)) return STORY;
  if (/\bthink\b/i.test(question)) return 'I thought about it. Open *Thought* above to see how.';
  if (/\bmcp\b/i.test(question)) {
    return 'No MCP server is connected. Start chat-server with `--mcp-config FILE` to connect some.';
  }
  if (/^\s*(hi|hello|hey|help|what can)\b/i.test(question)) return MENU;
  if (files > 0)
    return `I got ${files === 1 ? 'your file' : `your ${files} files`}, but a scripted demo cannot read them.`;
  return `I'm a scripted demo and have no answer to “${firstLine(question)}”. Type \`help\` for what I can show you.`;
}

/** The first thing that was said, in a few words. */
function titleOf(said: readonly string[]): string {
  const [first = ''] = said;
  return firstLine(first).split(/\s+/).slice(0, 6).join(' ');
}

function summaryOf(said: readonly string[]): string {
  return said.length === 0
    ? 'This is your first message.'
    : `Earlier you said:\n${said.map((text) => `- ${firstLine(text)}`).join('\n')}`;
}
