import type { WrapperPlace } from '../core/call-items.js';
import type {
  AskedContent,
  AddedText,
  AssistantContent,
  FileContent,
  FileSource,
  ItemContent,
  ReasoningContent,
  TextContent,
  ToolCallContent,
  ToolOutput,
  ToolResultContent,
} from '../core/message.js';
import type {
  HostedCall,
  HostedPreview,
  HostedResult,
  KeptItem,
  PartFacts,
  ReasoningFacts,
  ResponseFacts,
  RoundPart,
  RoundResult,
  Source,
  ToolInputStart,
} from '../core/part.js';
import type { Usage } from '../core/usage.js';
import { failure } from './failure-record.js';
import {
  absent,
  byName,
  type Check,
  flag,
  json,
  listOf,
  may,
  number,
  object,
  oneOf,
  type Shape,
  shape,
  text,
} from './shape.js';

type Of<Type extends RoundPart['type']> = Extract<RoundPart, { readonly type: Type }>;

/** Looked up already: see `byName`. */
const type = text;

const textContent = shape<TextContent>({
  type,
  text,
  phase: may(text),
  agent: may(object),
  itemId: may(text),
  cacheBreakpoint: may(object),
});

const fileContent = shape<FileContent>({
  type,
  mediaType: text,
  source: byName('type', {
    url: shape<Extract<FileSource, { type: 'url' }>>({ type, url: text }),
    data: shape<Extract<FileSource, { type: 'data' }>>({ type, base64: text }),
    id: shape<Extract<FileSource, { type: 'id' }>>({ type, id: text }),
  } satisfies Record<FileSource['type'], Check>),
  filename: may(text),
  detail: may(text),
  cacheBreakpoint: may(object),
});

export const toolOutput = shape<ToolOutput>({
  isError: flag,
  content: listOf(byName('type', { text: textContent, file: fileContent })),
  value: may(json),
  additionalTools: may(listOf(object)),
});

/** The server's item: sent back unchanged, and each member is checked when read. */
const item = shape<{ readonly type: string }>({ type: text });

const TOOL_CALL: Shape<ToolCallContent> = {
  type,
  callId: text,
  name: text,
  arguments: text,
  wireCallId: may(text),
  itemId: may(text),
  item: may(item),
  members: may(object),
  wrapper: may(
    shape<WrapperPlace>({
      callId: text,
      name: text,
      itemId: may(text),
      arguments: may(text),
      index: number,
      count: number,
    }),
  ),
  inRound: may(text),
  wasHidden: may(flag),
  runsOn: absent,
};

const CONTENT: Readonly<Record<AssistantContent['type'], Check>> = {
  'added-text': shape<AddedText>({ type, text }),
  text: textContent,
  reasoning: shape<ReasoningContent>({
    type,
    summary: listOf(text),
    text: listOf(text),
    encrypted: may(text),
    origin: may(text),
    itemId: may(text),
    agent: may(object),
  }),
  'tool-call': shape(TOOL_CALL),
  'tool-result': shape<ToolResultContent>({
    type,
    callId: text,
    output: toolOutput,
    members: may(object),
    name: may(text),
    wireCallId: may(text),
    item: may(object),
  }),
  item: shape<ItemContent>({ type, item, isWindow: may(flag) }),
  asked: shape<AskedContent>({ type, callId: text }),
};

const facts = may(
  shape<PartFacts>({
    itemId: may(text),
    phase: may(text),
    agent: may(object),
    annotations: may(listOf(object)),
    logprobs: may(json),
    preamble: may(flag),
    reasoning: may(
      shape<ReasoningFacts>({ kind: oneOf('summary', 'text'), continues: may(flag), encrypted: may(text) }),
    ),
    // The loop writes carriers, behind the record.
    carrier: absent,
    place: absent,
  }),
);

const usage = shape<Usage>({
  inputTokens: may(number),
  outputTokens: may(number),
  totalTokens: may(number),
  reasoningTokens: may(number),
  cachedInputTokens: may(number),
  cacheWriteTokens: may(number),
  cacheWrite30mTokens: may(number),
  cacheWrite12hTokens: may(number),
  costInUsdTicks: may(number),
  raw: may(object),
});

const result = shape<RoundResult>({
  outcome: oneOf('completed', 'incomplete', 'failed', 'truncated', 'reset'),
  finishReason: oneOf('stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'),
  rawFinishReason: may(text),
  responseId: may(text),
  usage,
  content: listOf(byName('type', CONTENT)),
  answeredCallIds: listOf(text),
  error: may(failure),
  warnings: listOf(text),
  responseFacts: may(
    shape<ResponseFacts>({
      serviceTier: may(text),
      reasoningContext: may(text),
      promptCacheDiagnostics: may(json),
      moderation: may(json),
      toolUsage: may(object),
      inputTransformations: may(json),
    }),
  ),
  logprobs: may(listOf(json)),
  // A function, which no record contains.
  readBody: absent,
});

const edge = shape<Of<'text-start'>>({ type, id: text, facts });
const delta = shape<Of<'text-delta'>>({ type, id: text, delta: text });

/** Parts of a round as records have them: in `round-end` an error is what `toFailure` made of it. */
const PARTS: Readonly<Record<Exclude<RoundPart['type'], 'raw'>, Check>> = {
  response: shape<Of<'response'>>({ type, responseId: may(text), model: may(text), createdAt: may(number) }),
  'text-start': edge,
  'text-delta': delta,
  'text-end': edge,
  'reasoning-start': edge,
  'reasoning-delta': delta,
  'reasoning-end': edge,
  source: byName('kind', {
    url: shape<Extract<Of<'source'>, { kind: 'url' }>>({ type, id: text, kind: text, url: text, title: may(text) }),
    document: shape<Extract<Of<'source'>, { kind: 'document' }>>({
      type,
      id: text,
      kind: text,
      title: text,
      filename: may(text),
      fileId: may(text),
      containerId: may(text),
      annotationType: may(text),
      index: may(number),
    }),
  } satisfies Record<Source['kind'], Check>),
  file: shape<Of<'file'>>({ type, mediaType: text, base64: text }),
  'tool-input-start': shape<ToolInputStart>({
    type,
    callId: text,
    name: text,
    isItem: may(flag),
    encoding: may(oneOf('text')),
  }),
  'tool-input-delta': shape<Of<'tool-input-delta'>>({ type, callId: text, delta: text }),
  'tool-input-end': shape<Of<'tool-input-end'>>({ type, callId: text }),
  'tool-call': shape<ToolCallContent>(TOOL_CALL),
  'hosted-call': shape<HostedCall>({ type, callId: text, tool: text, input: text, item }),
  'hosted-preview': shape<HostedPreview>({ type, callId: text, tool: text, result: may(json) }),
  'hosted-result': shape<HostedResult>({
    type,
    callId: text,
    tool: text,
    result: json,
    afterPreviews: may(json),
    isError: flag,
    item: may(item),
    isLate: may(flag),
  }),
  item: shape<KeptItem>({ type, item }),
  'round-end': shape<Of<'round-end'>>({ type, result }),
};

export const roundPart: Check = byName('type', PARTS);
