import { clean } from '../core/clean-text.js';
import type { Call } from '../core/call.js';
import { isSealedCompaction } from '../core/compaction.js';
import type { JsonObject } from '../core/json.js';
import type { RoundResult } from '../core/part.js';
import { toPushStream } from '../core/push-stream.js';
import type { Round } from '../core/round.js';
import { warningText } from '../core/warning.js';
import { ApiError } from '../errors/api-error.js';
import { invalidSettings } from '../errors/invalid-settings.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { createCallIds } from '../loop/call-ids.js';
import { readApprovals } from '../loop/read-approvals.js';
import type { RoundContext, RoundSource } from '../rounds/round-source.js';
import { VERSIONS } from '../sdk/parts/versions.js';
import { type CompactedConversation, type CompactedMessageV4, toCompactedMessages } from '../sdk/parts/compacted.js';
import { raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { asRecord, asRecords } from '../util/guards.js';
import type { WantedCall } from './call-stages.js';
import type { Calls } from './calls.js';

/** The fields that POST /responses/compact accepts. */
const FIELDS: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'previous_response_id',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'service_tier',
]);

/** Sent by `fetch` of the settings, like a request for a response with fewer fields. */
const ROUTE: NonNullable<RoundContext['route']> = {
  path: '/compact',
  body: (body) => Object.fromEntries(Object.entries(body).filter(([name]) => FIELDS.has(name))),
};

/** Requests a summary of a conversation from the server. */
export async function compactConversation(calls: Calls, wanted: WantedCall): Promise<CompactedConversation> {
  const hasPart = VERSIONS[wanted.how.version].traits.isItemVisible !== undefined;
  if (!hasPart && wanted.model.loop.carrier === 'none')
    throw invalidSettings('Under `carrier: "none"` compact() needs responses-loop/v4.');
  const { prompt } = wanted.options;
  const given = { ...wanted, options: { ...wanted.options, prompt: asRecords(prompt).map(asPrompt) } };
  const { call, context, wire, seal, warnings: ofPrompt } = await calls.prepare(given);
  // It uses HTTP without a stream, is the whole answer, and covers the whole conversation.
  const options = { ...call.options, transport: 'sse', compactionTrigger: null, conversation: null };
  const asked: Call = {
    ...call,
    options,
    stream: false,
    clientTools: [],
    hostedTools: [],
    responseFormat: { type: 'text' },
  };
  const source = await wire.answer(asked, { ...context, route: ROUTE });
  const { result, warnings } = await read(source, asked, context);
  const answer = asRecord(result?.readBody?.()) ?? {};
  // It was parsed from JSON.
  const output = asRecords(answer['output']) as JsonObject[];
  if (!output.some(isSealedCompaction))
    throw new ResponsesLoopError({
      code: 'not-a-responses-api',
      message: clean`The answer contains no summary. ${INSTEAD}`,
    });
  const leftOut: string[] = [];
  const messages = await toCompactedMessages(output, {
    context: hasPart ? source.metadata : undefined,
    sign: seal && ((part, metadata) => seal.sign(part, metadata)),
    onWarning: (message) => leftOut.push(message),
  });
  const { inputTokens, outputTokens, totalTokens } = result?.usage ?? {};
  // In the form of the caller's version, as in the type of `compact()`.
  const laidDown = asRecords(prompt).filter(({ role }) => role === 'system') as unknown as CompactedMessageV4[];
  return {
    messages: [...laidDown, ...messages],
    usage: defined({ inputTokens, outputTokens, totalTokens }),
    ...defined({ responseId: result?.responseId }),
    warnings: [...ofPrompt.map(warningText), ...warnings, ...leftOut],
  };
}

/** Messages of the AI SDK use other names for pictures, and buffers. */
function asPrompt(message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { role, content } = message;
  return role === 'user' && Array.isArray(content) ? { ...message, content: asRecords(content).map(asFile) } : message;
}

function asFile(part: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, image, data = image, mediaType = 'image/*', ...rest } = part;
  if (type !== 'image' && type !== 'file') return part;
  return { ...rest, type: 'file', mediaType, data: data instanceof ArrayBuffer ? new Uint8Array(data) : data };
}

async function read(
  { openRound }: RoundSource,
  { messages }: Call,
  { signal }: RoundContext,
): Promise<{ readonly result: RoundResult | undefined; readonly warnings: readonly string[] }> {
  const ids = createCallIds(messages);
  const opening = openRound({
    index: 0,
    prompt: readApprovals(messages).turns,
    added: [],
    tools: [],
    toolChoice: { type: 'auto' },
    closing: false,
    // No other code retries.
    isResumed: true,
    signal,
    newIds: () => ids.forRound(0),
  });
  try {
    const round = await raceAbort(opening, signal);
    const result = await endOf(round, signal);
    if (result?.error !== undefined) throw result.error;
    return { result, warnings: round.warnings ?? [] };
  } catch (error) {
    throw ApiError.isInstance(error) && isMissing(error)
      ? new ApiError({ ...error.facts, message: clean`${error.facts.message} ${INSTEAD}` })
      : error;
  }
}

async function endOf({ batches }: Round, signal: RoundContext['signal']): Promise<RoundResult | undefined> {
  let result: RoundResult | undefined;
  const reading = toPushStream(batches)((batch) => {
    const end = batch.at(-1);
    if (end?.type === 'round-end') result = end.result;
    return true;
  });
  await raceAbort(reading, signal);
  return result;
}

const INSTEAD = 'The server seems to have no POST /responses/compact. maxLoopChars keeps loops short without it.';
const MISSING: ReadonlySet<number | undefined> = new Set([404, 405, 501]);

/** The route is missing, as opposed to the model. */
function isMissing({ statusCode, serverCode, code }: ApiError): boolean {
  return code === 'not-a-responses-api' || (MISSING.has(statusCode) && serverCode !== 'model_not_found');
}
