import type { CallPart } from '../../core/part.js';
import type { CallWarning } from '../../core/warning.js';
import type { Sink } from '../../loop/pump.js';
import { defined } from '../../util/defined.js';
import { collectParts } from './collect-parts.js';
import type { Dialect } from './dialect.js';
import type { EngineCall } from './engine-call.js';
import type { PartSigner } from '../history/part-signer.js';
import type { MetadataContext } from './metadata.js';
import type { CommonPart, WarningOf } from './stream-parts.js';
import { shownWarning } from './shown-warning.js';
import { type ContentOf, toContent } from './to-content.js';
import { COMMON_MAPPERS, type Mapper } from './to-stream-part.js';
import { WORDS } from './words.js';

export interface StreamResult<Part> {
  stream: ReadableStream<CommonPart | Part>;
  request: { body: unknown };
  response?: { headers: Record<string, string> };
}

export type GenerateResult<Part> = Omit<Extract<Part, { type: 'finish' }>, 'type'> & {
  content: ContentOf<CommonPart | Part>[];
  warnings: WarningOf<Part>[];
  request: { body: unknown };
  response: ResponseNames & { headers?: Record<string, string>; body?: unknown };
};

type ResponseNames = Omit<Extract<CommonPart, { type: 'response-metadata' }>, 'type'>;

/** What `doStream` gives. */
export function toStreamResult<Part extends { type: string }>(
  call: EngineCall,
  dialect: Dialect<string, Part>,
): StreamResult<Part> {
  const headers = headersOf(call);
  return {
    stream: toStream(call, partMapperOf(dialect), toWarnings(call.warnings, dialect)),
    request: { body: call.requestBody },
    ...(headers === undefined ? {} : { response: { headers } }),
  };
}

/** What `doGenerate` gives: the stream, collected. */
export async function toGenerateResult<Part extends { type: string }>(
  call: EngineCall,
  dialect: Dialect<string, Part>,
  signal: AbortSignal | undefined,
): Promise<GenerateResult<Part>> {
  const toPart = partMapperOf(dialect);
  const { parts, finish } = await collectParts(call, signal);
  const mapped = parts.map((part) => toPart(part, call.metadata));
  const streamParts = call.signer === undefined ? mapped : await call.signer.sign(mapped);
  const headers = headersOf(call);
  // Every version maps our finish part to its own.
  const { type: _type, ...ending } = toPart(finish, call.metadata) as Extract<Part, { type: 'finish' }>;
  return {
    content: toContent(streamParts),
    warnings: toWarnings([...call.warnings, ...finish.warnings], dialect),
    request: { body: call.requestBody },
    response: { ...responseOf(streamParts), ...defined({ headers, body: finish.readBody?.() }) },
    ...ending,
  };
}

type PartMapper<Part> = (part: CallPart, context: MetadataContext) => CommonPart | Part;

/** By dialect, so that there is one for each version: what the engine learns of it in a call speeds up the next. */
const PART_MAPPERS = new WeakMap<object, unknown>();

function partMapperOf<Part extends { type: string }>(dialect: Dialect<string, Part>): PartMapper<Part> {
  const known = PART_MAPPERS.get(dialect) ?? createPartMapper(dialect);
  PART_MAPPERS.set(dialect, known);
  // What stands under a dialect was made for it.
  return known as PartMapper<Part>;
}

/** Translates our parts into those of one version: the common words, and the version's own. */
function createPartMapper<Part extends { type: string }>(dialect: Dialect<string, Part>): PartMapper<Part> {
  const table = { ...COMMON_MAPPERS, ...dialect.mappers(WORDS) };
  // TypeScript cannot see that key and mapper of the table belong together.
  return (part, context) => (table[part.type] as Mapper<CallPart['type'], CommonPart | Part>)(part, context);
}

/** How many deltas may wait for the consumer before the server has to. */
const DELTAS_AHEAD = 32;

/**
 * What arrived in one chunk is handed over in one go. A pull lasts for as long as the consumer keeps up: one for each delta
 * would cost more than the delta. Therefore a few deltas may wait, too (two in a chunk cost 1.58 × the floor, not 1.75);
 * behind anything else nothing is read ahead, so that no round begins before somebody reads.
 */
function toStream<Part extends { type: string }>(
  call: EngineCall,
  toPart: PartMapper<Part>,
  warnings: WarningOf<Part>[],
): ReadableStream<CommonPart | Part> {
  let sink: Sink<readonly CallPart[]>;
  let pull = (): Promise<void> => call.pump.pour(sink);
  return new ReadableStream<CommonPart | Part>({
    start(controller) {
      // Every version's parts begin with one.
      controller.enqueue({ type: 'stream-start', warnings } as unknown as Part);
      const { signer } = call;
      sink = {
        take(batch) {
          for (const part of batch) controller.enqueue(toPart(part, call.metadata));
          const mayWait = isDelta(batch.at(-1)) ? DELTAS_AHEAD : 0;
          return (controller.desiredSize ?? 0) + mayWait > 0;
        },
        end: () => controller.close(),
      };
      if (signer !== undefined) ({ sink, pull } = signing(call, signer, { controller, toPart, plain: sink }));
    },
    pull: () => pull(),
    cancel(reason) {
      call.cancel(reason);
    },
  });
}

interface Signing<Part> {
  readonly controller: ReadableStreamDefaultController<CommonPart | Part>;
  readonly toPart: PartMapper<Part>;
  readonly plain: Sink<readonly CallPart[]>;
}

/** The same with a secret: what has to be signed holds up what comes behind it. */
function signing<Part extends { type: string }>(
  call: EngineCall,
  signer: PartSigner,
  { controller, toPart, plain }: Signing<Part>,
): { readonly sink: Sink<readonly CallPart[]>; readonly pull: () => Promise<void> } {
  let pending: Promise<void> | undefined;
  const enqueue = (parts: readonly (CommonPart | Part)[]): void => parts.forEach((part) => controller.enqueue(part));
  const sink: Sink<readonly CallPart[]> = {
    take(batch) {
      const signed = signer.sign(batch.map((part) => toPart(part, call.metadata)));
      if (signed instanceof Promise) {
        pending = signed.then(enqueue);
        return false;
      }
      enqueue(signed);
      // Nothing is left to hand over but whether there is room.
      return plain.take([]);
    },
    end: () => plain.end(),
  };
  const pull = async (): Promise<void> => {
    await call.pump.pour(sink);
    await pending;
  };
  return { sink, pull };
}

function isDelta(part: CallPart | undefined): boolean {
  return part?.type === 'text-delta' || part?.type === 'reasoning-delta' || part?.type === 'tool-input-delta';
}

function headersOf({ responseHeaders }: EngineCall): Record<string, string> | undefined {
  return responseHeaders === undefined ? undefined : { ...responseHeaders };
}

function toWarnings<Part extends { type: string }>(
  warnings: readonly CallWarning[],
  dialect: Dialect<string, Part>,
): WarningOf<Part>[] {
  return warnings.map(shownWarning).map((warning) =>
    // A sentence has the same form in every version.
    typeof warning === 'string'
      ? ({ type: 'other', message: warning } as WarningOf<Part>)
      : dialect.unsupported(warning),
  );
}

/** Of several rounds the last one counts, as it does in a stream. */
function responseOf(parts: readonly { type: string }[]): ResponseNames {
  const last = parts.findLast(isResponse);
  if (last === undefined) return {};
  const { type: _type, ...response } = last;
  return response;
}

function isResponse(part: { type: string }): part is Extract<CommonPart, { type: 'response-metadata' }> {
  return part.type === 'response-metadata';
}
