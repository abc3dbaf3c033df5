import type { EventData } from '../protocol/events.js';
import type { ApprovalMode, Mode } from '../protocol/settings.js';
import type { Hub } from '../engine/hub.js';

export interface ModeChange {
  readonly mode: Mode;
  readonly approval?: ApprovalMode | undefined;
}

/** What the model may do now, and when a person is asked. Both can change while a task runs, and count for its next call. */
export class Modes {
  readonly #hub: Hub;
  #mode: Mode;
  #approval: ApprovalMode;

  constructor(hub: Hub, { mode, approval }: { readonly mode: Mode; readonly approval: ApprovalMode }) {
    this.#hub = hub;
    this.#mode = mode;
    this.#approval = approval;
  }

  get mode(): Mode {
    return this.#mode;
  }

  get approval(): ApprovalMode {
    return this.#approval;
  }

  /** `id`: the submission that asked for it. */
  change(id: string, { mode, approval = this.#approval }: ModeChange, by: EventData<'mode_changed'>['by']): void {
    this.#mode = mode;
    this.#approval = approval;
    this.#hub.emit(id, 'mode_changed', { mode, approval, by });
  }
}
