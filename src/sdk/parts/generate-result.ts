import type { CallFinish, CallPart } from '../../core/part.js';
import { withTelemetryView } from '../../observe/redact.js';
import { abortError } from '../../util/abort.js';
import { defined } from '../../util/defined.js';
import { type Spoken, SpokenTexts } from './spoken.js';
import type { Citation, CommonPart, WarningOf, WithMetadata } from './stream-parts.js';
import { type EngineCall, type SentRequest, shownWarning, toRequest, toWarnings } from './stream-result.js';
import { type PartsOf, type VersionName, VERSIONS } from './versions.js';

export type GenerateResult<Part> = Omit<Extract<Part, { type: 'finish' }>, 'type'> & {
  content: ContentOf<CommonPart | Part>[];
  warnings: WarningOf<Part>[];
  request: SentRequest;
  response: ResponseNames & { headers?: Record<string, string>; body?: unknown };
};

/** Types of parts that are content unchanged. */
const WHOLE = ['file', 'source', 'tool-call', 'tool-result', 'tool-approval-request', 'custom'] as const;

const IS_WHOLE: ReadonlySet<string> = new Set(WHOLE);

type Whole<Part> = Extract<Part, { type: (typeof WHOLE)[number] }>;
type ContentOf<Part> = (Spoken & SpokenFacts) | Whole<Part>;
type ResponseNames = Omit<Extract<CommonPart, { type: 'response-metadata' }>, 'type'>;

/** The facts that a version adds to a text or reasoning. */
interface SpokenFacts extends WithMetadata {
  citations?: Citation[];
}

/** Returns the result of `doGenerate`: the stream, collected. */
export async function toGenerateResult<Version extends VersionName>(
  call: EngineCall,
  version: Version,
  signal: AbortSignal | undefined,
): Promise<GenerateResult<PartsOf[Version]>> {
  type Part = PartsOf[Version];
  const spec = VERSIONS[version];
  const { parts, finish } = await collectParts(call, signal);
  const mapped: readonly (CommonPart | Part)[] = parts.map((part) => spec.toPart(part, call.metadata));
  const streamParts = call.signer === undefined ? mapped : await call.signer.sign(mapped);
  // Every version has its own finish part.
  const { type: _type, ...ending } = spec.toPart(finish, call.metadata) as Extract<Part, { type: 'finish' }>;
  return {
    content: toContent(streamParts),
    warnings: toWarnings([...call.warnings, ...finish.warnings.map(shownWarning)], version),
    request: toRequest(call, spec),
    response: {
      ...responseOf(streamParts),
      ...defined({
        headers: call.responseHeaders && { ...call.responseHeaders },
        body: withTelemetryView(finish.readBody?.()),
      }),
    },
    ...ending,
  };
}

/** Reads a call to its end. Rejects with the error that the stream would have emitted. */
async function collectParts(
  call: EngineCall,
  signal: AbortSignal | undefined,
): Promise<{ readonly parts: readonly CallPart[]; readonly finish: CallFinish }> {
  const parts: CallPart[] = [];
  const places = new Map<string, number>();
  const take = (batch: readonly CallPart[]): boolean => {
    for (const part of batch) {
      if (part.type === 'tool-input-start') places.set(part.callId, parts.length);
      // A stream hands the client's calls over at the end. Here they take the server's place.
      const place = part.type === 'tool-call' && part.origin !== 'hosted' ? places.get(part.callId) : undefined;
      if (place === undefined) parts.push(part);
      else parts[place] = part;
    }
    return true;
  };
  await call.pump.drainTo({ take, end() {} });
  const finish = parts.at(-1);
  if (finish?.type !== 'finish')
    throw signal === undefined ? new Error('The call ended without an answer.') : abortError(signal);
  const failure = parts.find((part) => part.type === 'error');
  if (failure !== undefined) throw failure.error;
  return { parts, finish };
}

function toContent<Part extends { type: string }>(parts: readonly Part[]): ContentOf<Part>[] {
  const content: ContentOf<Part>[] = [];
  const texts = new SpokenTexts();
  for (const part of parts) {
    if (isWhole(part)) content.push(part);
    const said = texts.take(part);
    if (said === undefined) continue;
    if (said.isNew) content.push(said.spoken);
    // Only starts and ends have them.
    const { providerMetadata, citations } = part as SpokenFacts;
    Object.assign(said.spoken, defined({ providerMetadata, citations }));
  }
  return content;
}

function isWhole<Part extends { type: string }>(part: Part): part is Whole<Part> {
  return IS_WHOLE.has(part.type);
}

/** Returns the names of the last response, which counts in a stream too. */
function responseOf(parts: readonly { type: string }[]): ResponseNames {
  const last = parts.findLast((part) => part.type === 'response-metadata');
  if (last === undefined) return {};
  const { type: _type, ...response } = last;
  return response;
}
