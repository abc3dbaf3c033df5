import type { JsonObject } from '../core/json.js';
import type { AssistantContent, ReasoningContent, ToolOutput } from '../core/message.js';
import { asId, asRecord, asRecords, asString } from '../util/guards.js';
import { optionsOf, phaseOf, type PromptReader } from './prompt-reader.js';
import { readToolResult } from './read-tool-output.js';

type PromptPart = Readonly<Record<string, unknown>>;

/** An assistant turn, with hidden rounds unpacked from their carriers and reasoning items put together again. */
export function readAssistantContent(parts: readonly PromptPart[], reader: PromptReader): AssistantContent[] {
  const reasoning = new ReasoningAssembler();
  return parts.flatMap((part): AssistantContent[] => {
    if (part['type'] === 'reasoning') {
      return [...readBefore(part), ...readPreamble(part), ...reasoning.take(part), ...readAfter(part)];
    }
    const read = Object.hasOwn(PARTS, String(part['type'])) ? PARTS[String(part['type'])] : undefined;
    if (read !== undefined) return [...reasoning.flush(), ...readBefore(part), ...read(part, reader), ...readAfter(part)];
    reader.warnAbout(part);
    return [];
  });
}

const PARTS: Readonly<Record<string, (part: PromptPart, reader: PromptReader) => AssistantContent[]>> = {
  text: (part) => [{ type: 'text', text: asString(part['text']) ?? '', ...phaseOf(part) }],
  'tool-call': (part) => [readToolCall(part)],
  'tool-result': (part, reader) => [readToolResult(part, reader)],
};

/** A call of a tool the server ran is its item; its result is in there too. */
function readToolCall(part: PromptPart): AssistantContent {
  const { own, openai } = optionsOf(part);
  const wireCallId = asId(own['wireCallId']);
  const itemId = asId(own['itemId']) ?? asId(openai['itemId']);
  // They came from a server as JSON.
  const hostedItem = asRecord(own['hostedItem']) as JsonObject | undefined;
  const item = asRecord(own['item']) as JsonObject | undefined;
  if (hostedItem !== undefined) return { type: 'item', item: hostedItem };
  return {
    type: 'tool-call',
    callId: asString(part['toolCallId']) ?? '',
    name: asString(part['toolName']) ?? '',
    arguments: asString(own['rawInput']) ?? argumentsText(part['input']),
    ...(wireCallId === undefined ? {} : { wireCallId }),
    ...(item === undefined ? {} : { item }),
    ...(itemId === undefined ? {} : { itemId }),
  };
}

function argumentsText(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input ?? {}) ?? '{}');
}

/** Text that was turned into reasoning was text to the model. */
function readPreamble(part: PromptPart): AssistantContent[] {
  if (optionsOf(part).own['preamble'] !== true) return [];
  return [{ type: 'text', text: asString(part['text']) ?? '', ...phaseOf(part) }];
}

/** What stood before the part in question and was not shown. */
function readBefore(part: PromptPart): AssistantContent[] {
  return readItems(carrierOf(part)?.['before']);
}

/** What stood behind it: items, calls and their outputs. */
function readAfter(part: PromptPart): AssistantContent[] {
  const carrier = carrierOf(part);
  const calls = asRecords(carrier?.['calls']);
  return [
    ...readItems(carrier?.['after']),
    ...calls.map((call): AssistantContent => ({
      type: 'tool-call',
      callId: asString(call['callId']) ?? '',
      name: asString(call['name']) ?? '',
      arguments: asString(call['arguments']) ?? '{}',
    })),
    ...calls.map((call): AssistantContent => ({
      type: 'tool-result',
      callId: asString(call['callId']) ?? '',
      output: readCarriedOutput(call['output']),
    })),
  ];
}

function readItems(items: unknown): AssistantContent[] {
  // They came from a server as JSON.
  return asRecords(items).map((item) => ({ type: 'item', item: item as JsonObject }));
}

function carrierOf(part: PromptPart): Record<string, unknown> | undefined {
  const carrier = asRecord(optionsOf(part).own['carrier']);
  return carrier?.['v'] === 1 ? carrier : undefined;
}

/** We wrote it, but it has been through other people's storage. */
function readCarriedOutput(value: unknown): ToolOutput {
  const output = asRecord(value);
  const content = asRecords(output?.['content']);
  return { isError: output?.['isError'] === true, content: content as unknown as ToolOutput['content'] };
}

/** Sections of one reasoning item are parts in a row; the last one holds what seals it. */
class ReasoningAssembler {
  #sections: { kind: 'summary' | 'text'; text: string }[] = [];
  #stockItemId: string | undefined;

  take(part: PromptPart): AssistantContent[] {
    const { own, openai } = optionsOf(part);
    const facts = asRecord(own['reasoning']);
    if (facts !== undefined) return this.#takeOwn(part, facts);
    return asId(openai['itemId']) === undefined ? [] : this.#takeStock(part, openai);
  }

  /** Sections whose last one never came. */
  flush(): AssistantContent[] {
    this.#stockItemId = undefined;
    return this.#sections.length === 0 ? [] : [this.#finish({})];
  }

  #takeOwn(part: PromptPart, facts: JsonObjectLike): AssistantContent[] {
    const kind = facts['kind'] === 'text' ? 'text' : 'summary';
    const text = asString(part['text']) ?? '';
    if (text !== '') this.#sections.push({ kind, text });
    if (facts['continues'] === true) return [];
    const encrypted = asId(facts['encrypted']);
    const origin = asId(facts['origin']);
    return [
      this.#finish({
        ...(encrypted === undefined ? {} : { encrypted }),
        ...(origin === undefined ? {} : { origin }),
      }),
    ];
  }

  /** The stock provider repeats item id and sealed content on every part of an item. */
  #takeStock(part: PromptPart, openai: JsonObjectLike): AssistantContent[] {
    const itemId = asId(openai['itemId']);
    const earlier = itemId === this.#stockItemId ? [] : this.flush();
    const encrypted = asId(openai['reasoningEncryptedContent']);
    const text = asString(part['text']) ?? '';
    if (itemId === this.#stockItemId || encrypted === undefined) return earlier;
    this.#stockItemId = itemId;
    if (text !== '') this.#sections.push({ kind: 'summary', text });
    return [...earlier, this.#finish({ encrypted })];
  }

  #finish(facts: Partial<ReasoningContent>): ReasoningContent {
    const of = (kind: 'summary' | 'text'): string[] =>
      this.#sections.filter((section) => section.kind === kind).map((section) => section.text);
    const content: ReasoningContent = { type: 'reasoning', summary: of('summary'), text: of('text'), ...facts };
    this.#sections = [];
    return content;
  }
}

type JsonObjectLike = Readonly<Record<string, unknown>> | JsonObject;
