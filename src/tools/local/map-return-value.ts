import type { JsonValue } from '../../core/json.js';
import { errorOutput, textOutput, type ToolOutput } from '../../core/message.js';
import { errorText } from '../../util/error-text.js';
import { isRecord } from '../../util/guards.js';
import { toJsonText } from '../../util/to-json.js';
import { isContentResult, mapContentResult, NO_OUTPUT } from '../map-content-result.js';

/** Whatever a function returned, as an output. Never throws. */
export function mapReturnValue(value: unknown): ToolOutput {
  if (typeof value === 'string') return value === '' ? textOutput(NO_OUTPUT) : textOutput(value);
  if (value === undefined) return textOutput(NO_OUTPUT);
  if (value instanceof Error) return errorOutput(errorText(value));
  try {
    return isContentResult(value) ? mapContentResult(value) : jsonOutput(value);
  } catch (error) {
    return errorOutput(`The tool ran, but what it returned cannot be written as JSON: ${errorText(error)}`);
  }
}

function jsonOutput(value: unknown): ToolOutput {
  const text = toJsonText(value);
  if (text === undefined) return textOutput(NO_OUTPUT);
  return {
    isError: isRecord(value) && value['isError'] === true,
    content: [{ type: 'text', text }],
    // Parsed back from its own text, so it is JSON by now.
    value: JSON.parse(text) as JsonValue,
  };
}
