/** A record with one node of it changed. */
export interface Damage {
  /** Where, and into what. */
  readonly where: string;
  readonly record: unknown;
}

const OTHERS: readonly unknown[] = [
  null,
  7,
  -1.5,
  'other',
  '',
  true,
  false,
  [],
  [null],
  ['text'],
  {},
  { type: 'other' },
];

/** Every way to drop one node of a record, or to put something else in its place, at any depth. */
export function* damagesOf(record: unknown): Generator<Damage> {
  for (const path of pathsIn(record, [])) {
    const where = path.join('.');
    if (path.length > 0) yield { where: `${where} dropped`, record: changed(record, path, DROP) };
    if (path.length > 0) yield { where: `${where} repeated`, record: changed(record, path, REPEAT) };
    for (const other of OTHERS)
      yield {
        where: `${where} = ${JSON.stringify(other)}`,
        record: changed(record, path, () => structuredClone(other)),
      };
  }
}

type Path = readonly (string | number)[];
type Change = (node: unknown, name: string | number, holder: object) => unknown;

function* pathsIn(node: unknown, path: Path): Generator<Path> {
  yield path;
  if (typeof node !== 'object' || node === null) return;
  for (const [name, member] of Object.entries(node))
    yield* pathsIn(member, [...path, Array.isArray(node) ? Number(name) : name]);
}

const GONE = Symbol('gone');
const DROP: Change = () => GONE;
/** In a list a second time, else under another name as well. */
const REPEAT: Change = (node, name, holder) => {
  if (Array.isArray(holder)) holder.splice(Number(name), 0, structuredClone(node));
  else Object.assign(holder, { [`${name}2`]: structuredClone(node) });
  return node;
};

function changed(record: unknown, path: Path, change: Change): unknown {
  const copy: unknown = structuredClone(record);
  const last = path.at(-1);
  if (last === undefined) return change(copy, '', {});
  let holder = copy as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) holder = holder[name] as Record<string | number, unknown>;
  const value = change(holder[last], last, holder);
  if (value !== GONE) holder[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return copy;
}
