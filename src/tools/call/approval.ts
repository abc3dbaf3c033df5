import type { ToolArguments } from '../../core/tool.js';
import { raceAbort } from '../../util/abort.js';
import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import { excerpt } from '../../util/excerpt.js';
import { asId, asRecord, isRecord } from '../../util/guards.js';
import { toJsonText } from '../../util/to-json.js';
import type { LoopTool } from '../loop-tool.js';
import { parseToolArguments } from '../parse-tool-arguments.js';

/** A call of a loop tool, for the code that decides whether it runs. */
export interface ToolCallInfo {
  /** The id of the call, as the model's server gave it. */
  readonly callId: string;
  /** The name the model uses. */
  readonly tool: string;
  /** The key of the MCP server, or `local`. */
  readonly source: string;
  /** The name at its source. */
  readonly originalName: string;
  /** The tool's title, if it has one. */
  readonly title?: string;
  /** The tool's description, if it has one. */
  readonly description?: string;
  /** The arguments that the tool would run with. */
  readonly arguments: ToolArguments;
  /** The tool's claims about itself, or MCP's defaults if it makes none. A server may lie: these are hints. */
  readonly readOnly: boolean;
  /** The tool may overwrite or delete something. */
  readonly destructive: boolean;
  /** To run it twice with the same arguments changes nothing more. */
  readonly idempotent: boolean;
  /** The tool reaches things outside of its server, such as the web. */
  readonly openWorld: boolean;
  /** Round of the call, counted from 0. */
  readonly round: number;
}

/** A call that waits for approval. */
export interface ToolApprovalRequest extends ToolCallInfo {
  /** The tool itself requires approval (`needsApproval` of an AI SDK tool). */
  readonly needsApproval: boolean;
  /** Fires when the answer is no longer needed: close the dialog. */
  readonly signal: AbortSignal;
}

/** The answer; `true` and `false` abbreviate the first member alone. */
export interface ToolApproval {
  /** `true` runs the call. */
  readonly approved: boolean;
  /** The model reads this when the call is denied. */
  readonly reason?: string | undefined;
  /** Run the tool with these arguments instead; the model learns of the change. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

/** `'ask'`: the user decides, through the approval flow of the AI SDK (6 and 7, native models); elsewhere it denies. */
type ApprovalAnswer = boolean | 'ask' | ToolApproval;

/**
 * Decides whether a tool may run. Called once per tool call, at its turn; overlapping read-only tools cause concurrent
 * calls. The tool's time limits do not run meanwhile. A callback that throws, or returns anything else, denies. If it
 * returns `'ask'`, it is called again after the user's decision, and may still deny.
 *
 * @example
 * approve: async (call) => call.readOnly || (await confirm(`Run ${call.tool}?`))
 *
 * @example
 * approve: (call) => call.readOnly || 'ask'
 */
export type Approve = (call: ToolApprovalRequest) => ApprovalAnswer | PromiseLike<ApprovalAnswer>;

/** Whether the user can be asked by a part of the stream, or has been asked and agreed. */
export type UserVoice = 'unreachable' | 'reachable' | 'allowed';

/** The result of a question. */
export type Permission =
  | { readonly granted: true; readonly arguments: ToolArguments; readonly isEdited: boolean }
  /** The user must decide; the call waits for the next prompt. */
  | { readonly granted: 'later' }
  | {
      readonly granted: false;
      /** For the model. */
      readonly reason: string;
      /** For observers only: the model must not read what a callback throws. */
      readonly detail?: string;
      /** The user must decide, but cannot be asked. */
      readonly isUnreachable?: boolean;
    };

export interface AskOptions extends Pick<ToolCallInfo, 'callId' | 'arguments' | 'round'> {
  readonly tool: LoopTool;
  readonly approve: Approve | undefined;
  readonly user: UserVoice;
  readonly signal: AbortSignal;
}

/** `undefined` if the call needs no approval. Rejects only when `signal` fires. */
export async function askPermission(options: AskOptions): Promise<Permission | undefined> {
  const { approve, signal, user } = options;
  // A tool of this package only reads data of the call, so it needs no decision.
  if (options.tool.source.kind === 'own') return undefined;
  const needed = options.tool.tool.needsApproval === undefined ? false : await needsApproval(options);
  if (approve === undefined) return needed || user === 'allowed' ? askUser(user, options.arguments) : undefined;
  try {
    // A copy: the callback may keep it or change it in place.
    const info = toolCallInfo({ ...options, arguments: structuredClone(options.arguments) });
    const request = { ...info, needsApproval: needed, signal };
    const answer = await raceAbort(Promise.resolve(approve(request)), signal);
    return answer === 'ask' ? askUser(user, options.arguments) : readApproval(answer, options.arguments);
  } catch (error) {
    if (signal.aborted) throw error;
    return { ...denied('asking for approval failed'), detail: `asking for approval failed (${errorText(error)})` };
  }
}

export function toolCallInfo(options: Pick<AskOptions, 'tool' | 'callId' | 'arguments' | 'round'>): ToolCallInfo {
  const { source, tool, declaration } = options.tool;
  return {
    callId: options.callId,
    tool: declaration.name,
    source: source.key,
    originalName: tool.name,
    ...defined({ title: tool.title, description: tool.description }),
    arguments: options.arguments,
    readOnly: tool.readOnly,
    // The defaults of the MCP specification: a tool without annotations may do the worst.
    destructive: !tool.readOnly && tool.destructive !== false,
    idempotent: tool.readOnly || tool.idempotent === true,
    openWorld: tool.openWorld !== false,
    round: options.round,
  };
}

/** A tool whose `needsApproval` fails needs approval. */
async function needsApproval({ tool, arguments: args, callId, signal }: AskOptions): Promise<boolean> {
  try {
    return (await raceAbort(Promise.resolve(tool.tool.needsApproval?.(args, callId)), signal)) === true;
  } catch (error) {
    if (signal.aborted) throw error;
    return true;
  }
}

function readApproval(answer: unknown, asked: ToolArguments): Permission {
  const read: Record<string, unknown> | undefined =
    answer === true || answer === false ? { approved: answer } : asRecord(answer);
  if (read?.['approved'] === false) return denied(read['reason']);
  if (read?.['approved'] !== true) return denied('the approval callback returned no valid answer');
  return read['arguments'] === undefined ? granted(asked) : withEdited(read['arguments'], asked);
}

/** Converts edited arguments to JSON first, because code wrote them. */
function withEdited(edited: unknown, asked: ToolArguments): Permission {
  const parsed = isRecord(edited) ? parseToolArguments(toJsonText(edited)) : { ok: false as const };
  if (!parsed.ok) return denied('the arguments were changed into something that cannot be sent');
  const isEdited = JSON.stringify(parsed.arguments) !== JSON.stringify(asked);
  return { granted: true, arguments: parsed.arguments, isEdited };
}

function askUser(user: UserVoice, asked: ToolArguments): Permission {
  if (user === 'allowed') return granted(asked);
  if (user === 'reachable') return { granted: 'later' };
  return {
    ...denied('it needs the approval of a person, and this program has no way to ask one'),
    isUnreachable: true,
  };
}

function granted(args: ToolArguments): Permission {
  return { granted: true, arguments: args, isEdited: false };
}

function denied(reason: unknown): Extract<Permission, { granted: false }> {
  return { granted: false, reason: denialReason(reason) };
}

/** Returns the reason of a denial, or a default sentence. */
export function denialReason(given: unknown): string {
  return asId(given) ?? 'the user said no';
}

/** The most characters of a reason that the model reads, because the user's browser sends it. */
const MAX_REASON_CHARS = 500;

/** The sentence the model reads in place of an output. */
export function denialText(tool: string, reason: string): string {
  const quoted = withoutEnd(excerpt(reason.trim(), MAX_REASON_CHARS));
  return `The call to "${tool}" was denied and did not run: ${quoted}. Do not try it again unless the user asks for it.`;
}

/** The sentence adds its own full stop. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '.' || text[end - 1]?.trim() === '')) end -= 1;
  return text.slice(0, end);
}

/** Tells the model the arguments with which the tool ran. */
export function editedText(args: ToolArguments): string {
  return `[the user changed the arguments before the tool ran: ${JSON.stringify(args)}]`;
}
