import { classifyCommand, type ClassifiedCommand } from 'responses-loop-example-shared/command-policy.js';
import { rulesOf } from 'responses-loop-example-shared/command-rules.js';
import { namedPaths } from 'responses-loop-example-shared/named-paths.js';
import { type GuardedPath } from 'responses-loop-example-shared/path-guard.js';
import { classifyTyped } from 'responses-loop-example-shared/typed-text.js';
import type { TextKind } from '../custom/find-texts.js';
import { webUrl } from 'responses-loop-example-shared/web-address.js';
import { parsePatch, pathsOfPatch } from '../files/parse-patch.js';
import { isProtected } from '../files/protected.js';
import { COMMAND_PARAMETERS, ownArguments } from '../tools/arguments.js';
import { mcpRule } from './rules.js';
import { type CallKind, DECISIONS } from './table.js';
import type { PolicyContext, Rule, ToolCallToJudge, Verdict } from './types.js';

/** What a call is, before any table is asked. */
interface Judged {
  readonly kind: CallKind;
  readonly reason: string;
  readonly rule?: Rule | undefined;
  readonly byRule?: Rule | undefined;
  readonly outside?: readonly string[] | undefined;
  /** The same, but only a person may open it. */
  readonly asksFor?: readonly string[] | undefined;
}

const READS = ['read', 'list', 'glob', 'grep'];
const WRITES = ['write', 'edit'];
/** Change nothing by themselves, and why. */
const SESSION_ONLY: Readonly<Record<string, string>> = {
  todo_write: 'it changes nothing but what is shown',
  present_plan: 'it only presents a plan',
  explore: 'each call of the second agent is judged like this one, and only those that read run',
};

const ONLY_READS =
  'a plan is being made, and only calls that read may run until a person approves it; present the plan with present_plan';

/** Whether a call may run, has to be asked about, or is denied. Reads the file system, and changes nothing. */
export function decide(call: ToolCallToJudge, policy: PolicyContext): Verdict {
  const { kind, reason, rule, byRule, outside, asksFor } = judge(call, policy);
  const { class: callClass, outcomes, offersRule, unlimited, inPlan } = DECISIONS[kind];
  if (policy.mode === 'plan' && !inPlan) return { outcome: 'deny', class: callClass, reason: ONLY_READS };
  const isFree = policy.sandbox === 'danger_full_access' && policy.approval === 'never';
  const outcome = (isFree ? unlimited : undefined) ?? outcomes[policy.approval];
  const facts = { class: callClass, reason, ...(outside !== undefined && outside.length > 0 && { outside }) };
  // A rule is a yes that was given before; where nobody may be asked it stands just as well.
  if (outcome !== 'run' && offersRule && byRule !== undefined) return { ...facts, outcome: 'run', byRule };
  if (outcome !== 'ask') return { ...facts, outcome };
  return { ...facts, outcome, ...(offersRule && rule !== undefined && { rule }), ...opening(reason, asksFor) };
}

/** A sandbox opens what the command names outside, and the question says so. */
function opening(reason: string, asksFor: readonly string[] = []): Partial<Verdict> {
  if (asksFor.length === 0) return {};
  return { reason: `${reason}; it gets ${asksFor.join(', ')} in its sandbox`, outside: asksFor };
}

function judge(asked: ToolCallToJudge, policy: PolicyContext): Judged {
  if (asked.source !== 'local') return judgeMcp(asked, policy);
  // As the tool will read them.
  const call = { ...asked, arguments: ownArguments(asked.tool, asked.arguments) };
  if (Object.hasOwn(COMMAND_PARAMETERS, call.tool)) return judgeCommand(call, policy);
  if (call.tool === 'write_stdin') return judgeTyped(call, policy);
  if (call.tool === 'skill' || call.tool === 'command') return judgeText(call.tool, call, policy);
  const harmless = Object.hasOwn(SESSION_ONLY, call.tool) ? SESSION_ONLY[call.tool] : undefined;
  if (harmless !== undefined) return { kind: 'session only', reason: harmless };
  if (call.tool === 'web_fetch') return judgeWeb(call, policy);
  if (call.tool === 'apply_patch') return judgePatch(call, policy);
  if (WRITES.includes(call.tool)) return judgeWrite(call, policy);
  if (READS.includes(call.tool)) return judgeRead(call, policy);
  if (policy.ownReaders?.includes(call.tool) === true)
    return { kind: 'read inside', reason: `${call.tool} is read-only` };
  return { kind: 'bash unread', reason: `${call.tool} is not a tool that is known here` };
}

function judgeWeb({ arguments: args }: ToolCallToJudge, { rules }: PolicyContext): Judged {
  let host: string;
  try {
    ({ host } = webUrl(textOf(args['url']) ?? ''));
  } catch (error) {
    // The tool itself says it.
    return { kind: 'session only', reason: `nothing is read: ${(error as Error).message}` };
  }
  const byRule = rules.find((rule) => rule.kind === 'web' && rule.host === host);
  return { kind: 'web page', reason: `it reads a page of ${host}`, rule: { kind: 'web', host }, byRule };
}

function judgeMcp({ source, tool, isReadOnly }: ToolCallToJudge, { trustedMcp, rules }: PolicyContext): Judged {
  if (isReadOnly && trustedMcp.includes(source)) {
    return { kind: 'mcp trusted', reason: `the server ${source} is trusted, and marks ${tool} as read-only` };
  }
  const byRule = rules.find((rule) => rule.kind === 'mcp' && rule.server === source && rule.tool === tool);
  const reason = `${tool} is a tool of the MCP server ${source}`;
  return { kind: isReadOnly ? 'mcp reads' : 'mcp other', reason, rule: mcpRule(source, tool), byRule };
}

function judgeText(kind: TextKind, call: ToolCallToJudge, { textOf: find, rules }: PolicyContext): Judged {
  const text = find?.(kind, call.arguments['name'], call.callId ?? '');
  if (text === undefined || text.isTrusted) return { kind: 'session only', reason: `it is your own ${kind}` };
  const { path, hash } = text;
  const byRule = rules.find((rule) => rule.kind === 'text' && rule.path === path && rule.hash === hash);
  const reason = `${path} came with the workspace and instructs the model`;
  return { kind: 'workspace text', reason, rule: { kind: 'text', path, hash }, byRule };
}

function judgeRead(call: ToolCallToJudge, { guard, cwd }: PolicyContext): Judged {
  const paths = readPaths(call).map((path) => guard.resolve(path, cwd));
  const outside = paths.find(({ isReadable }) => !isReadable);
  if (outside === undefined) return { kind: 'read inside', reason: 'it only reads inside the workspace' };
  return { kind: 'read outside', reason: outsideReason(outside), outside: pathsOf(paths) };
}

/** Of a pattern, the folder before its first sign that stands for more than one name. */
function readPaths({ tool, arguments: args }: ToolCallToJudge): string[] {
  const path = textOf(args['path']) ?? '.';
  const pattern = tool === 'glob' ? (textOf(args['pattern']) ?? '') : '';
  if (pattern === '') return [path];
  const parts = pattern.split('/');
  const fixed = parts
    .slice(
      0,
      parts.findIndex((part) => /[*?[\]{}()!+@\\]/.test(part)),
    )
    .join('/');
  return [path, pattern.startsWith('/') ? fixed || '/' : `${path}/${fixed}`];
}

/** By its strictest file. One that cannot be read changes nothing, and the tool itself says why. */
function judgePatch({ tool, arguments: args }: ToolCallToJudge, policy: PolicyContext): Judged {
  let paths: readonly string[];
  try {
    paths = pathsOfPatch(parsePatch(textOf(args['patch']) ?? ''));
  } catch (error) {
    return { kind: 'session only', reason: (error as Error).message };
  }
  const judged = paths.map((path) => judgeWritten(tool, path, policy));
  const strictest = STRICTEST.map((kind) => judged.find((one) => one.kind === kind)).find((one) => one !== undefined);
  const outside = judged.flatMap((one) => one.outside ?? []);
  if (strictest === undefined) throw new Error('A patch names a file.');
  const files = paths.length === 1 ? '' : ` (one of ${paths.length} files)`;
  return { ...strictest, reason: `${strictest.reason}${files}`, ...(outside.length > 0 && { outside }) };
}

const STRICTEST: readonly CallKind[] = ['write protected', 'write outside', 'write inside'];

function judgeWrite({ tool, arguments: args }: ToolCallToJudge, policy: PolicyContext): Judged {
  return judgeWritten(tool, textOf(args['path']) ?? '.', policy);
}

function judgeWritten(tool: string, named: string, policy: PolicyContext): Judged {
  const { guard, cwd, sandbox, rules } = policy;
  const path = guard.resolve(named, cwd);
  const { protectedDirs = [] } = policy;
  if (isProtected(path.path, protectedDirs)) {
    return { kind: 'write protected', reason: `${path.path} is never written by ${tool}: it decides what programs do` };
  }
  if (!path.isInside) return { kind: 'write outside', reason: outsideReason(path), outside: pathsOf([path]) };
  if (sandbox === 'read_only')
    return { kind: 'write outside', reason: 'nothing may be written in a read-only session' };
  const byRule = rules.find(({ kind }) => kind === 'write');
  return { kind: 'write inside', reason: `it changes ${path.path}`, rule: { kind: 'write' }, byRule };
}

/** What is typed may be a command, and what reads it is not known: no rule covers it. */
function judgeTyped({ arguments: args }: ToolCallToJudge, { guard, home, cwd, terminals }: PolicyContext): Judged {
  const id = Number(args['session_id']);
  const terminal = terminals?.find(id);
  // The tool itself tells which there are.
  if (terminal === undefined) return { kind: 'session only', reason: `there is no terminal ${id}` };
  const { class: kind, reason } = classifyTyped(textOf(args['chars']) ?? '', terminal, { cwd, guard, home });
  return { kind: TYPED[kind], reason };
}

const TYPED: Readonly<Record<ReturnType<typeof classifyTyped>['class'], CallKind>> = {
  safe: 'session only',
  ask: 'bash unread',
  danger: 'bash danger',
  forbidden: 'bash forbidden',
};

function judgeCommand({ tool, arguments: args }: ToolCallToJudge, policy: PolicyContext): Judged {
  const { guard, home, rules, sandbox } = policy;
  const command = textOf(args[COMMAND_PARAMETERS[tool] ?? '']) ?? '';
  const workdir = guard.resolve(textOf(args['workdir']) ?? '.', policy.cwd);
  const context = { cwd: workdir.path, guard, home };
  const classified = classifyCommand(command, context);
  const kind = kindOf(classified, workdir, sandbox);
  const asksFor = policy.isolation?.openable(namedPaths(classified.parsed, context));
  const isAsked = kind === 'bash ask' || kind === 'bash ask, read-only';
  const reason = workdir.isReadable ? classified.reason : outsideReason(workdir);
  // What a rule says was said of commands that start in the workspace.
  if (!isAsked || !workdir.isInside) return { kind, reason, asksFor };
  const isHome = workdir.path === guard.resolve('.', policy.cwd).path;
  const { offered, coveredBy } = rulesOf(command, classified, { guard, isHome });
  const given = coveredBy(rules.flatMap((rule) => (rule.kind === 'command' ? [rule.rule] : [])));
  return { kind, reason, asksFor, rule: commandRule(offered), byRule: commandRule(given) };
}

function commandRule(rule: string | undefined): Rule | undefined {
  return rule === undefined ? undefined : { kind: 'command', rule };
}

function kindOf(
  { class: kind, isUnread }: ClassifiedCommand,
  workdir: GuardedPath,
  sandbox: PolicyContext['sandbox'],
): CallKind {
  if (kind === 'danger') return 'bash danger';
  if (kind === 'forbidden') return 'bash forbidden';
  if (kind === 'safe' && workdir.isReadable) return 'bash safe';
  if (sandbox === 'read_only') return 'bash ask, read-only';
  return isUnread ? 'bash unread' : 'bash ask';
}

function outsideReason({ path, problem }: GuardedPath): string {
  return problem ?? `${path} is outside of the workspace`;
}

function pathsOf(paths: readonly GuardedPath[]): string[] {
  return paths.filter(({ isInside, problem }) => !isInside && problem === undefined).map(({ path }) => path);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
