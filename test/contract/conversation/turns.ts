import { FAMILIES } from '../families.js';
import type { Family } from '../families/family.js';
import { type Answer, calls, says, thinks } from '../families/written.js';
import type { Major } from '../sides.js';

/** What the families of each turn are; those that a major does not have are left out of it. */
const FAMILIES_OF_TURNS: readonly (readonly string[])[] = [
  ['web search with sources', 'file search', 'code interpreter', 'image generation', 'a subagent and the answer'],
  ['tool search at the server'],
  ['shell on the client'],
  ['shell in a container'],
  ['local shell', 'custom tool that gives an object'],
  ['patches: create, update and delete'],
  ['computer, safety checks and a file'],
  ['tool search at the client', 'compaction'],
  ['a program that calls functions'],
  ['hosted MCP', 'hosted MCP, approved'],
];

/** A turn without any of its families still has a call. */
const PLAIN: Family = {
  name: 'a call with reasoning',
  functions: [{ name: 'plain', description: 'Plain.', parameters: { type: 'object', properties: {} }, output: 'yes' }],
  answers: [
    { output: [thinks('Call.', 'sealed'), calls('plain', 'call_1', {})] },
    { id: 'resp_2', output: [says('Done.')] },
  ],
};

/** Ten turns that use every tool whose calls are answered by somebody else than the model. */
export function turnsOf(major: Major): readonly Family[] {
  const known = FAMILIES.filter(({ since = 2, until = 4 }) => since <= major && major <= until);
  return FAMILIES_OF_TURNS.map((names, turn) => {
    const families = names.flatMap((name) => known.filter((family) => family.name === name));
    const used = families.length === 0 ? [PLAIN] : families;
    return together(used.map((family, at) => unique(family, `t${turn + 1}${String.fromCharCode(97 + at)}`)));
  });
}

/** Several families in one turn: their answers one behind the other, request by request. */
function together(families: readonly Family[]): Family {
  const rounds = Math.max(...families.map(({ answers }) => answers.length));
  const [first] = families;
  const answers = Array.from({ length: rounds }, (_, at): Answer => {
    const parts = families.flatMap((family) => family.answers[at] ?? []);
    return { ...parts[0], output: parts.flatMap(({ output }) => output) };
  });
  const approved = families.find((family) => family.approved !== undefined)?.approved;
  return {
    name: families.map(({ name }) => name).join(' and '),
    hosted: Object.assign({}, ...families.map(({ hosted }) => hosted)) as NonNullable<Family['hosted']>,
    functions: families.flatMap(({ functions = [] }) => functions),
    options: Object.assign({}, ...families.map(({ options }) => options)) as NonNullable<Family['options']>,
    answers: answers.map((answer, at) => ({ ...answer, id: `${first?.answers[0]?.id ?? 'resp'}_${at}` })),
    ...(approved !== undefined && { approved }),
  };
}

const IDS: ReadonlySet<string> = new Set(['id', 'call_id', 'callId', 'caller_id', 'approval_request_id', 'encrypted']);

/** Ids and texts of a turn are its own: they say where in the conversation something came from. */
function unique(family: Family, mark: string): Family {
  const of = <T>(value: T): T => marked(value, mark) as T;
  const { answers, approved } = family;
  return {
    ...family,
    answers: answers.map((answer, at) => of({ ...answer, id: `resp_${at}` })),
    ...(approved !== undefined && { approved: { ...approved, answer: of(approved.answer) } }),
  };
}

function marked(value: unknown, mark: string, key = ''): unknown {
  if (typeof value === 'string') {
    if (IDS.has(key)) return `${value}_${mark}`;
    return key === 'text' ? `${value} (${mark})` : value;
  }
  if (Array.isArray(value)) return value.map((one) => marked(one, mark));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, marked(inner, mark, name)]));
}
