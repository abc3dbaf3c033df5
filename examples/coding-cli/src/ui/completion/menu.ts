import type { Line } from '../line-editor.js';
import { cutRow, type Row } from '../rows.js';
import { plainLine } from '../plain-text.js';

/** What a line may become. */
export interface Choice {
  readonly label: string;
  readonly help: string;
  readonly line: Line;
  /** Whether Enter sends the line at once. */
  readonly isWhole?: boolean;
  /** Whether it has to be chosen by an arrow or Tab: Enter alone does not take it. */
  readonly isOnlyChosen?: boolean;
}

/** Place in front of the first choice: none is chosen. */
const NONE = -1;

/** A list above the input, through which the arrows go. */
export class Menu {
  #choices: readonly Choice[] = [];
  #selected = 0;
  /** Text for which it was closed. */
  #closedFor: string | undefined;

  get choices(): readonly Choice[] {
    return this.#choices;
  }

  get isOpen(): boolean {
    return this.#choices.length > 0;
  }

  /** `undefined` also if none is chosen yet. */
  get current(): Choice | undefined {
    return this.#choices[this.#selected];
  }

  /** Shows what fits the line by now; the first is selected if that has changed. */
  show(choices: readonly Choice[], line: Line): void {
    if (this.#closedFor !== undefined && this.#closedFor !== line.text) this.#closedFor = undefined;
    const next = this.#closedFor === undefined ? choices : [];
    const isSame =
      next.length === this.#choices.length && next.every((choice, index) => isAlike(choice, this.#choices[index]));
    if (!isSame) this.#selected = next[0]?.isOnlyChosen === true ? NONE : 0;
    this.#choices = next;
  }

  /** Past its end it begins again. */
  move(step: number): void {
    const { length } = this.#choices;
    if (this.#selected === NONE && step < 0) this.#selected = 0;
    if (length > 0) this.#selected = (this.#selected + step + length) % length;
  }

  /** Until the line changes. */
  close(line: Line): void {
    this.#closedFor = line.text;
    this.#choices = [];
  }

  get #place(): string {
    const { length } = this.#choices;
    return this.#selected === NONE ? `${length} to choose from` : `${this.#selected + 1} of ${length}`;
  }

  /** The rows around the selected one; the last tells how many there are, if not all fit. */
  rows(columns: number, limit: number): Row[] {
    const { length } = this.#choices;
    if (limit < 1 || length === 0) return [];
    const isCut = length > limit && limit > 1;
    const room = isCut ? limit - 1 : limit;
    const start = Math.max(0, Math.min(this.#selected - Math.floor(room / 2), length - room));
    const rows = this.#choices.slice(start, start + room).map(({ label, help }, index): Row => {
      const isSelected = start + index === this.#selected;
      return cutRow(
        [
          { text: `${isSelected ? '▸' : ' '} ${plainLine(label).padEnd(13)} `, color: 'cyan', bold: isSelected },
          { text: plainLine(help), dim: true },
        ],
        columns,
      );
    });
    return isCut ? [...rows, [{ text: `  ${this.#place} · ↑ ↓`, dim: true }]] : rows;
  }
}

function isAlike(one: Choice, other: Choice | undefined): boolean {
  return one.label === other?.label && one.isOnlyChosen === other.isOnlyChosen;
}
