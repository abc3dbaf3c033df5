import type { Approve, ToolApprovalRequest } from 'responses-loop/v3';
import type { Task } from '../engine/task.js';
import type { TextKind } from './find-texts.js';
import { expand, type Texts } from './texts.js';

type Ask = (call: ToolApprovalRequest) => ReturnType<Approve>;

/** Commands that people have written: what they say stands in a file. */
export class Commands {
  readonly #texts: Texts;
  readonly #ask: Ask;

  constructor(texts: Texts, ask: Ask) {
    this.#texts = texts;
    this.#ask = ask;
  }

  list(): readonly { readonly name: string; readonly description: string }[] {
    return this.#texts.all('command');
  }

  /** What is said for a command. One of the workspace is shown and asked about, unless a rule knows its text. */
  async textFor(task: Task, name: string, given: string): Promise<string | { readonly problem: string }> {
    const callId = `command_${task.id}`;
    const command = this.#texts.of('command', name, callId);
    if (command === undefined) return { problem: `There is no command "${name}".` };
    const answer = await this.#ask({ ...CALL, callId, arguments: { name }, signal: task.signal });
    this.#texts.forget(callId);
    const isApproved = typeof answer === 'object' && answer.approved;
    return isApproved ? expand(command, given) : { problem: `The command "${name}" was not allowed.` };
  }
}

const CALL = {
  tool: 'command',
  originalName: 'command',
  source: 'local',
  readOnly: true,
  destructive: false,
  idempotent: true,
  openWorld: false,
  round: 0,
  needsApproval: false,
} as const;

const KINDS: Readonly<Record<string, TextKind>> = { command: 'command', skill: 'skill' };

/** Of a command or a skill a person is shown all that the model would read. */
export function shownArguments({ source, originalName, arguments: args, callId }: ToolApprovalRequest, texts: Texts) {
  const kind = source === 'local' && Object.hasOwn(KINDS, originalName) ? KINDS[originalName] : undefined;
  const text = kind === undefined ? undefined : texts.of(kind, args['name'], callId);
  return text === undefined ? args : { ...args, file: text.path, content: text.content };
}
