/**
 * Names on the wire that have no entry in `HANDLED_EVENTS`, `FAMILIES` or `src/items/list.ts`. `openai-types.test-d.ts`
 * checks that each name of OpenAI's own types is there or here, so an upgrade that brings a new one has to be decided.
 */

/** Events that change nothing for us: visible as raw parts, otherwise skipped. */
export const PASSED_THROUGH_EVENTS = [
  // Only proof that the line is alive.
  'keepalive',
  // Input of a tool the server runs; the finished item repeats it whole.
  'response.code_interpreter_call_code.delta',
  'response.code_interpreter_call_code.done',
  'response.mcp_call_arguments.delta',
  'response.mcp_call_arguments.done',
  'response.shell_call_command.added',
  'response.shell_call_command.delta',
  'response.shell_call_command.done',
  // Input of a tool the caller runs; the finished item repeats it whole.
  'response.apply_patch_call_operation_diff.done',
  'response.custom_tool_call_input.done',
  // Progress of a tool the server runs; the finished item says how it ended.
  'response.code_interpreter_call.in_progress',
  'response.code_interpreter_call.interpreting',
  'response.code_interpreter_call.completed',
  'response.file_search_call.in_progress',
  'response.file_search_call.searching',
  'response.file_search_call.completed',
  'response.image_generation_call.in_progress',
  'response.image_generation_call.generating',
  'response.image_generation_call.completed',
  'response.mcp_call.in_progress',
  'response.mcp_call.completed',
  'response.mcp_call.failed',
  'response.mcp_list_tools.in_progress',
  'response.mcp_list_tools.completed',
  'response.mcp_list_tools.failed',
  'response.web_search_call.in_progress',
  'response.web_search_call.searching',
  'response.web_search_call.completed',
  // Output of a tool the server runs, while it is being made; the finished item repeats it whole.
  'response.shell_call_output_content.delta',
  'response.shell_call_output_content.done',
  // Announces a compaction item, which then comes as any other item.
  'response.compaction.compacting',
  // No part of a language-model stream can carry sound.
  'response.audio.delta',
  'response.audio.done',
  'response.audio.transcript.delta',
  'response.audio.transcript.done',
] as const;

/** Output items kept as they came, so that the next request can send them back. */
export const PASSED_THROUGH_OUTPUT_ITEMS = [
  // The server ran the function itself (Mastra), so the call is not ours to run.
  'function_call_output',
  // The server loaded tools, listed them, or asked whether it may call one.
  'additional_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_list_tools',
  // The sealed summary of earlier items, which only the server can read.
  'compaction',
] as const;

export type PassedThroughEventName = (typeof PASSED_THROUGH_EVENTS)[number];
export type PassedThroughOutputItemName = (typeof PASSED_THROUGH_OUTPUT_ITEMS)[number];
