/** Arguments that fit a simple schema: what is required, and no more. */
export function exampleFor(schema: unknown): Record<string, unknown> {
  const { properties, required } = asRecord(schema);
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return Object.fromEntries(names.map((name) => [name, exampleValue(asRecord(asRecord(properties)[name]))]));
}

function exampleValue(schema: Readonly<Record<string, unknown>>): unknown {
  const [choice] = Array.isArray(schema['enum']) ? (schema['enum'] as readonly unknown[]) : [];
  if (choice !== undefined) return choice;
  if (schema['type'] === 'number' || schema['type'] === 'integer') return 1;
  if (schema['type'] === 'boolean') return true;
  if (schema['type'] === 'array') return [];
  return schema['type'] === 'object' ? exampleFor(schema) : 'hello';
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
