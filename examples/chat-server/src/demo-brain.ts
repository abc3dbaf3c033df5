import { firstLine, usageOf, wordsOf } from 'responses-loop-example-shared/stand-in-words.js';
import type { StandInAnswer } from 'responses-loop-example-shared/stand-in.js';
import { type Facts, factsOf } from './demo/facts.js';
import { reportOf } from './demo/reports.js';
import { type Output, planFor } from './demo/scripts.js';
import { MARKDOWN, MENU, REASONING, STORY } from './demo/texts.js';

/** Slow enough to stop and to steer. */
const STORY_PACE_MS = 20;

/** A model made of rules: it knows nothing but the request, so that what it remembers was kept and sent by the server. */
export const demoBrain: StandInAnswer = (request) => {
  const facts = factsOf(request);
  const { calls, missing } = planFor(facts);
  const call = calls[facts.answers.length];
  if (call === undefined && /^\s*fail\b/i.test(facts.question)) {
    return { status: 'failed', error: { code: 'server_error', message: 'You asked me to fail.' } };
  }
  const heard = facts.isHeardNow ? [say(`I heard “${firstLine(facts.meanwhile.at(-1) ?? '')}” while I worked.`)] : [];
  const output = [...heard, ...(call === undefined ? end(facts, missing) : step(call, facts))];
  const usage = usageOf(request.text.length, JSON.stringify(output).length);
  return /\bchapters?\b/i.test(facts.question) ? { output, usage, paceMs: STORY_PACE_MS } : { output, usage };
};

function step({ text, ...call }: ReturnType<typeof planFor>['calls'][number], { spoken }: Facts): Output[] {
  const rest = restOf(text ?? '', spoken);
  return [...(rest === '' ? [] : [say(rest)]), { type: 'call', ...call }];
}

function end(facts: Facts, missing: readonly string[]): Output[] {
  const whole = answer(facts, missing);
  const rest = facts.isContinued ? restOf(whole, facts.spoken) : whole;
  const text = say(rest === '' ? 'I had finished. Ask for something else, or type `help`.' : rest);
  const isThinking = facts.answers.length === 0 && /\bthink\b/i.test(facts.question);
  return isThinking ? [{ type: 'reasoning', summary: [REASONING] }, text] : [text];
}

function say(text: string): Output {
  return { type: 'text', text: wordsOf(text) };
}

/** What is left of a text of which some was said before it was stopped. */
function restOf(whole: string, spoken: readonly string[]): string {
  return spoken.reduce((rest, piece) => {
    const said = piece.trim();
    return rest.startsWith(said) ? rest.slice(said.length).trimStart() : rest;
  }, whole);
}

/** Where the question fits, the answer counts; the first one that fits. */
const ANSWERS: readonly (readonly [RegExp, (facts: Facts) => string])[] = [
  [/\b(?:remember|what did i (?:say|ask)|before)\b/i, ({ said }) => summaryOf(said.slice(0, -1))],
  [/\bmarkdown\b/i, () => MARKDOWN],
  [/\bstory\b/i, () => STORY],
  [/\bthink\b/i, () => 'I thought about it. Open *Thought* above to see how.'],
  [
    /\bmcp\b/i,
    () =>
      'No tool of an MCP server is on. Start chat-server with `--mcp-config FILE` to connect one, or turn one on in Settings (`Ctrl + ,`), under Tools.',
  ],
  [/^\s*(?:hi|hello|hey|help|what can)\b/i, () => MENU],
  [/^\s*(?:continue|go on)\b/i, () => 'This chat has nothing to continue. Type `help` for what I can show you.'],
];

function answer(facts: Facts, missing: readonly string[]): string {
  const { answers, offered, question, system, said, files } = facts;
  if (answers.length > 0) return /\bchapters?\b/i.test(question) ? 'The end.' : reportOf(answers);
  const isAbout = (word: RegExp): boolean => offered.length === 0 && word.test(`${system}\n${question}`);
  if (isAbout(/\btitle\b/i)) return titleOf(said);
  if (isAbout(/\bsummar/i)) return summaryOf(said.slice(0, -1));
  if (missing.length > 0) return offText(missing, facts);
  const found = ANSWERS.find(([pattern]) => pattern.test(question))?.[1];
  if (found !== undefined) return found(facts);
  if (files > 0)
    return `I got ${files === 1 ? 'your file' : `your ${files} files`}, but the demo model cannot read them.`;
  return `I'm the demo model, a script, and have no answer to “${firstLine(question)}”. Type \`help\` for what I can show you.`;
}

/** A sub-agent gets no more tools than its template, its parent and the chat have. */
function offText(missing: readonly string[], { system }: Facts): string {
  const names = missing.map((name) => `\`${name}\``).join(' and ');
  const [tools, are, them] = missing.length === 1 ? ['The tool', 'is', 'it'] : ['The tools', 'are', 'them'];
  if (/\bfor another agent\b/.test(system))
    return `${tools} ${names} ${are} not given to this sub-agent, so I did nothing.`;
  return `${tools} ${names} ${are} off in this chat, so I cannot do that. Turn ${them} on in Settings (\`Ctrl + ,\`), under Tools.`;
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
