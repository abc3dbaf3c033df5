/** What happened since somebody looked: each thing once, and the first few alone. */
export class StepNotes {
  readonly #most: number;
  #notes: string[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(text: string): void {
    if (this.#notes.length < this.#most && !this.#notes.includes(text)) this.#notes.push(text);
  }

  /** Gives them once. */
  take(): readonly string[] {
    const notes = this.#notes;
    this.#notes = [];
    return notes;
  }
}
