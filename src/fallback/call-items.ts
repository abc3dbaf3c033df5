import { type JsonObject, type JsonValue, NAMED_BY_USERS, toCamelCase as camelCaseOf } from '../core/json.js';
import { asString } from '../util/guards.js';

/** A call of a tool that only the caller can run, and that is no function, as the stock provider has it in a prompt. */
export interface CallItem {
  /** The kind of tool. */
  readonly tool: (item: JsonObject) => string;
  readonly input: (item: JsonObject) => JsonValue;
}

/** The stock provider's words for such calls: those of the wire, in camel case. */
export const CALL_ITEMS: Readonly<Record<string, CallItem>> = {
  custom_tool_call: { tool: (item) => asString(item['name']) ?? 'custom', input: (item) => item['input'] ?? '' },
  local_shell_call: { tool: () => 'local_shell', input: ({ action = {} }) => ({ action: toCamelCase(action) }) },
  shell_call: { tool: () => 'shell', input: ({ action = {} }) => ({ action: toCamelCase(action) }) },
  apply_patch_call: {
    tool: () => 'apply_patch',
    input: ({ call_id: callId = null, operation = {} }) => ({ callId, operation: toCamelCase(operation) }),
  },
  computer_call: {
    tool: () => 'computer',
    input: ({ action, actions = action === undefined ? [] : [action], pending_safety_checks: checks, status }) => ({
      actions: toCamelCase(actions),
      pendingSafetyChecks: toCamelCase(checks ?? []),
      status: status ?? 'completed',
    }),
  },
};

/** What the caller returned for them, as a tool's result. */
export const CALL_ITEM_OUTPUTS: Readonly<Record<string, (item: JsonObject) => JsonObject>> = {
  custom_tool_call_output: ({ output }) => textResult(output),
  local_shell_call_output: ({ output = '' }) => ({ type: 'json', value: { output } }),
  shell_call_output: ({ output = [] }) => ({ type: 'json', value: { output: toCamelCase(output) } }),
  computer_call_output: ({ output = {}, acknowledged_safety_checks: checks }) => ({
    type: 'json',
    value: {
      output: toCamelCase(output),
      ...(checks === undefined ? {} : { acknowledgedSafetyChecks: toCamelCase(checks) }),
    },
  }),
  apply_patch_call_output: ({ status = 'completed', output }) => ({
    type: 'json',
    value: { status, ...(output === undefined ? {} : { output }) },
  }),
};

export function textResult(output: unknown): JsonObject {
  return { type: 'text', value: typeof output === 'string' ? output : JSON.stringify(output ?? '') };
}

function toCamelCase(value: JsonValue): JsonValue {
  return camelCaseOf(value, NAMED_BY_USERS);
}
