import { JoinedText } from '../broken/joined-text.js';
import {
  KEPT_VERSION,
  type KeptCall,
  type KeptEntry,
  type KeptOutput,
  type KeptRound,
  type KeptToolCall,
} from '../core/kept-round.js';
import { sumUsage, type Usage } from '../core/usage.js';
import { defined } from '../util/defined.js';
import { asNumber, asRecord, asRecords, asString, isRecord } from '../util/guards.js';

/** A call as its events tell it: of a file, or of the replay itself. */
export interface Run {
  readonly modelId: string;
  /** Absent: its beginning was not kept. */
  readonly call: KeptCall | undefined;
  readonly rounds: readonly KeptRound[];
  readonly usage: Usage;
  /** Absent: it has no end. */
  readonly end: RunEnd | undefined;
}

export interface RunEnd {
  readonly finishReason: string;
  readonly durationMs: number;
  /** Why it failed. */
  readonly error: string | undefined;
}

type Event = Readonly<Record<string, unknown>>;

/** Puts runs together from their events. */
export class RunBuilder {
  #modelId = '';
  readonly #rounds: KeptRound[] = [];
  readonly #usages: { readonly usage: Usage }[] = [];
  #end: RunEnd | undefined;
  /** The next round is broken. */
  #breaksOff = false;
  /** The last round broke, and the next one is its rest. */
  #goesOn = false;

  /** @throws Error for a round of a newer version */
  add(event: Event): void {
    if (event['type'] === 'call-start') this.#modelId = asString(event['modelId']) ?? '';
    else if (event['type'] === 'continuation') this.#breaksOff = true;
    else if (event['type'] === 'round-kept') this.#keep(event);
    else if (event['type'] === 'round-end' && isRecord(event['usage'])) this.#usages.push({ usage: event['usage'] });
    else if (event['type'] === 'call-end') this.#end = endOf(event);
  }

  /** Returns the run up to now. */
  get run(): Run {
    const [first] = this.#rounds;
    const usage = sumUsage(this.#usages);
    return { modelId: this.#modelId, call: first?.call, rounds: [...this.#rounds], usage, end: this.#end };
  }

  #keep(event: Event): void {
    const { version } = event;
    if (typeof version === 'number' && version > KEPT_VERSION)
      throw new Error(
        `rounds were kept in version ${version} of their form, and this is version ${KEPT_VERSION}: use a newer responses-loop`,
      );
    if (!isKeptRound(event)) return;
    for (const { callId, output } of event.late ?? []) this.#answer(callId, output);
    const broken = this.#goesOn ? this.#rounds.pop() : undefined;
    this.#goesOn = this.#breaksOff;
    this.#breaksOff = false;
    this.#rounds.push(broken === undefined ? event : joined(broken, event));
  }

  /** Adds an output to a call without one. Ignores an output whose call is missing, because it cannot be compared. */
  #answer(callId: string, output: KeptOutput): void {
    const isIt = (entry: KeptEntry): entry is KeptToolCall =>
      entry.type === 'call' && entry.callId === callId && entry.output === undefined;
    const at = this.#rounds.findLastIndex(({ content }) => content.some(isIt));
    const round = this.#rounds[at];
    if (round === undefined) return;
    const content = round.content.map((entry) => (isIt(entry) ? { ...entry, output } : entry));
    this.#rounds[at] = { ...round, content };
  }
}

/** Returns a broken round and its requested rest as one complete round. */
function joined(broken: KeptRound, rest: KeptRound): KeptRound {
  const shown = broken.content.map((entry) => (entry.type === 'text' ? entry.text : '')).join('');
  const at = rest.content.findIndex(({ type }) => type === 'text');
  const content = rest.content.map((entry, index) =>
    index === at && entry.type === 'text' ? { ...entry, text: restOf(shown, entry.text) } : entry,
  );
  // The calls of a broken round have no outputs, and the model repeats them.
  return { ...broken, ...defined({ late: rest.late }), content: [{ type: 'text', text: shown }, ...content] };
}

/** Returns a text without its repetition of the shown one, as the client got it. */
function restOf(shown: string, text: string): string {
  const filter = new JoinedText(shown);
  const parts = [
    ...filter.text({ type: 'text-start', id: '' }),
    ...filter.text({ type: 'text-delta', id: '', delta: text }),
    ...filter.end(),
  ];
  return parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');
}

function endOf({ finishReason, durationMs, error }: Event): RunEnd {
  return {
    finishReason: asString(finishReason) ?? 'unknown',
    durationMs: asNumber(durationMs) ?? 0,
    error: asString(asRecord(error)?.['message']),
  };
}

/** Checks the members of a round that a replay reads. */
function isKeptRound(event: Event): event is Event & KeptRound {
  const { call, tools, content, late } = event;
  const isWhole = asRecords(tools).every(({ name, inputSchema }) => typeof name === 'string' && isRecord(inputSchema));
  const hasLate = asRecords(late).every(({ callId, output }) => typeof callId === 'string' && isOutput(output));
  return (
    isWhole &&
    hasLate &&
    asRecords(content).every(isEntry) &&
    Array.isArray(content) &&
    (call === undefined || isCall(call))
  );
}

function isEntry({ type, text, name, arguments: given, output, item }: Event): boolean {
  if (type === 'text') return typeof text === 'string';
  if (type === 'item') return typeof item === 'string';
  const isCalled = type === 'call' && typeof name === 'string' && typeof given === 'string';
  return isCalled && (output === undefined || isOutput(output));
}

function isOutput(output: unknown): boolean {
  return isContent(asRecord(output)?.['content']);
}

function isContent(content: unknown): boolean {
  if (!Array.isArray(content)) return false;
  return asRecords(content).every(
    ({ type, text, mediaType, source }) =>
      (type === 'text' && typeof text === 'string') ||
      (type === 'file' && typeof mediaType === 'string' && isRecord(source)),
  );
}

function isCall(call: unknown): boolean {
  if (!isRecord(call)) return false;
  const { modelId, url, backend, messages, clientTools, toolChoice } = call;
  const hasTexts = [modelId, url, backend].every((text) => typeof text === 'string') && URL.canParse(String(url));
  return hasTexts && isRecord(toolChoice) && Array.isArray(clientTools) && asRecords(messages).every(isMessage);
}

function isMessage({ role, text, content }: Event): boolean {
  if (role === 'system') return typeof text === 'string';
  if (role === 'user') return isContent(content);
  return role === 'assistant' && Array.isArray(content) && asRecords(content).every(isEntry);
}
