/**
 * Names on the wire that have no entry in `HANDLED_EVENTS` or `FAMILIES`; `HOSTED` and `CALL_ITEMS` may still show such an
 * item. `openai-types.test-d.ts` checks that each name of OpenAI's own types is there or here, so an upgrade that brings a
 * new one has to be decided.
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

/** Output items kept as they came, so that the next request can replay them; calls of tools among them are shown, too. */
export const PASSED_THROUGH_OUTPUT_ITEMS = [
  // The server ran the function itself (Mastra); also shows that the call is not ours to run.
  'function_call_output',
  // Calls of tools the server runs, input and result in one item.
  'code_interpreter_call',
  'file_search_call',
  'image_generation_call',
  'mcp_call',
  'web_search_call',
  // Calls the caller mostly has to answer, of kinds the engine does not run, and their outputs.
  'apply_patch_call',
  'apply_patch_call_output',
  'computer_call',
  'computer_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  // What the server did about tools: listed them, found or loaded more, asked whether it may call one.
  'additional_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_list_tools',
  'tool_search_call',
  'tool_search_output',
  // A program that calls tools at the server, and what it printed.
  'program',
  'program_output',
  // The sealed summary of what came before it: means nothing to anyone but the server.
  'compaction',
] as const;

export type PassedThroughEventName = (typeof PASSED_THROUGH_EVENTS)[number];
export type PassedThroughOutputItemName = (typeof PASSED_THROUGH_OUTPUT_ITEMS)[number];
