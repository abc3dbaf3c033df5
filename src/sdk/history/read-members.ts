import type { CarriedOutput, PlacedCall } from '../../core/carrier.js';
import type { FileContent, FileSource, TextContent, ToolOutput } from '../../core/message.js';
import { MESSAGE_OPTIONS } from '../../request/option-table.js';
import { defined } from '../../util/defined.js';
import { asArray, asId, asRecord, asRecords, asString } from '../../util/guards.js';
import type { CallerOptions, OwnMetadata, PromptPart, ReadCarrier, StockMetadata } from './part-metadata.js';
import {
  caller,
  callMembers,
  clientCall,
  flag,
  hiddenItem,
  hosted,
  plain,
  type Read,
  reasoning,
  text,
  word,
  words,
  wrapperPlace,
} from './readers.js';

const carrier: Read<ReadCarrier> = (value, reading, name) => {
  const given = asRecord(value);
  if (given?.['v'] !== 1) return undefined;
  // A mark holds nothing of a round: it says that the user was asked.
  const asked = words(given['asked'], reading, `${name}.asked`);
  if (!reading.carriers) {
    if (Object.keys(given).some((key) => key !== 'v' && key !== 'asked'))
      reading.drop(name, 'hidden rounds, with `carrier: "none"`');
    return defined({ asked });
  }
  const each = <T>(key: string, read: Read<T>): T[] =>
    asArray(given[key]).flatMap((entry, index) => read(entry, reading, `${name}.${key}[${index}]`) ?? []);
  const ids = (key: string): readonly string[] | undefined =>
    given[key] === undefined ? undefined : words(given[key], reading, `${name}.${key}`);
  return {
    ...defined({ asked, behind: ids('behind'), order: ids('order') }),
    before: each('before', hiddenItem),
    callsBefore: each('callsBefore', hiddenCall),
    after: each('after', hiddenItem),
    calls: each('calls', (entry, within, place) => {
      const call = hiddenCall(entry, within, place);
      return call === undefined ? undefined : { ...call, ...outputOf(entry) };
    }),
    outputs: each('outputs', hiddenOutput),
  };
};

const hiddenCall: Read<PlacedCall> = (value, reading, place) => {
  const { callId, name, arguments: made, inRound, members } = asRecord(value) ?? {};
  if (typeof callId !== 'string' || typeof name !== 'string' || typeof made !== 'string') {
    reading.drop(place, 'no call');
    return undefined;
  }
  return {
    callId,
    name,
    arguments: made,
    ...defined({
      inRound: word(inRound ?? null, reading, `${place}.inRound`),
      members: members === undefined ? undefined : callMembers(members, reading, `${place}.members`),
    }),
  };
};

const hiddenOutput: Read<CarriedOutput> = (value, reading, place) => {
  const callId = asRecord(value)?.['callId'];
  const { output } = outputOf(value);
  if (typeof callId === 'string' && output !== undefined) return { callId, output };
  reading.drop(place, 'no output');
  return undefined;
};

function outputOf(value: unknown): Partial<Pick<CarriedOutput, 'output'>> {
  return defined({ output: readOwnOutput(asRecord(value)?.['output']) });
}

/** We wrote it, but it has been through other people's storage: what is not whole is left out. */
function readOwnOutput(value: unknown): ToolOutput | undefined {
  const output = asRecord(value);
  if (output === undefined || !Array.isArray(output['content'])) return undefined;
  return { isError: output['isError'] === true, content: asRecords(output['content']).flatMap(readOwnContent) };
}

function readOwnContent(part: PromptPart): (TextContent | FileContent)[] {
  if (part['type'] === 'text') return [{ type: 'text', text: asString(part['text']) ?? '' }];
  const source = readOwnSource(asRecord(part['source']));
  const mediaType = asId(part['mediaType']);
  if (part['type'] !== 'file' || source === undefined || mediaType === undefined) return [];
  const filename = asString(part['filename']);
  const detail = asString(part['detail']);
  return [{ type: 'file', mediaType, source, ...defined({ filename, detail }) }];
}

function readOwnSource(source: PromptPart | undefined): FileSource | undefined {
  const url = asId(source?.['url']);
  const base64 = asId(source?.['base64']);
  const id = asId(source?.['id']);
  if (url !== undefined) return { type: 'url', url };
  if (base64 !== undefined) return { type: 'data', base64 };
  return id === undefined ? undefined : { type: 'id', id };
}

interface Member<T> {
  /** Only we can have written it. The others are options of the caller, and what the server has sealed or checks itself. */
  readonly needsSignature: boolean;
  readonly read: Read<T>;
}

const free = <T>(read: Read<T>): Member<T> => ({ needsSignature: false, read });
const ours = <T>(read: Read<T>): Member<T> => ({ needsSignature: true, read });

export type Members<T> = { readonly [K in keyof T]-?: Member<NonNullable<T[K]>> };

/** What callers may say themselves; it needs no signature. */
export const CALLER_OPTIONS: Members<CallerOptions> = {
  promptCacheBreakpoint: free(plain),
  phase: free(word),
  imageDetail: free(word),
};

/** Whether a name under ours is an option, which may be set at any time, also on a part that we wrote. */
export function isCallerOption(name: string): boolean {
  return Object.hasOwn(CALLER_OPTIONS, name) || Object.hasOwn(MESSAGE_OPTIONS, name);
}

/** What may stand under our own name. */
export const OWN_MEMBERS: Members<OwnMetadata> = {
  ...CALLER_OPTIONS,
  itemId: ours(word),
  wireCallId: ours(word),
  inRound: ours(word),
  rawInput: ours(text),
  preamble: ours((value) => value === true),
  asked: ours(words),
  reasoning: ours(reasoning),
  output: ours((value) => readOwnOutput(value)),
  carrier: ours(carrier),
  window: ours(flag),
  hostedItem: ours(hosted),
  itemFollows: free(flag),
  item: ours(clientCall),
  members: ours(callMembers),
  agent: ours(plain),
};

/** What may stand under the stock provider's name. With a secret only members of calls and sealed reasoning count. */
export const STOCK_MEMBERS: Members<StockMetadata> = {
  ...CALLER_OPTIONS,
  itemId: free(word),
  reasoningEncryptedContent: free(text),
  encryptedContent: ours(text),
  approvalId: free(word),
  namespace: free(word),
  async: free(flag),
  caller: free(caller),
  parallelToolCall: free(wrapperPlace),
};
