import type { Observer, ObserverEvent } from '../observe/event.js';
import { observing } from '../observe/notify.js';
import { ignoreErrors } from '../util/error-text.js';

/** The events of a tool call, until the journal shows whether the tool runs now. */
interface ToolEvents {
  isReplayed?: boolean;
  readonly held: ObserverEvent[];
}

/** Marks events of an earlier attempt, and withholds events until that is known. */
export class ReplayedEvents {
  #isReplayed = false;
  #hasRun = false;
  #heldRound: ObserverEvent | undefined;
  readonly #tools = new Map<string, ToolEvents>();
  #observer: Observer = () => {};

  of(observer: Observer): Observer {
    this.#observer = observer;
    return observing(observer, (event) => this.#take(event));
  }

  /** Whether the call, or its present round, is from the journal. */
  comes(isReplayed: boolean): void {
    this.#isReplayed = isReplayed;
    this.#hasRun ||= !isReplayed;
    const held = this.#heldRound;
    this.#heldRound = undefined;
    if (held !== undefined) this.#tell(held, isReplayed);
  }

  toolBegins(callId: string): void {
    this.#tools.set(callId, { held: [] });
  }

  toolComes(callId: string, isReplayed: boolean): void {
    const tool = this.#tools.get(callId);
    if (tool === undefined || tool.isReplayed !== undefined) return;
    tool.isReplayed = isReplayed;
    for (const event of tool.held.splice(0)) this.#tell(event, isReplayed);
  }

  /** A part of the call was not in the journal. */
  hasRun(): void {
    this.#hasRun = true;
  }

  #take(event: ObserverEvent): void {
    if (event.type === 'round-start') this.#heldRound = event;
    else if (event.type === 'round-end' && this.#heldRound !== undefined) this.#heldRound = undefined;
    else if (event.type === 'call-end') this.#tell(event, !this.#hasRun);
    else if ('callId' in event) this.#takeOfTool(event.callId, event);
    else this.#tell(event, this.#isReplayed);
  }

  /** An approval is followed by a step. Other events before the step have no step. */
  #takeOfTool(callId: string, event: ObserverEvent): void {
    const tool = this.#tools.get(callId);
    const waits = tool?.isReplayed === undefined && event.type === 'tool-approval' && event.approved;
    if (tool !== undefined && waits) return void tool.held.push(event);
    this.toolComes(callId, false);
    this.#tell(event, tool?.isReplayed === true);
  }

  #tell(event: ObserverEvent, isReplayed: boolean): void {
    ignoreErrors(() => this.#observer(isReplayed ? { ...event, replayed: true } : event));
  }
}
