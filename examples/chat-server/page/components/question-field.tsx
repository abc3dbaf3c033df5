import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import { useId } from 'react';
import type { Field } from 'responses-loop-example-shared/form-fields.js';
import type { Values } from '../lib/question-values.js';

interface QuestionFieldProps {
  readonly field: Field;
  readonly value: Values[string];
  /** What the server found wrong with it. */
  readonly problem: string | undefined;
  readonly onChange: (value: Values[string]) => void;
}

const INPUTS = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const;

/** One field, with its title, what it is for, and what is wrong with it. */
export function QuestionField(props: QuestionFieldProps) {
  const { field, problem } = props;
  const [id, hint, wrong] = [useId(), useId(), useId()];
  const described = [field.description && hint, problem && wrong].filter((one) => one).join(' ');
  const describedBy = described === '' ? {} : { 'aria-describedby': described };
  const marks = { ...describedBy, ...(problem !== undefined && { 'aria-invalid': true }) };
  const title = `${spelledLine(field.title)}${field.isRequired ? '' : ' (optional)'}`;
  return (
    <div className="question-field">
      {field.kind === 'choices' ? (
        <fieldset {...describedBy}>
          <legend>{title}</legend>
          <Choices {...props} field={field} />
        </fieldset>
      ) : field.kind === 'boolean' ? (
        <label className="choice">
          <input
            type="checkbox"
            checked={props.value === true}
            onChange={({ target }) => props.onChange(target.checked)}
            {...marks}
          />
          {title}
        </label>
      ) : (
        <>
          <label htmlFor={id}>{title}</label>
          <Input {...props} field={field} marks={{ id, ...marks }} />
        </>
      )}
      {field.description !== undefined && (
        <p id={hint} className="hint">
          {spelledLine(field.description)}
        </p>
      )}
      {problem !== undefined && (
        <p id={wrong} className="problem">
          {problem}
        </p>
      )}
    </div>
  );
}

type Of<Kind extends Field['kind']> = Omit<QuestionFieldProps, 'field'> & {
  readonly field: Extract<Field, { readonly kind: Kind }>;
};

function Input({ field, value, onChange, marks }: Of<'text' | 'number' | 'choice'> & { readonly marks: object }) {
  const text = typeof value === 'string' ? value : '';
  if (field.kind === 'choice') {
    return (
      <select value={text} onChange={({ target }) => onChange(target.value)} {...marks}>
        <option value="">{field.isRequired ? 'Choose…' : 'None'}</option>
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {spelledLine(option.title)}
          </option>
        ))}
      </select>
    );
  }
  const type = field.kind === 'text' && field.format !== undefined ? INPUTS[field.format] : 'text';
  return (
    <input
      type={type}
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
      autoComplete="off"
      value={text}
      onChange={({ target }) => onChange(target.value)}
      {...marks}
    />
  );
}

function Choices({ field, value, onChange }: Of<'choices'>) {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  return field.options.map((option) => (
    <label key={option.value} className="choice">
      <input
        type="checkbox"
        checked={chosen.includes(option.value)}
        onChange={({ target }) =>
          onChange(
            field.options
              .map((one) => one.value)
              .filter((one) => (one === option.value ? target.checked : chosen.includes(one))),
          )
        }
      />
      {spelledLine(option.title)}
    </label>
  ));
}
