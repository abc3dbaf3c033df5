import { firstLine, shorten, usageOf, wordsOf } from 'responses-loop-example-shared/stand-in-words.js';
import type { ResponseDescription, ScriptedRequest } from 'responses-loop/testing';
import { outputText } from 'responses-loop-example-shared/output-text.js';

type Item = ScriptedRequest['input'][number];
type Output = NonNullable<ResponseDescription['output']>[number];

/** What is known of the conversation from what was sent, as a model would know it. */
interface Facts {
  /** What the user said, oldest first. */
  readonly said: readonly string[];
  readonly offered: readonly string[];
  /** What tools answered since the user said something, by their names. */
  readonly outputs: ReadonlyMap<string, string>;
}

const SIGNATURE = 'Scripted demo';

/** A model made of rules: it knows nothing but the request, so that what it remembers was kept and sent by the runtime. */
export function demoBrain(request: ScriptedRequest): ResponseDescription {
  const facts = factsOf(request);
  const call = nextCall(facts);
  const output: Output[] = [call ?? { type: 'text', text: wordsOf(answer(facts)) }];
  return { output, usage: usageOf(request.text.length, JSON.stringify(output).length) };
}

function answer({ said, outputs }: Facts): string {
  const question = said.at(-1) ?? '';
  if (outputs.size > 0) {
    return [...outputs].map(([name, text]) => `${SIGNATURE}: ${name} returned:\n${shorten(text)}`).join('\n');
  }
  if (/\b(remember|what did i (say|ask)|before)\b/i.test(question)) {
    const earlier = said.slice(0, -1).map((text) => `- ${firstLine(text)}`);
    return earlier.length === 0
      ? `${SIGNATURE}: this is your first message.`
      : `${SIGNATURE}: you said before:\n${earlier.join('\n')}`;
  }
  return `${SIGNATURE}: you said "${firstLine(question)}". To use a real model, set --base-url or OPENAI_API_KEY.`;
}

/** A call that was not made yet, of a tool that is there. */
function nextCall({ said, offered, outputs }: Facts): Output | undefined {
  const question = said.at(-1) ?? '';
  const call = (name: string, args: Record<string, string | number>): Output | undefined =>
    offered.includes(name) && !outputs.has(name) ? { type: 'call', name, arguments: args } : undefined;
  const [, named, written] = /\buse ([\w-]+)\s*(\{.*\})?/is.exec(question) ?? [];
  if (named !== undefined && offered.includes(named)) {
    return outputs.has(named) ? undefined : { type: 'call', name: named, arguments: written ?? '{}' };
  }
  const [, a, b] = /(\d+)\s*\+\s*(\d+)/.exec(question) ?? [];
  if (a !== undefined && b !== undefined) return call('get-sum', { a: Number(a), b: Number(b) });
  if (!/\b(files?|folders?|director(y|ies))\b/i.test(question)) return undefined;
  const folder = /^(\/|[a-z]:).*$/im.exec(outputs.get('list_allowed_directories') ?? '')?.[0];
  return folder === undefined ? call('list_allowed_directories', {}) : call('list_directory', { path: folder });
}

function factsOf({ input, body }: ScriptedRequest): Facts {
  const users = input.filter((item) => item['role'] === 'user');
  const asked = input.lastIndexOf(users.at(-1) as Item);
  const calls = input.filter((item) => item['type'] === 'function_call');
  const names = new Map(calls.map(({ call_id: id, name }) => [id, typeof name === 'string' ? name : undefined]));
  const results = input.slice(asked + 1).filter((item) => item['type'] === 'function_call_output');
  const tools = Array.isArray(body['tools']) ? (body['tools'] as readonly Item[]) : [];
  return {
    said: users.map((item) => outputText(item['content'])),
    offered: tools.flatMap((tool) => (typeof tool['name'] === 'string' ? [tool['name']] : [])),
    outputs: new Map(results.map((item) => [names.get(item['call_id']) ?? 'A tool', outputText(item['output'])])),
  };
}
