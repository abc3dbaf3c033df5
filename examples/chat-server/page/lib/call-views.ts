import { callView, type CallView, type Changes, type OwnView } from 'responses-loop-example-shared/call-view.js';

const CLAIM: OwnView = { claim: 'actionName' };

/** Tools of this application. A tool of an MCP server with such a name has no view of its own. */
const OWN_VIEWS: Readonly<Record<string, OwnView>> = {
  shellCommand: { ...CLAIM, command: 'command' },
  execCommand: { ...CLAIM, command: 'command' },
  writeStdin: CLAIM,
  writeFile: { ...CLAIM, path: 'path', added: 'content' },
  writeJsx: { ...CLAIM, path: 'path', added: 'content' },
  timeNow: CLAIM,
  readFile: CLAIM,
  listDir: CLAIM,
  viewImage: CLAIM,
  openUrl: CLAIM,
  browserOpen: CLAIM,
  browserSnapshot: CLAIM,
  browserAct: CLAIM,
  browserExtract: CLAIM,
  browserWait: CLAIM,
  chartRender: { ...CLAIM, path: 'path' },
  imageGenerate: { ...CLAIM, path: 'path' },
  jsonRender: CLAIM,
  updatePlan: CLAIM,
  subAgent: CLAIM,
  testApproval: CLAIM,
};

export interface ShownCall {
  readonly name: string;
  readonly input: unknown;
  /** A tool of this application, not of an MCP server. */
  readonly isOwn: boolean;
  /** What the server said of the call as it was asked about. */
  readonly descriptor?: unknown;
}

/** What a person sees of a call: all of it. */
export function viewOfCall({ name, input, isOwn, descriptor }: ShownCall): CallView {
  const own = isOwn && Object.hasOwn(OWN_VIEWS, name) ? OWN_VIEWS[name] : undefined;
  return callView({ tool: name, source: isOwn ? undefined : 'MCP', arguments: input }, own, changesIn(descriptor));
}

/** What the call would do to a file: the server has compared them. */
function changesIn(descriptor: unknown): Changes | undefined {
  return (descriptor as { readonly change?: Changes } | null | undefined)?.change;
}

const LABELS: Readonly<Record<string, string>> = {
  shellCommand: 'Run command',
  execCommand: 'Run in a terminal',
  writeStdin: 'Type into a terminal',
  writeFile: 'Write file',
  writeJsx: 'Write and show a view',
  timeNow: 'Check the time',
  readFile: 'Read file',
  listDir: 'List files',
  viewImage: 'Show picture',
  openUrl: 'Read web page',
  browserOpen: 'Open in the browser',
  browserSnapshot: 'Look at the page in the browser',
  browserAct: 'Act in the browser',
  browserExtract: 'Read in the browser',
  browserWait: 'Wait in the browser',
  chartRender: 'Draw a chart',
  imageGenerate: 'Make a picture',
  jsonRender: 'Show data',
  updatePlan: 'Update the plan',
  subAgent: 'Delegate to a sub-agent',
};

/** The name of a tool for people. A tool of an MCP server has its own, whatever it is called. */
export function labelOf({ name, isOwn }: ShownCall, head: string): string {
  return (isOwn && Object.hasOwn(LABELS, name) ? LABELS[name] : undefined) ?? head;
}

const LINE_CHARS = 80;

/** What a call is about, on the line of its name. All of it stands below. */
export function lineOfCall({ blocks }: CallView): string {
  const [block] = blocks;
  if (block === undefined || block.kind === 'claim') return '';
  return firstLine(block.kind === 'difference' ? block.path : block.text === '{}' ? '' : block.text.trim());
}

/** Of a text that has more to it, with a mark that says so. */
function firstLine(text: string): string {
  const [line = '', ...more] = text.split('\n');
  if (line.length > LINE_CHARS) return `${line.slice(0, LINE_CHARS)}…`;
  return more.length > 0 ? `${line} …` : line;
}

/** The model's own words about a call. */
export function claimOf({ blocks }: CallView): string | undefined {
  return blocks.find((block) => block.kind === 'claim')?.text;
}
