import type { RoundPart } from '../../../src/core/part.js';
import { asArray, asRecord, asRecords, asString } from '../../../src/util/guards.js';
import { spans } from '../../stream/support/read-events.js';
import type { WireObject } from './wire-stream.js';

/** What a response says, whoever tells it: each entry is one message, one section of reasoning, one call, one other item. */
export interface Told {
  readonly texts: readonly string[];
  readonly reasoning: readonly string[];
  readonly calls: readonly string[];
  /** Types of the items that are none of these. */
  readonly others: readonly string[];
}

const TERMINALS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.done']);
const OWN_KINDS: ReadonlySet<unknown> = new Set(['message', 'reasoning', 'function_call']);

/** The server's last word: the output of the terminal event, or where that is empty the items as they were finished. */
export function finalItems(events: readonly WireObject[]): readonly WireObject[] | undefined {
  const terminal = events.find((event) => TERMINALS.has(event['type']));
  if (terminal === undefined) return undefined;
  const output = asRecords(asRecord(terminal['response'])?.['output']);
  if (output.length > 0) return output;
  return asRecords(
    events.filter((event) => event['type'] === 'response.output_item.done').map((event) => event['item']),
  );
}

export function expectedOf(items: readonly WireObject[]): Told {
  const ofType = (type: string): WireObject[] => items.filter((item) => item['type'] === type);
  return {
    texts: spoken(ofType('message').map((item) => asArray(item['content']).map(textOf).join(''))),
    reasoning: spoken(
      ofType('reasoning').flatMap((item) => [...asArray(item['summary']), ...asArray(item['content'])].map(textOf)),
    ).toSorted(),
    calls: ofType('function_call').map((item) => `${asString(item['name']) ?? ''} ${compact(item['arguments'])}`),
    others: items.map((item) => asString(item['type']) ?? '').filter((type) => !OWN_KINDS.has(type)),
  };
}

/** The same, as our parts tell it. */
export function toldBy(parts: readonly RoundPart[]): Told {
  return {
    texts: spoken(spans(parts, 'text')),
    reasoning: spoken(spans(parts, 'reasoning')).toSorted(),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' && part.item === undefined ? [`${part.name} ${compact(part.arguments)}`] : [],
    ),
    others: parts.flatMap((part) =>
      part.type === 'hosted-call' || part.type === 'item' || part.type === 'tool-call'
        ? (asString(part.item?.['type']) ?? [])
        : [],
    ),
  };
}

/** What a stream that was cut had said until then. */
export function streamedText(events: readonly WireObject[], type: string): string {
  return events
    .filter((event) => event['type'] === type)
    .map((event) => asString(event['delta']) ?? '')
    .join('');
}

function spoken(texts: readonly string[]): string[] {
  return texts.filter((text) => text !== '');
}

function textOf(content: unknown): string {
  const record = asRecord(content);
  return asString(record?.['text']) ?? asString(record?.['refusal']) ?? '';
}

/** Arguments as a value: what counts is what the tool will get. */
function compact(text: unknown): string {
  if (typeof text !== 'string') return JSON.stringify(text);
  try {
    return JSON.stringify(JSON.parse(text === '' ? '{}' : text));
  } catch {
    return text;
  }
}
