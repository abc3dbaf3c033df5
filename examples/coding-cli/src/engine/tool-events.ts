import { inFlags, reasonThen } from 'responses-loop-example-shared/model-flags.js';
import type { ObserverEvent } from 'responses-loop/v3';
import { textOfView } from 'responses-loop-example-shared/call-view.js';
import { parentCall } from '../explore/parent-call.js';
import type { EventData, EventType } from '../protocol/events.js';
import type { ToolReport } from '../tools/context.js';
import { viewOfCall } from '../tools/own-views.js';
import { eventFieldsOf } from './event-fields.js';
import type { Hub } from './hub.js';
import type { StoredPart } from '../rollout/lines.js';
import type { Task } from './task.js';
import { addUsage, NO_USAGE, usageOf } from './usage.js';
import { SERVER, WEB_SEARCH } from '../web-search/web-search.js';

/** The provider shows no more of an output; the model has read all that the tool gave it. */
const SHOWN_CHARS = 2_000;

/** Of events outside of a call of the model: the AI SDK runs tools between calls. */
const NO_CALL = 0;

/** How the failure of a server begins that wants to know who is there. */
const SIGN_IN = /finishSignIn|\b401\b/;

/** How the answer to a call of a tool that does not exist begins. */
const UNKNOWN = 'There is no tool named ';

type HostedPart = Extract<StoredPart, { type: 'tool-call' | 'tool-result' }>;

function argumentsOf(input: unknown): EventOf<'tool-start'>['arguments'] {
  return typeof input === 'object' && input !== null ? (input as EventOf<'tool-start'>['arguments']) : {};
}

/** What runs, in a few words. */
export type TitleOf = (source: string, tool: string, input: unknown) => string;

type EventOf<Type extends ObserverEvent['type']> = Extract<ObserverEvent, { type: Type }>;

/** What tools reported about a call that its result does not hold. */
type Facts = Pick<EventData<'tool_execution_end'>, 'exit_code' | 'diff' | 'hunks' | 'files' | 'truncated'>;

/** Makes events of what the provider says while it works, and of what tools report. */
export class ToolEvents {
  readonly #hub: Hub;
  readonly #titleOf: TitleOf;
  /** Whose task a call of the provider belongs to: one that was stopped may still say something while the next one runs. */
  readonly #tasks = new Map<number, Task>();
  /** The call that a sub-agent works for, by the call of the provider. */
  readonly #parents = new Map<number, string>();
  readonly #facts = new Map<string, Facts>();
  /** Inputs of calls that have no result yet. */
  readonly #inputs = new Map<string, EventOf<'tool-start'>['arguments']>();

  constructor(hub: Hub, titleOf: TitleOf) {
    this.#hub = hub;
    this.#titleOf = titleOf;
  }

  observe(event: ObserverEvent): void {
    if (event.type === 'mcp-connect' || event.type === 'mcp-error') return this.#mcp(event);
    if (event.type === 'call-start' && this.#hub.task !== undefined) this.#start(this.#hub.task, event);
    const { callNumber = NO_CALL } = 'callNumber' in event ? event : {};
    const task = callNumber === NO_CALL ? this.#hub.task : this.#tasks.get(callNumber);
    const parent = this.#parents.get(callNumber);
    if (task !== undefined && !task.isOver) {
      if (parent === undefined) this.#observeTask(task, event);
      else this.#observeAside(task, parent, event);
    }
    if (event.type !== 'call-end') return;
    this.#tasks.delete(event.callNumber);
    this.#parents.delete(event.callNumber);
  }

  report(callId: string, report: ToolReport): void {
    const task = this.#hub.task;
    if (task === undefined) return;
    if (report.type === 'output') {
      if (task.running.has(callId))
        this.#emit(task, 'tool_execution_progress', { call_id: callId, output: report.output });
    } else if (report.type === 'todos') {
      this.#emit(task, 'todo_update', { todos: [...report.todos] });
    } else {
      this.#facts.set(callId, { ...this.#facts.get(callId), ...factsOf(report) });
    }
  }

  /** The task is over: what still runs is said to have ended. */
  end(task: Task): void {
    for (const [callId, { title, startedAt }] of task.running) {
      this.#emit(task, 'tool_execution_end', {
        call_id: callId,
        success: false,
        error: 'interrupted',
        title,
        duration_ms: Date.now() - startedAt,
      });
    }
    task.running.clear();
    this.#facts.clear();
    this.#inputs.clear();
  }

  /** The SDK asks again by itself where the first request of a task failed. */
  #start(task: Task, { callNumber }: EventOf<'call-start'>): void {
    this.#tasks.set(callNumber, task);
    const parent = parentCall.getStore();
    if (parent !== undefined) {
      this.#parents.set(callNumber, parent);
      return;
    }
    if (task.failure === undefined) return;
    const message = reasonThen(task.failure, 'asking again');
    task.failure = undefined;
    this.#emit(task, 'warning', { code: 'retry', message, retryable: true });
  }

  #observeTask(task: Task, event: ObserverEvent): void {
    switch (event.type) {
      case 'tool-start':
        return this.begin(task, event);
      case 'tool-progress':
        return this.#emit(task, 'tool_execution_progress', {
          call_id: event.callId,
          progress: event.progress,
          ...(event.total === undefined ? {} : { total: event.total }),
          ...(event.message === undefined ? {} : { message: event.message }),
        });
      case 'tool-end':
        return this.finish(task, event);
      case 'round-end':
        return this.#countRound(task, event, false);
      case 'call-end':
        task.failure = event.error?.message;
        return undefined;
      case 'retry':
        return this.#emit(task, 'warning', {
          code: 'retry',
          message: reasonThen(event.reason, `asking again in ${event.delayMs} ms`),
          retryable: true,
        });
      case 'warning':
        return this.#emit(task, 'warning', { code: 'provider', message: inFlags(event.message) });
      default:
        return undefined;
    }
  }

  #countRound(task: Task, event: EventOf<'round-end'>, isAside: boolean): void {
    const round = usageOf(event.usage);
    task.addRound(round, { isAside });
    // A server that counts nothing has nothing to tell.
    if (round.total === 0) return;
    const session = addUsage(this.#hub.session?.usage ?? NO_USAGE, task.uncounted);
    this.#emit(task, 'round_usage', { round, turn: task.usage, session, is_aside: isAside });
  }

  /** Of a sub-agent only what it does is told, in short. */
  #observeAside(task: Task, parent: string, event: ObserverEvent): void {
    if (event.type === 'round-end') return this.#countRound(task, event, true);
    if (event.type !== 'tool-start' || !task.running.has(parent)) return;
    const message = this.#titleOf(event.source, event.tool, event.arguments);
    this.#emit(task, 'tool_execution_progress', { call_id: parent, message });
  }

  /** Tells of calls that the provider has no event for: those that the server ran, and those whose tool does not exist. */
  addPart(task: Task, part: StoredPart): void {
    if (part.type === 'text' || part.type === 'reasoning') return undefined;
    if (part.toolName === WEB_SEARCH) return this.#addHosted(task, part);
    if (part.type === 'tool-call') this.#inputs.set(part.toolCallId, part.input as EventOf<'tool-start'>['arguments']);
    if (part.type !== 'tool-result') return;
    const { toolCallId: callId, toolName: tool, output } = part;
    const input = this.#inputs.get(callId) ?? null;
    this.#inputs.delete(callId);
    if (part.isError !== true || typeof output !== 'string' || !output.startsWith(UNKNOWN)) return;
    this.begin(task, { callId, tool, source: 'unknown', arguments: input });
    this.finish(task, { callId, tool, isError: true, output, durationMs: 0 });
  }

  #addHosted(task: Task, part: HostedPart): void {
    const { toolCallId: callId, toolName: tool } = part;
    if (part.type === 'tool-call')
      return this.begin(task, { callId, tool, source: SERVER, arguments: argumentsOf(part.input) });
    const startedAt = task.running.get(callId)?.startedAt ?? Date.now();
    // What was looked for is told with the result.
    task.running.set(callId, { title: this.#titleOf(SERVER, tool, part.output), startedAt });
    const output = typeof part.output === 'string' ? part.output : JSON.stringify(part.output);
    const told = { callId, tool, isError: part.isError === true, output: output.slice(0, SHOWN_CHARS) };
    this.finish(task, { ...told, durationMs: Date.now() - startedAt });
  }

  begin(
    task: Task,
    { callId, tool, source, arguments: input }: Pick<EventOf<'tool-start'>, 'callId' | 'tool' | 'source' | 'arguments'>,
  ): void {
    const title = this.#titleOf(source, tool, input);
    task.running.set(callId, { title, startedAt: Date.now() });
    const told = { tool_name: tool, source, arguments: input };
    const shown = textOfView(viewOfCall(told));
    this.#emit(task, 'tool_execution_begin', { call_id: callId, ...told, title, shown });
  }

  finish(
    task: Task,
    {
      callId,
      tool,
      isError,
      output,
      durationMs,
    }: Pick<EventOf<'tool-end'>, 'callId' | 'tool' | 'isError' | 'output' | 'durationMs'>,
  ): void {
    const running = task.running.get(callId);
    task.running.delete(callId);
    const facts = this.#facts.get(callId);
    this.#facts.delete(callId);
    this.#emit(task, 'tool_execution_end', {
      call_id: callId,
      // A command that ends with another code than 0 has failed, and what it printed is a result all the same.
      success: !isError && (facts?.exit_code ?? 0) === 0,
      ...(isError ? { error: output } : { result: output }),
      title: running?.title ?? tool,
      duration_ms: durationMs,
      ...(output.length >= SHOWN_CHARS ? { truncated: true } : {}),
      ...facts,
    });
  }

  #mcp(event: EventOf<'mcp-connect' | 'mcp-error'>): void {
    const id = this.#hub.task?.id ?? '';
    const { server } = event;
    if (event.type === 'mcp-connect') {
      this.#hub.emit(id, 'mcp_status', { server, state: 'ready', tools: event.tools });
    } else {
      const message = SIGN_IN.test(event.message)
        ? `${server} wants a sign-in: coder mcp login ${server}, or /mcp login ${server}`
        : event.message;
      this.#hub.emit(id, 'mcp_status', { server, state: 'failed', message });
    }
  }

  #emit<Type extends EventType>(task: Task, type: Type, data: EventData<Type>): void {
    this.#hub.emit(task.id, type, data);
  }
}

function factsOf(report: Exclude<ToolReport, { type: 'output' | 'todos' | 'file_change' }> | ToolReport): Facts {
  switch (report.type) {
    case 'exit':
      return {
        ...(report.exitCode === undefined ? {} : { exit_code: report.exitCode }),
        ...(report.truncated ? { truncated: true } : {}),
      };
    case 'truncated':
      return { truncated: true };
    case 'diff':
      return eventFieldsOf(report);
    default:
      return {};
  }
}
