import { showControls } from '../../util/control-characters.js';
import { excerpt } from '../../util/excerpt.js';
import { amount, count } from '../words.js';
import { CHARS_PER_TOKEN } from '../../util/estimated-tokens.js';
import type { ToolReport } from './describe-tool.js';
import { parameterLine, parametersOf } from './parameters.js';
import type { Report, ServerReport } from './report.js';

/** From here on, a hint explains how to offer fewer tools. */
const MANY_TOKENS = 10_000;
const SHOWN_CHANGES = 6;
const SHOWN_DESCRIPTION_CHARS = 100;
const SHOWN_PARAMETERS = 12;

const HINT = `Every request includes these definitions. "allowTools" and "denyTools" of an entry offer fewer tools; "deferTools": "*"
has the model search for them (OpenAI and Azure); the settings limits.toolsPerServer, limits.descriptionChars and
limits.schemaChars apply to all servers.
`;

export function printReport({ servers, warnings, totals }: Report): string {
  const sum = `${count(totals.tools, 'tool')}, ${chars(totals)} (${CHARS_PER_TOKEN} characters count as a token)`;
  const others = warnings.map((warning) => `${asOneEntry(`! ${warning}`)}\n`).join('');
  const hint = totals.estimatedTokens > MANY_TOKENS ? HINT : '';
  return showControls(`${servers.map(printServer).join('\n')}\n${others}${sum}\n${hint}`);
}

/** Returns all that a model reads of one tool. */
export function printTool(tool: ToolReport): string {
  const { description = '', schemaChanges } = tool;
  const parameters = parametersOf(tool.schema);
  const lines = [
    ...headOf(tool),
    ...(description.trim() === '' ? [] : ['', ...indented(description.trim(), 4)]),
    ...(parameters.length === 0 ? ['', '    no arguments'] : []),
    ...parameters.flatMap((parameter) => [
      '',
      `    ${parameterLine(parameter)}`,
      ...(parameter.description === undefined ? [] : indented(parameter.description, 6)),
    ]),
    ...(schemaChanges.length === 0 ? [] : ['', ...schemaChanges.map((change) => `    fixed: ${change}`)]),
  ];
  return showControls(`${lines.join('\n')}\n`);
}

function indented(text: string, width: number): string[] {
  return text.split(/\r?\n/).map((line) => `${' '.repeat(width)}${line}`);
}

function printServer(server: ServerReport): string {
  const { key, state, durationMs, address } = server;
  const took = durationMs === undefined ? '' : ` in ${durationMs} ms`;
  const inEach = changesOfAll(server.tools);
  const lines = [
    `${key}: ${state}${took}`,
    ...(address === undefined ? [] : [`  ${address}`]),
    ...(state === 'connected' ? connectedLines(server) : []),
    ...signInLines(server),
    ...server.warnings.map((warning) => `  ! ${warning}`),
    ...(server.filteredOut.length === 0 ? [] : [`  left out, as configured: ${server.filteredOut.join(', ')}`]),
    ...(inEach.size === 0 ? [] : [`  fixed in all tools: ${[...inEach].join('; ')}`]),
    ...server.tools.flatMap((tool) => toolLines(tool, inEach)),
  ];
  return `${lines.map(asOneEntry).join('\n')}\n`;
}

/** Puts a bar before the lines of a server's text, so that none looks like a line of this report. */
function asOneEntry(text: string): string {
  return text.replaceAll(/\r?\n/g, '\n    | ');
}

/** Changes in all schemas of a server are listed once. */
function changesOfAll([first, ...others]: readonly ToolReport[]): ReadonlySet<string> {
  if (first === undefined || others.length === 0) return new Set();
  return new Set(first.schemaChanges.filter((change) => others.every((tool) => tool.schemaChanges.includes(change))));
}

function connectedLines({
  name = 'unnamed server',
  version,
  revision,
  instructionsChars = 0,
  tools,
}: ServerReport): string[] {
  const size = tools.reduce(
    (sum, tool) => ({ chars: sum.chars + tool.chars, estimatedTokens: sum.estimatedTokens + tool.estimatedTokens }),
    { chars: 0, estimatedTokens: 0 },
  );
  const instructions =
    instructionsChars === 0 ? 'no instructions' : `instructions of ${amount(instructionsChars)} characters`;
  return [
    `  ${[name, version].filter(Boolean).join(' ')}, MCP ${revision}, ${instructions}`,
    `  ${count(tools.length, 'tool')}, ${chars(size)}`,
  ];
}

function signInLines({ signIn }: ServerReport): string[] {
  if (signIn === undefined || signIn.state === 'unknown' || signIn.state === 'no process wants one') return [];
  return [`  sign-in: ${signIn.state}${signIn.how === undefined ? '' : `. ${signIn.how}`}`];
}

function toolLines(tool: ToolReport, saidOfAll: ReadonlySet<string>): string[] {
  const { description } = tool;
  const parameters = parametersOf(tool.schema);
  const others = parameters.length - SHOWN_PARAMETERS;
  const changes = tool.schemaChanges.filter((change) => !saidOfAll.has(change));
  const [first = ''] = (description ?? '').trim().split('\n');
  const more = changes.length - SHOWN_CHANGES;
  return [
    '',
    ...headOf(tool),
    ...(first === '' ? [] : [`    ${excerpt(first, SHOWN_DESCRIPTION_CHARS)}`]),
    ...parameters.slice(0, SHOWN_PARAMETERS).map((parameter) => `      ${parameterLine(parameter)}`),
    ...(others > 0 ? [`      ${others} more arguments (\`mcp SERVER ${tool.originalName}\` lists all)`] : []),
    ...changes.slice(0, SHOWN_CHANGES).map((change) => `    fixed: ${change}`),
    ...(more > 0 ? [`    fixed: ${more} more places (--json lists all)`] : []),
  ];
}

function headOf(tool: ToolReport): string[] {
  const { name, originalName, isDeferred } = tool;
  return [
    `  ${name}${name === originalName ? '' : `  (on the server: ${originalName})`}  ${chars(tool)}${isDeferred ? ', hidden until searched for' : ''}`,
    `    ${annotationWords(tool).join(', ')}; ${tool.runsUnasked ? 'runs without asking' : 'asks first'} under approveByAnnotations()`,
  ];
}

const WORDS: readonly (readonly [keyof ToolReport['annotations'], string, string])[] = [
  ['readOnly', 'read-only', 'not read-only'],
  ['destructive', 'destructive', 'not destructive'],
  ['idempotent', 'idempotent', 'not idempotent'],
  ['openWorld', 'open world', 'closed world'],
];

function annotationWords({ annotations }: ToolReport): string[] {
  const words = WORDS.flatMap(([name, yes, no]) => {
    const value = annotations[name];
    return value === undefined ? [] : [value ? yes : no];
  });
  return words.length === 0 ? ['no annotations'] : words;
}

function chars({ chars: length, estimatedTokens }: Pick<ToolReport, 'chars' | 'estimatedTokens'>): string {
  return `${amount(length)} characters, about ${amount(estimatedTokens)} tokens`;
}
