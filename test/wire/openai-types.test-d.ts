import type {
  ResponseCreateParams,
  ResponseIncludable,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseStreamEvent,
  ServiceTier as OpenAIServiceTier,
  Tool as OpenAITool,
} from 'openai/resources/responses/responses';
import type { ReasoningEffort as OpenAIReasoningEffort } from 'openai/resources/shared';
import { describe, expectTypeOf, test } from 'vitest';
import type {
  ImageDetail,
  InputAssistantMessage,
  InputCallItemOutput,
  InputContent,
  InputFunctionCall,
  InputFunctionCallOutput,
  InputImage,
  InputItem,
  InputMessage,
  InputReasoning,
  UnknownName,
  VerbatimItem,
} from '../../src/wire/input-item.js';
import type { Includable, ReasoningEffort, RequestBody, ServiceTier, VendorFields } from '../../src/wire/request.js';
import type { FunctionTool, HostedTool, ToolChoice } from '../../src/wire/tool.js';
import type { KindItemName } from '../../src/items/kinds.js';
import type { FAMILIES } from '../../src/stream/items.js';
import type { HandledEventName } from '../../src/stream/reduce-events.js';
import type { PassedThroughEventName, PassedThroughOutputItemName } from './passed-through.js';

type HandledOutputItemName = keyof typeof FAMILIES | KindItemName;

/**
 * Our sent types as OpenAI's types can read them. Arrays lose `readonly`, and this is where we differ on purpose:
 * - an item replayed as it came, what the caller's tool returned for a call that is no function call, and a hosted tool
 *   are opaque, so there is nothing to compare;
 * - the tool choice `web_search` is sent by peers but is in no union of OpenAI's package;
 * - an earlier answer and earlier reasoning have an id there, which a server that stores nothing refuses (I15);
 * - an image has a `detail` there, which nobody asked us to send (I14).
 */
type Comparable<T> = T extends VerbatimItem | InputCallItemOutput | HostedTool | 'web_search'
  ? never
  : T extends InputAssistantMessage | InputReasoning
    ? Members<T> & { id: string }
    : T extends InputImage
      ? Members<T> & { detail: ImageDetail }
      : T extends readonly (infer Element)[]
        ? Comparable<Element>[]
        : T extends object
          ? Members<T>
          : T;

type Members<T> = { [Key in keyof T]: Comparable<T[Key]> };

describe('what we send is what OpenAI describes', () => {
  test('the request body', () => {
    expectTypeOf<Comparable<RequestBody>>().toExtend<ResponseCreateParams>();
  });

  test('every field of the request is known, and only the vendor fields are more', () => {
    expectTypeOf<Exclude<keyof ResponseCreateParams, keyof RequestBody>>().toBeNever();
    expectTypeOf<Exclude<keyof RequestBody, keyof ResponseCreateParams>>().toEqualTypeOf<keyof VendorFields>();
  });

  test('closed lists of names', () => {
    expectTypeOf<Includable>().toEqualTypeOf<ResponseIncludable>();
    expectTypeOf<ServiceTier>().toEqualTypeOf<NonNullable<OpenAIServiceTier>>();
    expectTypeOf<ReasoningEffort>().toEqualTypeOf<NonNullable<OpenAIReasoningEffort>>();
  });

  test('each input item', () => {
    expectTypeOf<Comparable<InputMessage>>().toExtend<ResponseInputItem.Message>();
    expectTypeOf<Comparable<InputAssistantMessage>>().toExtend<ResponseInputItem>();
    expectTypeOf<Comparable<InputReasoning>>().toExtend<ResponseInputItem>();
    expectTypeOf<Comparable<InputFunctionCall>>().toExtend<ResponseInputItem>();
    expectTypeOf<Comparable<InputFunctionCallOutput>>().toExtend<ResponseInputItem>();
    expectTypeOf<Comparable<InputItem>>().toExtend<ResponseInputItem>();
  });

  test('a function tool, as it is', () => {
    expectTypeOf<FunctionTool>().toExtend<OpenAITool>();
  });

  test('each way to choose a tool', () => {
    expectTypeOf<Comparable<ToolChoice>>().toExtend<NonNullable<ResponseCreateParams['tool_choice']>>();
  });
});

describe('sent types refuse what no server takes', () => {
  test('an item reference', () => {
    expectTypeOf<ResponseInputItem.ItemReference>().not.toExtend<InputItem>();
  });

  test('an item that only looks like one passed through', () => {
    expectTypeOf<{ type: 'web_search_call'; id: string }>().not.toExtend<InputItem>();
    expectTypeOf<{ type: UnknownName }>().not.toExtend<InputItem>();
  });

  test('a message without its type', () => {
    expectTypeOf<Omit<InputMessage, 'type'>>().not.toExtend<InputItem>();
  });

  test('an image from two places', () => {
    expectTypeOf<{ type: 'input_image'; image_url: string; file_id: string }>().not.toExtend<InputContent>();
  });

  test('inline data without a name', () => {
    expectTypeOf<{ type: 'input_file'; file_data: string }>().not.toExtend<InputContent>();
  });
});

type EventName = ResponseStreamEvent['type'];
type ItemName = ResponseOutputItem['type'];
type Undecided<Name, Known> = Exclude<Name, Known>;

type HandledName = HandledEventName | HandledOutputItemName | PassedThroughEventName | PassedThroughOutputItemName;

/** Names that `openai` does not know: add one here if another server sends it, else it is misspelt. */
const BEYOND_OPENAI: Readonly<Record<Exclude<HandledName, EventName | ItemName>, 'event' | 'item'>> = {
  keepalive: 'event',
  'response.apply_patch_call_operation_diff.delta': 'event',
  'response.apply_patch_call_operation_diff.done': 'event',
  'response.cancelled': 'event',
  'response.done': 'event',
  'response.reasoning.delta': 'event',
  'response.reasoning.done': 'event',
  code_execution_call: 'item',
  view_image_call: 'item',
  view_x_video_call: 'item',
  x_search_call: 'item',
};

describe('every name OpenAI knows has been decided, once', () => {
  test('events', () => {
    expectTypeOf<Undecided<EventName, HandledEventName | PassedThroughEventName>>().toBeNever();
    expectTypeOf<HandledEventName & PassedThroughEventName>().toBeNever();
  });

  test('output items', () => {
    expectTypeOf<Undecided<ItemName, HandledOutputItemName | PassedThroughOutputItemName>>().toBeNever();
    expectTypeOf<HandledOutputItemName & PassedThroughOutputItemName>().toBeNever();
  });

  test('a new name would be noticed', () => {
    expectTypeOf<
      Undecided<EventName | 'response.new', HandledEventName | PassedThroughEventName>
    >().toEqualTypeOf<'response.new'>();
    expectTypeOf<
      Undecided<ItemName | 'new_call', HandledOutputItemName | PassedThroughOutputItemName>
    >().toEqualTypeOf<'new_call'>();
  });

  test('names beyond OpenAI are those other servers send', () => {
    expectTypeOf(BEYOND_OPENAI).toBeObject();
  });
});
