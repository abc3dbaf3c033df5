import { MESSAGE_OPTIONS } from '../../request/option-table.js';
import { carrier, ownOutput } from './read-carrier.js';
import {
  caller,
  callMembers,
  clientCall,
  flag,
  hosted,
  place,
  plain,
  type Read,
  reasoning,
  text,
  word,
  words,
  wrapperPlace,
} from './readers.js';

/** A message or a part of a prompt: shapes differ between versions, so members are read one by one. */
export type PromptPart = Readonly<Record<string, unknown>>;

/** The checked metadata of a prompt's part: only the door makes one. */
export interface PartMetadata {
  readonly own: OwnMetadata;
  readonly vendor: VendorMetadata;
}

interface Member<T> {
  /** Only we can have written it. The others are the caller's options, and data that the server sealed or checks. */
  readonly needsSignature: boolean;
  readonly read: Read<T>;
}

const free = <T>(read: Read<T>): Member<T> => ({ needsSignature: false, read });
const ours = <T>(read: Read<T>): Member<T> => ({ needsSignature: true, read });

export type Members = Readonly<Record<string, Member<unknown>>>;

/** The result type of a table of members. */
export type ReadBy<Table extends Members> = {
  readonly [Name in keyof Table]?: NonNullable<ReturnType<Table[Name]['read']>>;
};

/** Options that callers may set on a message or a part, under our name or the vendor's. They need no signature. */
export const CALLER_OPTIONS = {
  promptCacheBreakpoint: free(plain),
  phase: free(word),
  /** How closely the model looks at an image. */
  imageDetail: free(word),
};

/** Whether a name under ours is an option, which may be set at any time, also on a part that we wrote. */
export function isCallerOption(name: string): boolean {
  return Object.hasOwn(CALLER_OPTIONS, name) || Object.hasOwn(MESSAGE_OPTIONS, name);
}

export type OwnMetadata = ReadBy<typeof OWN_MEMBERS>;

/** The members under our own name, as we write them: see `metadata.ts`. */
export const OWN_MEMBERS = {
  ...CALLER_OPTIONS,
  itemId: ours(word),
  wireCallId: ours(word),
  inRound: ours(word),
  /** Facts about the tool, for user interfaces alone. */
  tool: free(plain),
  /** The arguments as the model wrote them. */
  rawInput: ours(text),
  preamble: ours(flag),
  /** The form of older calls; newer ones use their carrier. */
  asked: ours(words),
  reasoning: ours(reasoning),
  /** The output that the model was given. */
  output: ours(ownOutput),
  /** The result shows the progress of the call. Unsigned, because it only weakens a result. */
  preliminary: free(flag),
  carrier: ours(carrier),
  place: ours(place),
  /** The server returned the summary with the messages before it: see `ItemContent.isWindow`. */
  window: ours(flag),
  /** Of a tool that the server ran. */
  hostedItem: ours(hosted),
  /** The call was shown before it was complete, so its result has its item. */
  itemFollows: free(flag),
  /** Of a call of the caller's that is not a function call. */
  item: ours(clientCall),
  /** The call's other members. */
  members: ours(callMembers),
  /** The author of the text, reasoning or summary, if agents work together. */
  agent: ours(plain),
};

export type VendorMetadata = ReadBy<typeof VENDOR_MEMBERS>;

/** Members that the vendor's AI SDK provider may have written. With a secret only members of calls and sealed reasoning count. */
export const VENDOR_MEMBERS = {
  ...CALLER_OPTIONS,
  itemId: free(word),
  reasoningEncryptedContent: free(text),
  /** Of a compaction. */
  encryptedContent: ours(text),
  /** The request of a denial. */
  approvalId: free(word),
  /** Of a call, in its words. */
  namespace: free(word),
  async: free(flag),
  caller: free(caller),
  parallelToolCall: free(wrapperPlace),
};
