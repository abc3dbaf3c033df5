import { textOutput, type ToolOutput } from '../../core/message.js';
import { limitFiles } from '../map-content-result.js';
import type { LocalTool } from './local-tool.js';
import { mapModelOutput } from './map-model-output.js';

/** One call that has ended. */
interface EndedCall {
  readonly toolCallId: string;
  readonly input: unknown;
  readonly output: unknown;
}

/**
 * What the tool's own `toModelOutput` makes of a result; see the rule at `LocalTool.toModelOutput`.
 *
 * @throws what the function throws, and an error where it returns something the AI SDK has no such shape for
 */
export async function callToModelOutput(
  toModelOutput: NonNullable<LocalTool['toModelOutput']>,
  call: EndedCall,
): Promise<ToolOutput> {
  let wasRead = false;
  // Not enumerable: a function for AI SDK 5 that copies or writes down its argument has not read these on purpose.
  const argument = Object.defineProperties(
    {},
    Object.fromEntries(
      Object.entries(call).map(([name, value]) => [
        name,
        {
          get: (): unknown => {
            wasRead = true;
            return value;
          },
        },
      ]),
    ),
  );
  let returned: unknown;
  try {
    returned = await toModelOutput(argument);
  } catch (error) {
    if (wasRead) throw error;
  }
  if (!wasRead) returned = await toModelOutput(call.output);
  const mapped = typeof returned === 'string' ? textOutput(returned) : mapModelOutput(returned);
  if (mapped === undefined) throw new TypeError('it returned none of the shapes of the AI SDK');
  return limitFiles(mapped);
}
