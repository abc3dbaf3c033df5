import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import type { EventData } from '../protocol/events.js';

type Value = string | number | boolean | string[];
type Field = Readonly<Record<string, unknown>>;

/** Fields of a question, in the order of its schema. */
function fieldsOf(schema: unknown): readonly (readonly [name: string, field: Field])[] {
  const properties = (schema as Field | undefined)?.['properties'];
  return typeof properties === 'object' && properties !== null
    ? Object.entries(properties as Record<string, Field>)
    : [];
}

/** What was written for a form: `name=value; other=value`, or the value alone if there is one field. */
export function readForm(text: string, schema: unknown): Record<string, Value> | { readonly problem: string } {
  const fields = fieldsOf(schema);
  const [only] = fields;
  if (text.trim() === '' || only === undefined) return {};
  const named = new Map(fields);
  if (fields.length === 1 && !text.trim().startsWith(`${only[0]}=`))
    return { [only[0]]: valueOf(text.trim(), only[1]) };
  const entries: [string, Value][] = [];
  for (const part of text.split(/[;\n]/).filter((piece) => piece.trim() !== '')) {
    const [before = '', ...rest] = part.split('=');
    const [name, value] = [before.trim(), rest.join('=').trim()];
    const field = named.get(name);
    if (field === undefined || rest.length === 0)
      return { problem: `Fields are ${fields.map(([known]) => known).join(', ')}; write FIELD=VALUE; …` };
    entries.push([name, valueOf(value, field)]);
  }
  return Object.fromEntries(entries);
}

function valueOf(text: string, { type }: Field): Value {
  if (type === 'boolean') return /^(true|yes|y|on|1)$/i.test(text);
  if (type === 'number' || type === 'integer') return Number(text);
  if (type === 'array') return text.split(',').map((item) => item.trim());
  return text;
}

/** What a server asks, and how to answer. */
export function askedText({
  server,
  message,
  url,
  requested_schema: schema,
}: EventData<'elicitation_request'>): string {
  const form = fieldsOf(schema).map(([name]) => `${name}=…`);
  const how = url === undefined ? `Answer with /answer ${form.join('; ')}` : `Open ${url}, then /answer yes`;
  return `${spelledLine(server)} asks: ${spelledLine(message)}\n${spelledLine(how)}, or refuse with /answer no.`;
}
