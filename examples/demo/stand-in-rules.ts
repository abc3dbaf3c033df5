import { outputText } from '../shared/output-text.js';

/** What the rules read of a Responses request. */
export interface AskedFor {
  readonly model: string;
  readonly stream?: boolean;
  readonly input: readonly InputItem[];
  readonly tools?: readonly { readonly name?: string }[];
}

interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly name?: string;
  readonly call_id?: string;
  readonly output?: unknown;
}

/** One output item in short. */
export type Says =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly name: string; readonly arguments: object };

interface Facts {
  readonly question: string;
  readonly offered: ReadonlySet<string>;
  /** What each tool has answered so far. */
  readonly outputs: ReadonlyMap<string, string>;
}

/**
 * A model made of rules. It works its way from one tool's answer to the next call, as a real one would: which folder is
 * there, what is in it, what does the file say. What it answers in the end is quoted from the tools.
 */
export function decide(request: AskedFor): Says[] {
  const facts = factsOf(request);
  const first = request.input.every((item) => item.type !== 'function_call_output');
  const calls = [sum(facts), nextLook(facts)].filter((call) => call !== undefined);
  if (calls.length === 0) return [{ type: 'text', text: conclusion(facts) }];
  return [...(first ? [{ type: 'text', text: 'Let me look into the folder. ' } as const] : []), ...calls];
}

function sum(facts: Facts): Says | undefined {
  const [, a, b] = /(\d+)\s*\+\s*(\d+)/.exec(facts.question) ?? [];
  return a === undefined || b === undefined ? undefined : once(facts, 'get-sum', { a: Number(a), b: Number(b) });
}

function nextLook(facts: Facts): Says | undefined {
  const [folder] = linesOf(facts.outputs.get('list_allowed_directories')).filter((line) => /^(\/|[a-z]:)/i.test(line));
  if (folder === undefined) return once(facts, 'list_allowed_directories', {});
  const file = tokenFile(facts);
  if (file === undefined) return once(facts, 'list_directory', { path: folder });
  return once(facts, 'read_text_file', { path: `${folder}/${file}` });
}

function conclusion(facts: Facts): string {
  const file = tokenFile(facts);
  const said = facts.outputs.get('read_text_file')?.trim();
  const found = file === undefined || said === undefined ? 'I found no file with a token.' : `${file} says: "${said}"`;
  const total = facts.outputs.get('get-sum');
  return total === undefined ? found : `${found} And the other tool says: "${total.trim()}"`;
}

function tokenFile(facts: Facts): string | undefined {
  const files = linesOf(facts.outputs.get('list_directory')).flatMap((line) => /^\[FILE\] (.+)$/.exec(line)?.[1] ?? []);
  return files.find((name) => name.includes('token'));
}

/** A call that was not made yet, of a tool that is there. */
function once(facts: Facts, name: string, args: object): Says | undefined {
  const isDue = facts.offered.has(name) && !facts.outputs.has(name);
  return isDue ? { type: 'call', name, arguments: args } : undefined;
}

function factsOf({ input, tools = [] }: AskedFor): Facts {
  const names = new Map(input.filter((item) => item.type === 'function_call').map((item) => [item.call_id, item.name]));
  const outputs = input
    .filter((item) => item.type === 'function_call_output')
    .map((item) => [names.get(item.call_id) ?? '', outputText(item.output)] as const);
  return {
    question: outputText(input.findLast((item) => item.role === 'user')?.content),
    offered: new Set(tools.flatMap((tool) => tool.name ?? [])),
    outputs: new Map(outputs),
  };
}

function linesOf(text = ''): string[] {
  return text.split('\n').map((line) => line.trim());
}
