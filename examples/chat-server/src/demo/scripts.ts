import type { ResponseDescription } from 'responses-loop/testing';
import { CAPABILITY_GROUPS } from '../tools/capability-groups.js';
import type { Facts, OfferedTool } from './facts.js';
import { exampleFor } from './example-input.js';
import { CHAPTERS } from './texts.js';

export type Output = NonNullable<ResponseDescription['output']>[number];
type Json = Exclude<Extract<Output, { type: 'call' }>['arguments'], string | readonly string[]>;

/** A call that is made when all before it have been answered. */
export interface ScriptedCall {
  /** Said before it. */
  readonly text?: string;
  readonly name: string;
  readonly arguments: Json | string;
}

type Groups = Readonly<Record<string, string | undefined>>;
type Script = (groups: Groups, facts: Facts) => readonly ScriptedCall[];

const PLAN = ['List the files', 'Choose a name', 'Report back'];

/** What the person said, and the calls that answer it; the first that fits counts. */
const SCRIPTS: readonly (readonly [RegExp, Script])[] = [
  [
    /\buse (?<name>[\w-]+)\s*(?<args>\{.*\})?/is,
    ({ name = '', args }, { offered }) =>
      OWN.includes(name) || offered.some((tool) => tool.name === name) ? [{ name, arguments: args ?? '{}' }] : [],
  ],
  [
    /\bchapters?\b/i,
    (_groups, facts) =>
      chaptersOf(facts).map((text) => ({ text, name: 'timeNow', arguments: { actionName: 'Look at the clock' } })),
  ],
  [/\bsub-?agents?\b(?:\s+to)?(?<task>.*)/is, ({ task = '' }) => [subAgent(task.trim())]],
  [/\bmcp\b/i, (_groups, { offered }) => offered.filter(isMcp).slice(0, 1).map(callOf)],
  [/^\s*note\b\s*(?<text>.+)/is, ({ text = '' }) => [{ name: 'note', arguments: { value: text.trim() } }]],
  [
    /\brun\b\s+`?(?<command>[^`\n]+)/i,
    ({ command = '' }) => [
      { name: 'shellCommand', arguments: { actionName: 'Run a command', command: command.trim() } },
    ],
  ],
  [/\bshow\b.*\bview\b/i, () => [DUCKS]],
  [
    /\bopen\b\s+(?<url>\S+)\s+in\b.*\bbrowser\b/i,
    ({ url = '' }) => [{ name: 'browserOpen', arguments: { actionName: 'Open a page', url } }],
  ],
  [
    /\bwrite\b.*?(?<path>[\w./-]+\.\w+)(?:\s*:\s*(?<content>.+))?/is,
    ({ path = '', content }) => [
      {
        name: 'writeFile',
        arguments: { actionName: `Write ${path}`, path, content: `${content ?? 'Written by the demo.'}\n` },
      },
    ],
  ],
  [
    /\bread\b.*?(?<path>[\w./-]+\.\w+)/i,
    ({ path = '' }) => [{ name: 'readFile', arguments: { actionName: `Read ${path}`, path } }],
  ],
  [/\bplan\b/i, () => [planAt(0), listFiles, planAt(1), planAt(3)]],
  [/\b(files?|folders?|director(y|ies))\b/i, () => [listFiles]],
  [/\b(time|date|day)\b/i, () => [{ name: 'timeNow', arguments: { actionName: 'Check the time' } }]],
  [/(?<a>\d+)\s*\+\s*(?<b>\d+)/, ({ a, b }) => [{ name: 'get-sum', arguments: { a: Number(a), b: Number(b) } }]],
];

const DUCKS: ScriptedCall = {
  name: 'writeJsx',
  arguments: {
    actionName: 'Show a view',
    path: 'ducks.jsx',
    content: `<View>
  <Card title="Ducks of the pond">
    <Stat label="Eggs" value={3} note="this morning" />
    <List>
      <Item>Ada</Item>
      <Item>Bea</Item>
    </List>
  </Card>
</View>
`,
  },
};

const listFiles: ScriptedCall = { name: 'listDir', arguments: { actionName: 'List files', path: '.' } };

/** What is done about a question. */
export interface Plan {
  /** None, if nothing fits. */
  readonly calls: readonly ScriptedCall[];
  /** Tools of the app that it needs and that are not offered: then no call is made. */
  readonly missing: readonly string[];
}

export function planFor(facts: Facts): Plan {
  for (const [pattern, script] of SCRIPTS) {
    const match = pattern.exec(facts.question);
    if (match === null) continue;
    const calls = script(match.groups ?? {}, facts);
    const absent = calls.filter(({ name }) => facts.offered.every((tool) => tool.name !== name));
    const missing = [...new Set(absent.map(({ name }) => name))].filter((name) => OWN.includes(name));
    return { calls: absent.length === 0 ? calls : [], missing };
  }
  return { calls: [], missing: [] };
}

/** The chapters, about whom the person last wished for. */
function chaptersOf({ question, meanwhile }: Facts): readonly string[] {
  const wishes = [question, ...meanwhile].flatMap(
    (text) => /\babout an? (?<hero>[a-z]+)/i.exec(text)?.groups?.['hero'] ?? [],
  );
  return CHAPTERS.map((text) => text.replaceAll('duck', wishes.at(-1) ?? 'duck'));
}

function subAgent(task: string): ScriptedCall {
  const agent = /^run\b/i.test(task) ? 'shell' : 'document';
  const given = task === '' ? 'write from-an-agent.md: A sub-agent was here.' : task;
  return { name: 'subAgent', arguments: { actionName: 'Delegate to a sub-agent', agent, task: given } };
}

function planAt(done: number): ScriptedCall {
  const items = PLAN.map((text, n) => ({
    text,
    state: n < done ? 'completed' : n === done ? 'in_progress' : 'pending',
  }));
  return { name: 'updatePlan', arguments: { actionName: 'Update the plan', items } };
}

/** The app's own names; any other tool is one of an MCP server. */
const OWN = Object.values(CAPABILITY_GROUPS).flat();

function isMcp({ name }: OfferedTool): boolean {
  return !OWN.includes(name);
}

function callOf({ name, parameters }: OfferedTool): ScriptedCall {
  return { name, arguments: JSON.stringify(exampleFor(parameters)) };
}
