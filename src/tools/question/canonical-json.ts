import { spellText } from '../../util/spell-text.js';

/** A value of at most this length is written on one line. */
const LINE_CHARS = 72;
/** Deeper levels are not indented further, because the text would grow with the square of the depth. */
const MOST_LEVELS = 16;

/** An object or an array, and the index of its next member. */
interface Open {
  readonly value: object;
  /** `undefined` for an array. */
  readonly keys: readonly string[] | undefined;
  readonly count: number;
  at: number;
}

/**
 * JSON for people: keys sorted, strings spelled by `spellText`, short objects and arrays on one line. Different values
 * have different texts, even without a form in JSON (`undefined`, `NaN`, `-0`, `12n`).
 *
 * @param name How errors call the value.
 * @throws TypeError for a function, a symbol, an object that is not plain, and a circular value.
 */
export function canonicalJson(value: unknown, name: string): string {
  const pieces: string[] = [];
  const open: Open[] = [];
  const holders = new Set<object>();
  const write = (member: unknown): void => {
    const text = shortText(member, LINE_CHARS) ?? leafText(member);
    if (text !== undefined) return void pieces.push(text);
    if (!isPlain(member)) throw new TypeError(`${pathOf(name, open)} is ${kindOf(member)}, which is not a JSON value.`);
    if (holders.has(member)) throw new TypeError(`${pathOf(name, open)} contains itself, which JSON does not allow.`);
    holders.add(member);
    const opened = openOf(member);
    open.push(opened);
    pieces.push(opened.keys === undefined ? '[' : '{');
  };
  write(value);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (last.at === last.count) {
      open.pop();
      holders.delete(last.value);
      pieces.push(newLine(open.length), last.keys === undefined ? ']' : '}');
    } else {
      pieces.push(last.at === 0 ? '' : ',', newLine(open.length), keyText(last));
      last.at += 1;
      write(memberOf(last, last.at - 1));
    }
  }
  return pieces.join('');
}

function newLine(level: number): string {
  return `\n${'  '.repeat(Math.min(level, MOST_LEVELS))}`;
}

/** Returns the value on one line if it fits into `room`. Reads no more of the value than fits. */
function shortText(value: unknown, room: number): string | undefined {
  const text = isPlain(value) ? shortMembers(value, room) : shortLeaf(value, room);
  return text === undefined || text.length > room ? undefined : text;
}

function shortLeaf(value: unknown, room: number): string | undefined {
  return typeof value === 'string' && value.length > room ? undefined : leafText(value);
}

function shortMembers(value: object, room: number): string | undefined {
  const open = openOf(value, room / 2);
  if (open === undefined) return undefined;
  let text = '';
  for (; open.at < open.count; open.at += 1) {
    // A longer key does not fit, so it is not spelled.
    if ((open.keys?.[open.at]?.length ?? 0) > room) return undefined;
    text += `${open.at === 0 ? '' : ', '}${keyText(open)}`;
    const member = shortText(memberOf(open, open.at), room - text.length - 2);
    if (member === undefined) return undefined;
    text += member;
  }
  if (open.keys === undefined) return `[${text}]`;
  return text === '' ? '{}' : `{ ${text} }`;
}

function openOf(value: object): Open;
/** Returns `undefined` if the value has more members than `most`. */
function openOf(value: object, most: number): Open | undefined;
function openOf(value: object, most = Infinity): Open | undefined {
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  const { length: count } = keys ?? (value as unknown[]);
  // Sorted by code units, which no locale changes.
  return count > most ? undefined : { value, keys: keys?.toSorted(), count, at: 0 };
}

/** Returns the text before the next member. */
function keyText({ keys, at }: Open): string {
  const key = keys?.[at];
  return key === undefined ? '' : `${stringText(key)}: `;
}

/** Returns `undefined` for a value with members or without a written form. */
function leafText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return stringText(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return `${value}n`;
    case 'boolean':
    case 'undefined':
      return String(value);
    default:
      return value === null ? 'null' : undefined;
  }
}

function stringText(text: string): string {
  return spellText(JSON.stringify(text));
}

function isPlain(value: unknown): value is object {
  const tag = Object.prototype.toString.call(value);
  return typeof value === 'object' && (tag === '[object Object]' || tag === '[object Array]');
}

function memberOf({ value, keys }: Pick<Open, 'value' | 'keys'>, at: number): unknown {
  return Reflect.get(value, keys?.[at] ?? at);
}

function pathOf(name: string, open: readonly Open[]): string {
  const steps = open.map(({ keys, at }) => {
    const key = keys?.[at - 1];
    return key === undefined ? `[${at - 1}]` : /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${stringText(key)}]`;
  });
  return name + steps.join('');
}

function kindOf(value: unknown): string {
  if (typeof value === 'object') return `an object of the class ${Object.prototype.toString.call(value).slice(8, -1)}`;
  return `a ${typeof value}`;
}
