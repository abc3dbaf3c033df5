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
}

/** A list above the input, through which the arrows go. */
export class Menu {
  #choices: readonly Choice[] = [];
  #selected = 0;
  /** Text for which it was closed. */
  #closedFor: string | undefined;

  get choices(): readonly Choice[] {
    return this.#choices;
  }

  get current(): Choice | undefined {
    return this.#choices[this.#selected];
  }

  /** Shows what fits the line by now; the first is selected if that has changed. */
  show(choices: readonly Choice[], line: Line): void {
    if (this.#closedFor !== undefined && this.#closedFor !== line.text) this.#closedFor = undefined;
    const next = this.#closedFor === undefined ? choices : [];
    const isSame =
      next.length === this.#choices.length && next.every(({ label }, index) => label === this.#choices[index]?.label);
    if (!isSame) this.#selected = 0;
    this.#choices = next;
  }

  /** Past its end it begins again. */
  move(step: number): void {
    const { length } = this.#choices;
    if (length > 0) this.#selected = (this.#selected + step + length) % length;
  }

  /** Until the line changes. */
  close(line: Line): void {
    this.#closedFor = line.text;
    this.#choices = [];
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
    return isCut ? [...rows, [{ text: `  ${this.#selected + 1} of ${length} · ↑ ↓`, dim: true }]] : rows;
  }
}
