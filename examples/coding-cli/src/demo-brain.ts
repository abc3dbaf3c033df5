import { firstLine, usageOf, wordsOf } from 'responses-loop-example-shared/stand-in-words.js';
import type { ResponseDescription, ScriptedRequest } from 'responses-loop/testing';
import { type Facts, factsOf, objectOf, type PastCall, type Step } from './demo/facts.js';
import { fixTests } from './demo/fix-tests.js';

type Output = NonNullable<ResponseDescription['output']>[number];

const SIGNATURE = 'Scripted demo';
const LINES_LIMIT = 5000;

/** A model made of rules: it knows nothing but the request. What it reads, runs and changes it does with the tools it is given. */
export function demoBrain(request: ScriptedRequest): ResponseDescription {
  const facts = factsOf(request);
  const step = nextStep(facts);
  const output = outputOf(step, facts);
  return { output, usage: usageOf(request.text.length, JSON.stringify(output).length) };
}

function outputOf(step: Step, { offered }: Facts): Output[] {
  if ('say' in step) return [{ type: 'text', text: wordsOf(step.say) }];
  if (!offered.includes(step.call))
    return [{ type: 'text', text: wordsOf(`${SIGNATURE}: the tool ${step.call} is not available.`) }];
  const call: Output = { type: 'call', name: step.call, arguments: { ...step.input } as Record<string, string> };
  return step.saying === undefined ? [call] : [{ type: 'text', text: wordsOf(step.saying) }, call];
}

function nextStep(facts: Facts): Step {
  const asked = facts.said.at(-1) ?? '';
  for (const [pattern, answer] of SKILLS) {
    const match = pattern.exec(asked);
    if (match !== null) return answer(facts, match);
  }
  return {
    say: `${SIGNATURE}: you said "${firstLine(asked)}". To use a real model, set --base-url or OPENAI_API_KEY.`,
  };
}

type Skill = (facts: Facts, match: RegExpExecArray) => Step;

/** The first that fits answers. */
const SKILLS: readonly (readonly [RegExp, Skill])[] = [
  [/\b(remember|what did i (say|ask)|before)\b/i, ({ said }) => ({ say: earlier(said.slice(0, -1)) })],
  [
    /\b(count|write|stream|say) (?:to )?(\d+) (?:long )?lines\b/i,
    (_, [, , count]) => ({ say: manyLines(Number(count)) }),
  ],
  [/\b(fix|repair|failing|make the tests? (pass|green))\b/i, fixTests],
  [/^(?:please )?run:? +`?([^`]+?)`?$/is, (facts, [, command = '']) => once(facts, 'bash', { command }, summary)],
  [/^(?:please )?read:? +`?([^`\s]+)`?$/i, (facts, [, path = '']) => once(facts, 'read', { path }, summary)],
  [
    /\bwrite "(.*)" to `?([^`\s]+)`?/is,
    (facts, [, content = '', path = '']) => once(facts, 'write', { path, content: `${content}\n` }, summary),
  ],
  [/\buse ([\w-]+) *(\{.*\})?/is, (facts, [, tool = '', input]) => once(facts, tool, objectOf(input), summary)],
  [/\b(todo|to-do|plan)\b/i, (facts) => plan(facts)],
  [/\b(files?|folders?|director(y|ies))\b/i, (facts) => once(facts, 'list', { path: '.' }, summary)],
];

/** Calls the tool, and then says what came of it. */
function once(
  facts: Facts,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  after: (call: PastCall) => string,
): Step {
  const done = facts.calls.at(-1);
  return done === undefined ? { call: tool, input } : { say: after(done) };
}

function summary({ tool, output }: PastCall): string {
  const lines = output.trimEnd().split('\n');
  const shown = lines.slice(0, 12).join('\n');
  const more = lines.length > 12 ? `\n… and ${lines.length - 12} more lines` : '';
  return `${SIGNATURE}: \`${tool}\` returned:\n\n${shown}${more}`;
}

/** Three steps, ticked off one by one. */
function plan({ calls }: Facts): Step {
  const steps = ['Look around', 'Do the work', 'Check it'];
  const done = calls.length;
  if (done > steps.length) return { say: `${SIGNATURE}: the plan is done. This was only an example.` };
  const todos = steps.map((content, index) => ({
    content,
    status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
  }));
  return { call: 'todo_write', input: { todos } };
}

function earlier(said: readonly string[]): string {
  if (said.length === 0) return `${SIGNATURE}: this is your first message.`;
  return `${SIGNATURE}: you said before:\n${said.map((text) => `- ${firstLine(text)}`).join('\n')}`;
}

function manyLines(count: number): string {
  const lines = Array.from(
    { length: Math.min(count, LINES_LIMIT) },
    (_, index) => `Line ${index + 1} of the long answer that was asked for.`,
  );
  return lines.join('\n');
}
