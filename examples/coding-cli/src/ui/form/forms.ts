import { type Asked, type FormState, newForm } from './form-state.js';

/** The form that is being filled in: that of the first question that is open. */
export class Forms {
  #form: FormState | undefined;

  of([asked]: readonly Asked[]): FormState | undefined {
    if (asked === undefined) this.#form = undefined;
    else if (this.#form?.asked.question_id !== asked.question_id) this.#form = newForm(asked);
    return this.#form;
  }

  put(form: FormState): void {
    this.#form = form;
  }
}
