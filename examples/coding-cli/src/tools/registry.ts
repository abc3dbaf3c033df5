import { isWithin } from 'responses-loop-example-shared/path-guard.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import type { Hooks } from '../hooks/hooks.js';
import { type Difference, diffOf, fingerprintOf } from 'responses-loop-example-shared/file-difference.js';
import { withOtherNames } from './arguments.js';
import { applyPatch } from './apply-patch.js';
import { bash } from './bash.js';
import type { CodingTool, ToolContext, ToolExtra, ToolReport } from './context.js';
import { edit } from './edit.js';
import { execCommand } from './exec-command.js';
import { glob } from './glob.js';
import { grep } from './grep.js';
import { list } from './list.js';
import { read } from './read.js';
import { todoWrite } from './todo-write.js';
import { webFetch } from './web-fetch.js';
import { write } from './write.js';
import { writeStdin } from './write-stdin.js';

const TOOLS: readonly CodingTool[] = [
  bash,
  execCommand,
  writeStdin,
  read,
  write,
  edit,
  applyPatch,
  list,
  glob,
  grep,
  webFetch,
  todoWrite,
];

type JudgeAgain = NonNullable<ToolContext['judgeAgain']>;

export interface ToolDeps {
  readonly sessionId: string;
  /** The id of the message that the model writes now. */
  readonly messageId: () => string;
  readonly agent?: string | undefined;
  readonly cwd: string;
  readonly extra: Omit<ToolExtra, 'report'>;
  readonly onReport: (callId: string, report: ToolReport) => void;
  /** Tools of the engine itself. */
  readonly more?: readonly CodingTool[] | undefined;
  /** Run behind a call that changed files. */
  readonly hooks?: Pick<Hooks, 'isEmpty' | 'run'> | undefined;
  /** Names of tools that are not offered. */
  readonly off?: readonly string[] | undefined;
}

export interface ToolRegistry {
  readonly tools: readonly CodingTool[];
  get(name: string): CodingTool | undefined;
  /** What runs, in a few words; the name where the arguments do not fit. */
  title(name: string, input: unknown): string;
  /** What a call would change, if it is one that writes. */
  preview(name: string, input: unknown): Promise<Preview | undefined>;
  /** Holds an approved call to what the person was shown: it makes that change or none. */
  holdTo(callId: string, fingerprint: string): void;
  /** Opens real paths outside of the roots for one call, which somebody has approved: see `Verdict.outside`. */
  allow(callId: string, paths: readonly string[]): void;
  /** Says that nobody was asked about this call, so that it is judged again as it starts. */
  judgeAgain(callId: string, judge: JudgeAgain): void;
  /** As `createResponsesProvider({ tools })` takes them. */
  toProviderTools(): Readonly<Record<string, ProviderTool>>;
}

export interface Preview {
  /** Absent if it cannot be made: the tool itself will say why, or the change is too large to be shown so. */
  readonly difference?: Difference | undefined;
  readonly fingerprint: string;
}

/** Of a call that would change nothing, as far as is known. */
const NOTHING = 'nothing';

export interface ProviderTool {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly readOnly: boolean;
  readonly timeoutMs?: number | undefined;
  readonly totalTimeoutMs?: number | undefined;
  execute(
    input: Readonly<Record<string, unknown>>,
    options: { toolCallId: string; abortSignal: AbortSignal },
  ): Promise<unknown>;
}

/**
 * The tools of one session.
 *
 * @throws SettingsError for two tools of one name, and for the name of a tool that is off and that nobody knows.
 */
export function createToolRegistry(deps: ToolDeps): ToolRegistry {
  const { cwd } = deps;
  const tools = toolsOf(deps);
  const schemas = new Map(tools.map(({ name, inputSchema }) => [name, withOtherNames(name, inputSchema)]));
  const opened = new Map<string, readonly string[]>();
  const unasked = new Map<string, JudgeAgain>();
  const approved = new Map<string, string>();
  const get = (name: string): CodingTool | undefined => tools.find((tool) => tool.name === name);
  const isOpenedFor = (callId: string) => (path: string) =>
    (opened.get(callId) ?? []).some((folder) => isWithin(path, folder));
  const contextOf = (callId: string, signal: AbortSignal): ToolContext => ({
    sessionId: deps.sessionId,
    messageId: deps.messageId(),
    callId,
    agent: deps.agent ?? 'coder',
    cwd,
    signal,
    isOpened: isOpenedFor(callId),
    opened: opened.get(callId) ?? [],
    judgeAgain: unasked.get(callId),
    approved: approved.get(callId),
    extra: { ...deps.extra, report: (report) => deps.onReport(callId, report) },
  });
  return {
    tools,
    get,
    title: (name, input) => {
      const parsed = schemas.get(name)?.safeParse(input);
      return parsed?.success === true ? (get(name)?.title(parsed.data) ?? name) : name;
    },
    preview: async (name, input) => {
      const [tool, parsed] = [get(name), schemas.get(name)?.safeParse(input)];
      if (parsed?.success !== true || tool?.changes === undefined) return undefined;
      // The person who is asked sees what would happen outside too.
      const place = { cwd, isOpened: () => true, extra: { ...deps.extra, report: () => {} } };
      const changes = await tool.changes(parsed.data, place).catch(() => undefined);
      if (changes === undefined) return { fingerprint: NOTHING };
      return { difference: diffOf(changes), fingerprint: fingerprintOf(changes) };
    },
    holdTo: (callId, fingerprint) => void approved.set(callId, fingerprint),
    allow: (callId, paths) => void opened.set(callId, [...(opened.get(callId) ?? []), ...paths]),
    judgeAgain: (callId, judge) => void unasked.set(callId, judge),
    toProviderTools: () =>
      Object.fromEntries(
        tools.map((tool) => [
          tool.name,
          {
            ...factsOf(tool, deps),
            inputSchema: schemas.get(tool.name),
            execute: runOf(tool, contextOf, { notes: [opened, unasked, approved], hooks: deps.hooks }),
          },
        ]),
      ),
  };
}

function toolsOf({ more = [], off = [] }: ToolDeps): readonly CodingTool[] {
  const all = [...TOOLS, ...more];
  const names = all.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new SettingsError(`There are two tools called "${twice}": give yours another name.`);
  const unknown = off.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new SettingsError(`"toolsOff" names "${unknown}", which is not a tool. Known tools: ${names.join(', ')}.`);
  return all.filter(({ name }) => !off.includes(name));
}

/** For calls with hooks, which have limits of their own. */
const HOOKS_MS = 1_800_000;

function factsOf({ name, description, readOnly, timeoutMs: own }: CodingTool, { hooks }: ToolDeps) {
  const timeoutMs = own ?? (readOnly || hooks === undefined || hooks.isEmpty ? undefined : HOOKS_MS);
  return { title: name, description, readOnly, timeoutMs, totalTimeoutMs: timeoutMs };
}

function runOf(
  tool: CodingTool,
  contextOf: (callId: string, signal: AbortSignal) => ToolContext,
  { notes, hooks }: { readonly notes: readonly Map<string, unknown>[]; readonly hooks: ToolDeps['hooks'] },
): ProviderTool['execute'] {
  return async (input, { toolCallId, abortSignal }) => {
    try {
      const context = contextOf(toolCallId, abortSignal);
      if (hooks === undefined || hooks.isEmpty) return await tool.execute(input, context);
      const changed = new Set<string>();
      const report: ToolExtra['report'] = (told) => {
        if (told.type === 'file_change' && told.change.after !== null) changed.add(told.change.path);
        context.extra.report(told);
      };
      const output = await tool.execute(input, { ...context, extra: { ...context.extra, report } });
      const told = await hooks.run([...changed], context);
      return told === '' || typeof output !== 'string' ? output : `${output}\n${told}`;
    } finally {
      for (const note of notes) note.delete(toolCallId);
    }
  };
}
