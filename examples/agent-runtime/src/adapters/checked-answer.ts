import { createAnswerSchema } from 'responses-loop-example-shared/answer-schema.js';
import { AgentError } from '../core/agent-error.js';
import { outputRow } from '../core/outputs.js';
import { isDeeperThan, MAX_LEVELS } from '../core/plain-json.js';
import { event } from '../driver/events.js';
import type { AdapterOptions } from '../types/adapter.js';
import type { JsonSchema } from '../types/driver.js';
import type { DriverStreamEvent } from '../types/events.js';
import type { AdapterMessage } from '../types/messages.js';

const NAME = 'the schema of the message';

/** @throws AgentError `bad_message`, if it is no JSON schema that can be checked */
export function checkSchema(schema: JsonSchema): void {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new AgentError('bad_message', '`schema` must be a JSON schema, which is an object.');
  }
  if (isDeeperThan(schema, MAX_LEVELS)) {
    throw new AgentError('bad_message', `\`schema\` is nested more than ${MAX_LEVELS} levels deep.`);
  }
  try {
    createAnswerSchema(schema, 'schema');
  } catch (error) {
    throw new AgentError('bad_message', `\`schema\` cannot be checked: ${(error as Error).message}`, { cause: error });
  }
}

/** Ends that no answer stands before. */
const WITHOUT_ANSWER: ReadonlySet<string> = new Set(['approval_needed', 'error']);

/** An answer whose text is checked by the schema of its message, whoever gives it. */
export async function* checkedAnswer(
  schema: JsonSchema,
  options: AdapterOptions,
  answer: (options: AdapterOptions) => AsyncGenerator<AdapterMessage>,
): AsyncGenerator<AdapterMessage> {
  const check = createAnswerSchema(schema, NAME);
  let text = '';
  let stop: Extract<DriverStreamEvent, { type: 'message_stop' }> | undefined;
  const onEvent = (given: DriverStreamEvent): void => {
    // The last row may come behind it.
    if (given.type === 'message_stop') stop = given;
    else options.onEvent?.(given);
  };
  for await (const row of answer({ ...options, onEvent })) {
    if (row.type === 'agent' && row.metadata?.kind !== 'thinking') text = row.content;
    yield row;
  }
  if (stop === undefined) return;
  if (WITHOUT_ANSWER.has(stop.data.stopReason)) return options.onEvent?.(stop);
  const problem = check.problemOf(text);
  if (problem === undefined) {
    const value: unknown = JSON.parse(text);
    yield outputRow(value);
    options.onEvent?.(event('output', { value }));
    options.onEvent?.(stop);
  } else {
    options.onEvent?.(event('error', { message: problem, errorCode: 'output_invalid', isRetryable: true }));
    options.onEvent?.(event('message_stop', { ...stop.data, stopReason: 'error' }));
  }
}
