import type { ToolOutput } from '../core/message.js';

/** What several calls gave, as the one output of the call that they came in. */
export function joinOutputs(outputs: readonly ToolOutput[]): ToolOutput {
  const [only] = outputs;
  if (only !== undefined && outputs.length === 1) return only;
  const additionalTools = outputs.flatMap((output) => output.additionalTools ?? []);
  return {
    isError: outputs.every((output) => output.isError),
    content: outputs.flatMap((output) => output.content),
    ...(additionalTools.length === 0 ? {} : { additionalTools }),
  };
}
