import { ResponsesLoopError } from '../../errors/responses-loop-error.js';
import { isRecord } from '../../util/guards.js';

/** Refuses local tools that can never run; called when the provider is created. */
export function validateLocalTools(tools: unknown): void {
  if (tools === undefined) return;
  if (!isRecord(tools)) throw invalid('`tools` has to be an object of tools by name.');
  for (const [name, tool] of Object.entries(tools)) {
    if (!isRecord(tool)) throw invalid(`tools["${name}"] has to be an object with \`execute\` and \`inputSchema\`.`);
    if (typeof tool['execute'] !== 'function') {
      throw invalid(
        `tools["${name}"] has no \`execute\` function. Pass tools that the client runs to streamText instead.`,
      );
    }
    const { timeoutMs } = tool;
    if (timeoutMs !== undefined && (typeof timeoutMs !== 'number' || !(timeoutMs >= 0))) {
      throw invalid(`tools["${name}"].timeoutMs has to be a number of milliseconds.`);
    }
  }
}

function invalid(message: string): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'invalid-settings', message });
}
