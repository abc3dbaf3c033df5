import { isStricter } from '../config/stricter.js';
import type { EventData } from '../protocol/events.js';
import type { ApprovalMode, Mode } from '../protocol/settings.js';
import type { Hub } from '../engine/hub.js';

export interface ModeChange {
  readonly mode: Mode;
  readonly approval?: ApprovalMode | undefined;
}

/** The settings that a session begins with. */
export interface ModeSettings {
  readonly mode: Mode;
  readonly approval: ApprovalMode;
}

export interface ModesToGoOn {
  /** What the session was left in. */
  readonly left: Partial<ModeChange>;
  /** Settings that the person has named for this start. */
  readonly named: readonly (keyof ModeSettings)[];
  readonly isHeadless: boolean;
}

/** A session goes on in what it was left in, but in nothing laxer than the settings, and not against what was named. */
export function modesToGoOn(settings: ModeSettings, { left, named, isHeadless }: ModesToGoOn): ModeSettings {
  const goesOn = (name: keyof ModeSettings): boolean =>
    !named.includes(name) && isStricter(name, left[name], settings[name], isHeadless);
  return {
    mode: (goesOn('mode') ? left.mode : undefined) ?? settings.mode,
    approval: (goesOn('approval') ? left.approval : undefined) ?? settings.approval,
  };
}

/** What the model may do now, and when a person is asked. Both can change while a task runs, and count for its next call. */
export class Modes {
  readonly #hub: Hub;
  #mode: Mode;
  #approval: ApprovalMode;

  constructor(hub: Hub, { mode, approval }: ModeSettings) {
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
