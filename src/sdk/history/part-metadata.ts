import type { CallMembers, ServerItem, WrapperPlace } from '../../core/call-items.js';
import type { Carrier, CarriedCall, CarriedOutput, PlacedCall } from '../../core/carrier.js';
import type { JsonObject } from '../../core/json.js';
import type { ToolOutput } from '../../core/message.js';

/** A message or a part of a prompt: shapes differ between versions, so members are looked at one by one. */
export type PromptPart = Readonly<Record<string, unknown>>;

/** What a part of a prompt says beside itself, checked: only the door makes one. */
export interface PartMetadata {
  readonly own: OwnMetadata;
  readonly stock: StockMetadata;
}

/** What callers may say about a message or a part themselves, under our name or the stock provider's. */
export interface CallerOptions {
  readonly promptCacheBreakpoint?: JsonObject;
  readonly phase?: string;
  /** How closely the model looks at an image. */
  readonly imageDetail?: string;
}

/** What we wrote: see `metadata.ts`. */
export interface OwnMetadata extends CallerOptions {
  readonly itemId?: string;
  readonly wireCallId?: string;
  readonly inRound?: string;
  /** The arguments as the model wrote them. */
  readonly rawInput?: string;
  readonly preamble?: boolean;
  /** As older calls say it; newer ones say it in their carrier. */
  readonly asked?: readonly string[];
  readonly reasoning?: OwnReasoning;
  /** What the model was given as a tool's output. */
  readonly output?: ToolOutput;
  readonly carrier?: ReadCarrier;
  /** The summary in it came with what stands before it: see `ItemContent.isWindow`. */
  readonly window?: boolean;
  /** Of a tool that the server ran. */
  readonly hostedItem?: ServerItem;
  /** The call was shown before it was whole: its item stands beside its result. */
  readonly itemFollows?: boolean;
  /** Of a call of the caller's that is not a function call. */
  readonly item?: ServerItem;
  /** What else the server said of a call. */
  readonly members?: CallMembers;
  /** Whose text, reasoning or summary it is, if agents work together. */
  readonly agent?: JsonObject;
}

/** A carrier whose items may be sent. */
export interface ReadCarrier extends Pick<Carrier, 'asked' | 'behind' | 'order'> {
  readonly before?: readonly ServerItem[];
  readonly callsBefore?: readonly PlacedCall[];
  readonly after?: readonly ServerItem[];
  readonly calls?: readonly (PlacedCall & Partial<Pick<CarriedCall, 'output'>>)[];
  readonly outputs?: readonly CarriedOutput[];
}

export interface OwnReasoning {
  readonly kind: 'summary' | 'text';
  readonly continues: boolean;
  readonly encrypted?: string;
  readonly origin?: string;
}

/** What the stock provider writes, under `openai` or `azure`. */
export interface StockMetadata extends CallerOptions {
  readonly itemId?: string;
  readonly reasoningEncryptedContent?: string;
  /** Of a compaction. */
  readonly encryptedContent?: string;
  /** Which request a denial is about. */
  readonly approvalId?: string;
  /** Of a call, in its words. */
  readonly namespace?: string;
  readonly async?: boolean;
  readonly caller?: JsonObject;
  readonly parallelToolCall?: WrapperPlace;
}
