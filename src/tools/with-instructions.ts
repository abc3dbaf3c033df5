import type { Call } from '../core/call.js';
import type { Message, SystemMessage } from '../core/message.js';
import type { ServerInstructions } from './loop-tool.js';

/**
 * The call with what the tool servers want the model to know, behind the system prompt. It joins the last system message
 * where there is one, because some chat templates take only one (llama.cpp).
 */
export function withInstructions(call: Call, instructions: readonly ServerInstructions[]): Call {
  if (instructions.length === 0) return call;
  const firstOther = call.messages.findIndex((message) => !isPlainSystem(message));
  const end = firstOther < 0 ? call.messages.length : firstOther;
  const system = call.messages.slice(0, end).filter(isPlainSystem);
  const last = system.pop();
  const added = instructions.map(({ source, text }) => `# Instructions of the tool server "${source}"\n${text}`);
  const text = [...(last === undefined ? [] : [last.text]), ...added].join('\n\n');
  return { ...call, messages: [...system, { ...last, role: 'system', text }, ...call.messages.slice(end)] };
}

function isPlainSystem(message: Message): message is SystemMessage {
  return message.role === 'system' && message.reasoningEffort === undefined;
}
