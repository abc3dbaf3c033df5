import type { JsonObject } from '../../core/json.js';
import type { SystemMessage } from '../../core/message.js';
import { checkValue } from '../../util/check-value.js';
import { isClients } from '../../items/kinds/tool-search.js';
import { checkOption } from '../../request/convert-options.js';
import { MESSAGE_OPTIONS } from '../../request/option-table.js';
import { defined } from '../../util/defined.js';
import { asRecord, asRecords, asString } from '../../util/guards.js';
import { quoted } from '../history/check-item.js';
import type { PromptPart } from '../history/part-metadata.js';
import { hasOptions, type PromptReader } from './prompt-reader.js';

/**
 * Reads a system message's changes of effort, format and tools, which may replace its text.
 *
 * @throws ResponsesLoopError `invalid-options`: one of them has a wrong type
 */
export function readControls(
  message: PromptPart,
  reader: PromptReader,
): Pick<SystemMessage, 'reasoningEffort' | 'textFormat' | 'additionalTools'> {
  if (!hasOptions(message)) return {};
  const options = reader.door.given(message);
  for (const [name, shape] of Object.entries(MESSAGE_OPTIONS)) {
    const value = options[name];
    if (value === undefined || value === null) continue;
    for (const problem of checkOption(value, shape, name, reader.options)) reader.note(problem);
  }
  const tools = asRecords(options['additionalTools']);
  return defined({
    reasoningEffort: asString(options['reasoningEffortUpdate']),
    // They were checked, and the AI SDK types provider options as JSON.
    textFormat: asRecord(options['textFormatUpdate']) as JsonObject | undefined,
    additionalTools: tools.length === 0 ? undefined : (tools as JsonObject[]),
  });
}

/** Returns the call's declared tools that the result of another tool adds. */
export function readAdditionalTools(value: unknown, reader: PromptReader): JsonObject[] {
  if (value === undefined || value === null) return [];
  const misfit = checkValue(value, MESSAGE_OPTIONS['additionalTools'] ?? 'any', 'additionalTools');
  if (misfit?.kind === 'type') {
    reader.warn(`holds an option "${misfit.path}" that is not ${misfit.allowed}`);
    return [];
  }
  return (asRecords(value) as JsonObject[]).filter((tool) => {
    if (!isClients(tool)) reader.warn('brings a tool that the server would run');
    const undeclared = namesOf(tool).find((name) => reader.options.tools?.has(name) !== true);
    if (undeclared !== undefined) reader.warn(`brings the tool ${quoted(undeclared)}, which the call does not declare`);
    return isClients(tool) && undeclared === undefined;
  });
}

/** Returns the names of all functions in it, because namespaces may be nested. */
function namesOf(tool: JsonObject): string[] {
  return tool['type'] === 'namespace'
    ? (asRecords(tool['tools']) as JsonObject[]).flatMap(namesOf)
    : [asString(tool['name']) ?? ''];
}
