import type { EventData, EventMessage, EventType } from '../protocol/events.js';
import { EventQueue } from './event-queue.js';
import type { Session } from './session.js';
import type { Task } from './task.js';

export type Emit = <Type extends EventType>(id: string, type: Type, data: EventData<Type>) => void;

/** What the parts of an engine have in common: where events go, and the task that runs. */
export class Hub {
  readonly events = new EventQueue();
  /** Set as soon as there is one. */
  session: Session | undefined;
  task: Task | undefined;
  /** Takes what the model should hear before its next round; set by the engine. */
  takeSteered: () => readonly string[] = () => [];
  readonly #mcp = new Map<string, EventData<'mcp_status'>>();

  get mcpServers(): EventData<'mcp_status'>[] {
    return [...this.#mcp.values()];
  }

  /** Out to the reader, and into the rollout where it is of a kind that stays. */
  readonly emit: Emit = (id, type, data) => {
    const msg = { type, data } as EventMessage;
    if (msg.type === 'mcp_status') this.#mcp.set(msg.data.server, msg.data);
    this.session?.addEvent(msg);
    this.events.emit(id, type, data);
  };
}
