import type { ObserverEvent } from 'responses-loop/v3';
import { textOfView } from 'responses-loop-example-shared/call-view.js';
import type { EventData, EventType } from '../protocol/events.js';
import type { ToolReport } from '../tools/context.js';
import { viewOfCall } from '../tools/own-views.js';
import type { Hub } from './hub.js';
import type { Task } from './task.js';
import { usageOf } from './usage.js';

/** The provider shows no more of an output; the model has read all that the tool gave it. */
const SHOWN_CHARS = 2_000;

/** The source of a call of a tool that does not exist. */
const UNKNOWN = 'unknown';

/** What runs, in a few words. */
export type TitleOf = (source: string, tool: string, input: unknown) => string;

type EventOf<Type extends ObserverEvent['type']> = Extract<ObserverEvent, { type: Type }>;

/** What tools reported about a call that its result does not hold. */
type Facts = Pick<EventData<'tool_execution_end'>, 'exit_code' | 'diff' | 'hunks' | 'truncated'>;

/** Makes events of what the provider says while it works, and of what tools report. */
export class ToolEvents {
  readonly #hub: Hub;
  readonly #titleOf: TitleOf;
  /** Whose task a call of the provider belongs to: one that was stopped may still say something while the next one runs. */
  readonly #tasks = new Map<number, Task>();
  readonly #facts = new Map<string, Facts>();
  readonly #unknown = new Map<string, EventOf<'tool-start'>>();

  constructor(hub: Hub, titleOf: TitleOf) {
    this.#hub = hub;
    this.#titleOf = titleOf;
  }

  observe(event: ObserverEvent): void {
    if (event.type === 'mcp-connect' || event.type === 'mcp-error') return this.#mcp(event);
    if (event.type === 'call-start' && this.#hub.task !== undefined) this.#start(this.#hub.task, event);
    const task = 'callNumber' in event ? this.#tasks.get(event.callNumber) : this.#hub.task;
    if (task !== undefined && !task.isOver) this.#observeTask(task, event);
    if (event.type === 'call-end') this.#tasks.delete(event.callNumber);
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
    this.#unknown.clear();
  }

  /** The SDK asks again by itself where the first request of a task failed. */
  #start(task: Task, { callNumber }: EventOf<'call-start'>): void {
    this.#tasks.set(callNumber, task);
    if (task.failure === undefined) return;
    const message = `${task.failure}; asking again`;
    task.failure = undefined;
    this.#emit(task, 'warning', { code: 'retry', message, retryable: true });
  }

  #observeTask(task: Task, event: ObserverEvent): void {
    switch (event.type) {
      case 'tool-start':
        // Nobody runs it: told at its end, unless it was sent on to the tool that is meant.
        if (event.source === UNKNOWN) this.#unknown.set(event.callId, event);
        else this.#begin(task, event);
        return undefined;
      case 'tool-progress':
        return this.#emit(task, 'tool_execution_progress', {
          call_id: event.callId,
          progress: event.progress,
          ...(event.total === undefined ? {} : { total: event.total }),
          ...(event.message === undefined ? {} : { message: event.message }),
        });
      case 'tool-end':
        return event.source === UNKNOWN ? this.#endUnknown(task, event) : this.#end(task, event);
      case 'round-end':
        task.rounds.push(usageOf(event.usage));
        return undefined;
      case 'call-end':
        task.failure = event.error?.message;
        return undefined;
      case 'retry':
        return this.#emit(task, 'warning', {
          code: 'retry',
          message: `${event.reason}; asking again in ${event.delayMs} ms`,
          retryable: true,
        });
      case 'warning':
        return this.#emit(task, 'warning', { code: 'provider', message: event.message });
      default:
        return undefined;
    }
  }

  #endUnknown(task: Task, event: EventOf<'tool-end'>): void {
    const start = this.#unknown.get(event.callId);
    this.#unknown.delete(event.callId);
    if (!event.isError || start === undefined) return;
    this.#begin(task, start);
    this.#end(task, event);
  }

  #begin(task: Task, { callId, tool, source, arguments: input }: EventOf<'tool-start'>): void {
    const title = this.#titleOf(source, tool, input);
    task.running.set(callId, { title, startedAt: Date.now() });
    const told = { tool_name: tool, source, arguments: input };
    const shown = textOfView(viewOfCall(told));
    this.#emit(task, 'tool_execution_begin', { call_id: callId, ...told, title, shown });
  }

  #end(task: Task, { callId, tool, isError, output, durationMs }: EventOf<'tool-end'>): void {
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
      this.#hub.emit(id, 'mcp_status', { server, state: 'failed', message: event.message });
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
      return { diff: report.text, hunks: report.hunks.map((hunk) => [...hunk]) };
    default:
      return {};
  }
}
