import { readQuestion } from 'responses-loop-example-shared/asked-question.js';
import { checkWithPatterns } from 'responses-loop-example-shared/check-patterns.js';
import { type Field, type Option } from 'responses-loop-example-shared/form-fields.js';
import type { EventData } from '../../protocol/events.js';
import { EMPTY_LINE, type Line, lineOf } from '../line-editor.js';

export type Asked = EventData<'elicitation_request'>;

/** What stands in a field: a text, or what is chosen of its options. */
export interface Input {
  readonly line: Line;
  readonly chosen: readonly string[];
  /** The option under the cursor; -1: none. */
  readonly option: number;
}

/** Behind the fields, the answers; before them, nothing is chosen. */
export const ANSWERS = ['accept', 'decline'] as const;
const NOWHERE = -1;

/** A question of an MCP server while a person answers it. */
export interface FormState {
  readonly asked: Asked;
  readonly fields: readonly Field[];
  readonly inputs: readonly Input[];
  /** The field, or behind them the answer, that keys are for. */
  readonly at: number;
  /** What is wrong, by the key of the field. */
  readonly problems: Readonly<Record<string, string>>;
}

const YES_NO: readonly Option[] = [
  { value: 'true', title: 'yes' },
  { value: 'false', title: 'no' },
];

export function newForm(asked: Asked): FormState {
  const { message, mode, url, requested_schema: requestedSchema } = asked;
  const read = readQuestion({ message, mode, requestedSchema, ...(url !== undefined && { url }) });
  const fields = typeof read === 'object' && read.mode === 'form' ? read.fields : [];
  // Enter alone agrees to nothing.
  return { asked, fields, inputs: fields.map(firstInput), at: fields.length === 0 ? NOWHERE : 0, problems: {} };
}

export function optionsOf(field: Field): readonly Option[] {
  if (field.kind === 'choice' || field.kind === 'choices') return field.options;
  return field.kind === 'boolean' ? YES_NO : [];
}

function firstInput(field: Field): Input {
  const { default: value } = field;
  const texts = value === undefined ? [] : Array.isArray(value) ? value : [String(value)];
  const options = optionsOf(field);
  if (options.length === 0) return { line: lineOf(texts[0] ?? ''), chosen: [], option: NOWHERE };
  const first = options.findIndex((option) => option.value === texts[0]);
  return { line: EMPTY_LINE, chosen: texts, option: field.kind === 'choices' ? Math.max(0, first) : first };
}

/** To the next field or answer, or back; past its end it begins again. */
export function moved(form: FormState, step: number): FormState {
  const count = form.fields.length + ANSWERS.length;
  return { ...form, at: form.at === NOWHERE && step < 0 ? count - 1 : (form.at + step + count) % count };
}

export function withLine(form: FormState, line: Line): FormState {
  return withInput(form, (input) => ({ ...input, line }));
}

/** Chooses the next option, or moves to it if several may be chosen. */
export function optionMoved(form: FormState, step: number): FormState {
  const field = form.fields[form.at];
  if (field === undefined) return form;
  const options = optionsOf(field);
  const least = field.kind === 'choices' || field.isRequired ? 0 : NOWHERE;
  return withInput(form, (input) => {
    const option = Math.min(options.length - 1, Math.max(least, input.option + step));
    const { value } = options[option] ?? {};
    return { ...input, option, chosen: field.kind === 'choices' ? input.chosen : value === undefined ? [] : [value] };
  });
}

/** Chooses the option under the cursor beside the others, or no longer. */
export function optionToggled(form: FormState): FormState {
  const field = form.fields[form.at];
  if (field?.kind !== 'choices') return optionMoved(form, 1);
  return withInput(form, (input) => {
    const value = field.options[input.option]?.value ?? '';
    const others = input.chosen.filter((one) => one !== value);
    return { ...input, chosen: others.length < input.chosen.length ? others : [...others, value] };
  });
}

function withInput(form: FormState, change: (input: Input) => Input): FormState {
  const inputs = form.inputs.map((input, index) => (index === form.at ? change(input) : input));
  const { [form.fields[form.at]?.key ?? '']: _solved, ...problems } = form.problems;
  return { ...form, inputs, problems };
}

type Content = Readonly<Record<string, string | number | boolean | string[]>>;

/** What is sent, or what is wrong and the first such field. */
export async function completed(
  form: FormState,
): Promise<{ readonly content: Content } | Pick<FormState, 'problems' | 'at'>> {
  const given = form.fields.flatMap((field, index) => {
    const value = valueOf(field, form.inputs[index]);
    return value === undefined ? [] : [[field.key, value] as const];
  });
  const checked = await checkWithPatterns(form.fields, Object.fromEntries(given));
  if ('content' in checked) return { content: checked.content as Content };
  const { problems } = checked;
  return { problems, at: form.fields.findIndex(({ key }) => Object.hasOwn(problems, key)) };
}

function valueOf(field: Field, input: Input | undefined): unknown {
  const { line, chosen } = input ?? { line: EMPTY_LINE, chosen: [] };
  const [first] = chosen;
  switch (field.kind) {
    case 'boolean':
      return first === undefined ? undefined : first === 'true';
    case 'choice':
      return first;
    case 'choices':
      return chosen.length === 0 && !field.isRequired ? undefined : chosen;
    case 'number':
      if (line.text.trim() === '') return undefined;
      // What is no number is refused in words.
      return Number.isNaN(Number(line.text)) ? line.text : Number(line.text);
    case 'text':
      return line.text === '' ? undefined : line.text;
  }
}
