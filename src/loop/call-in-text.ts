import type { AssistantContent } from '../core/message.js';

/** How local models write a call when nobody parses it for them (vllm-project/vllm#29725, Chevey339/kelivo#616). */
const CALL_IN_TEXT = /<tool_call>|<function_calls?>|<function=|<\|tool_call|\[TOOL_CALLS\]/;

/** A warning when an answer looks as if the server's tool parser were switched off; the text itself is left alone. */
export function warnOfCallInText(content: readonly AssistantContent[]): string[] {
  const calls = content.some((item) => item.type === 'tool-call');
  const written = content.some((item) => item.type === 'text' && CALL_IN_TEXT.test(item.text));
  if (calls || !written) return [];
  return [
    'The answer holds what looks like a tool call written as text: the server seems not to parse tool calls. Switch its tool parser on (vLLM: --enable-auto-tool-choice and --tool-call-parser; llama.cpp: --jinja).',
  ];
}
