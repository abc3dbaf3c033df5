import { type JsonObject, type JsonValue, NAMED_BY_USERS, toCamelCase } from '../../core/json.js';
import { isServersCall } from '../../core/call-items.js';
import { asArray, asId, asRecord, asString, rowOf } from '../../util/guards.js';
import { pick } from './hosted-items.js';

/**
 * Calls that are no function calls, and that an item of its own answers: the caller's, where the caller has such a tool;
 * or one of the server's, which ran the call itself. How they are shown is in the words of the AI SDK's tools.
 */
export interface CallFamily {
  /** The kind of tool, or the tool's own name. */
  readonly tool: (item: JsonObject) => string;
  readonly input: (item: JsonObject) => JsonValue;
  /** Set where the input is also shown while it comes. */
  readonly shown?: ShownInput;
}

/** How an input is shown while it comes: a text that grows, in a frame. */
interface ShownInput {
  /** What stands before the text and behind it; `undefined` as long as that is not known. */
  readonly frame: (item: JsonObject) => Frame | undefined;
  /** The whole text. Default: the input as JSON. */
  readonly text?: (item: JsonObject) => string;
  /** The text as it stands in the frame. */
  readonly write?: (text: string) => string;
  /** The input is no JSON. */
  readonly encoding?: 'text';
}

interface Frame {
  readonly opening: string;
  readonly closing: string;
}

const NO_FRAME: Frame = { opening: '', closing: '' };

/** Nothing comes before the item is whole. */
const AT_ONCE: ShownInput = { frame: () => NO_FRAME };

/** The operation but for its diff; one that deletes a file has none. */
function patchFrame(item: JsonObject): Frame | undefined {
  const { type, path } = asRecord(item['operation']) ?? {};
  const callId = asId(item['call_id']);
  if (callId === undefined || typeof type !== 'string' || typeof path !== 'string') return undefined;
  const whole = JSON.stringify({ callId, operation: { type, path } });
  return type === 'delete_file'
    ? { opening: whole, closing: '' }
    : { opening: `${whole.slice(0, -2)},"diff":"`, closing: '"}}' };
}

const ofAction = ({ action }: JsonObject): JsonObject => ({ action: toCamelCase(action ?? {}, NAMED_BY_USERS) });

export const CALL_ITEMS: Readonly<Record<string, CallFamily>> = {
  custom_tool_call: {
    tool: (item) => asString(item['name']) ?? 'custom',
    input: (item) => item['input'] ?? '',
    shown: {
      frame: ({ name }) => (asId(name) === undefined ? undefined : NO_FRAME),
      text: ({ input }) => asString(input) ?? '',
      encoding: 'text',
    },
  },
  local_shell_call: { tool: () => 'local_shell', input: ofAction },
  shell_call: { tool: () => 'shell', input: ofAction },
  apply_patch_call: {
    tool: () => 'apply_patch',
    input: (item) => ({ callId: item['call_id'] ?? null, ...pick(item, ['operation']) }),
    shown: {
      frame: patchFrame,
      text: ({ operation }) => asString(asRecord(operation)?.['diff']) ?? '',
      // Half a surrogate pair is escaped, and whole again with the other half.
      write: (text) => JSON.stringify(text).slice(1, -1),
    },
  },
  computer_call: {
    tool: () => 'computer',
    input: ({ action, actions, pending_safety_checks: checks, status }) => ({
      // Older models do one thing at a time.
      actions: toCamelCase(actions ?? (action === undefined || action === null ? [] : [action])),
      pendingSafetyChecks: toCamelCase(checks ?? []),
      status: status ?? 'completed',
    }),
    shown: AT_ONCE,
  },
  tool_search_call: {
    tool: () => 'tool_search',
    // The stock provider takes one with an id for the client's.
    input: (item) => ({
      ...pick(item, ['arguments']),
      call_id: isServersCall('tool_search_call', item) ? null : (item['call_id'] ?? null),
    }),
    shown: AT_ONCE,
  },
  program: {
    tool: () => 'programmatic_tool_calling',
    input: (item) => pick(item, ['code', 'fingerprint']),
  },
};

export function callFamilyOf(itemType: string): CallFamily | undefined {
  return rowOf(CALL_ITEMS, itemType);
}

/** An output in a response, and how it is shown as the result of its call. */
export interface OutputFamily {
  readonly result: (item: JsonObject) => JsonValue;
  /** The call may be in an earlier response: the server waits for something before it can answer it. */
  readonly mayBeLate?: true;
  /** Whether it was completed is part of the result, so that is no error. */
  readonly saysStatus?: true;
}

const inCamelCase =
  (...names: readonly string[]) =>
  (item: JsonObject): JsonValue =>
    toCamelCase(pick(item, names));

const OUTPUT_ITEMS: Readonly<Record<string, OutputFamily>> = {
  custom_tool_call_output: { result: ({ output }) => output ?? '' },
  local_shell_call_output: { result: inCamelCase('output') },
  shell_call_output: { result: inCamelCase('max_output_length', 'output') },
  apply_patch_call_output: { result: inCamelCase('status', 'output') },
  computer_call_output: { result: inCamelCase('output', 'acknowledged_safety_checks') },
  // Declarations, which are the API's own.
  tool_search_output: {
    result: ({ tools }) => ({ tools: [...asArray(tools)] as JsonValue[] }),
  },
  // A program waits for the outputs of the functions that it calls.
  program_output: {
    result: (item) => pick(item, ['result', 'status']),
    mayBeLate: true,
    saysStatus: true,
  },
};

export function outputFamilyOf(itemType: string): OutputFamily | undefined {
  return rowOf(OUTPUT_ITEMS, itemType);
}
