import type { CallPart } from '../core/part.js';
import type { Profile } from '../core/profile.js';
import type { Sink } from '../loop/pump.js';
import { collectParts } from './collect-parts.js';
import type { Dialect } from './dialect.js';
import type { Engine, EngineCall } from './engine.js';
import type { AnyCallOptions } from './from-call-options.js';
import type { CommonPart, Warning } from './stream-parts.js';
import { type ContentOf, toContent } from './to-content.js';
import { createPartMapper } from './to-stream-part.js';

/** A model as the AI SDK wants it; `Part` is what the version says in its own way. */
export interface LanguageModel<Version extends string, Part extends { type: string }> {
  readonly specificationVersion: Version;
  readonly provider: string;
  readonly modelId: string;
  /** The server fetches these itself; everything else the SDK downloads first. */
  readonly supportedUrls: Record<string, RegExp[]>;
  /** Rejects when the call fails before anything visible; afterwards errors are parts and the stream ends with `finish`. */
  doStream(options: AnyCallOptions): Promise<StreamResult<Part>>;
  /** The same call, collected. Rejects with the error a stream would have had as a part. */
  doGenerate(options: AnyCallOptions): Promise<GenerateResult<Part>>;
}

interface StreamResult<Part> {
  stream: ReadableStream<CommonPart | Part>;
  request: { body: unknown };
  response?: { headers: Record<string, string> };
}

type GenerateResult<Part> = Omit<Extract<Part, { type: 'finish' }>, 'type'> & {
  content: ContentOf<CommonPart | Part>[];
  warnings: Warning[];
  request: { body: unknown };
  response: ResponseFacts & { headers?: Record<string, string> };
};

type ResponseFacts = Omit<Extract<CommonPart, { type: 'response-metadata' }>, 'type'>;

/** The one model there is, speaking a version's dialect. */
export function createLanguageModel<Version extends string, Part extends { type: string }>(
  engine: Engine,
  modelId: string,
  dialect: Dialect<Version, Part>,
): LanguageModel<Version, Part> {
  const { version, start } = dialect;
  const toPart = createPartMapper(dialect);
  return {
    specificationVersion: version,
    provider: engine.name,
    modelId,
    supportedUrls: supportedUrls(engine.endpoint(modelId).profile),
    async doStream(options) {
      const call = await engine.start(modelId, options, { ...start, stream: true });
      const headers = headersOf(call);
      return {
        stream: toStream(call, toPart),
        request: { body: call.requestBody },
        ...(headers === undefined ? {} : { response: { headers } }),
      };
    },
    async doGenerate(options) {
      const call = await engine.start(modelId, options, { ...start, stream: false });
      const { parts, finish } = await collectParts(call, options.abortSignal);
      const streamParts = parts.map((part) => toPart(part, call.metadata));
      const headers = headersOf(call);
      // Every version maps our finish part to its own.
      const { type: _type, ...ending } = toPart(finish, call.metadata) as Extract<Part, { type: 'finish' }>;
      return {
        ...ending,
        content: toContent(streamParts),
        warnings: toWarnings([...call.warnings, ...finish.warnings]),
        request: { body: call.requestBody },
        response: { ...responseOf(streamParts), ...(headers === undefined ? {} : { headers }) },
      };
    },
  };
}

/** How many deltas may wait for the consumer before the server has to. */
const DELTAS_AHEAD = 8;

/**
 * What arrived in one chunk is handed over in one go. A pull lasts for as long as the consumer keeps up: one for each delta
 * would cost more than the delta. Therefore a few deltas may wait, too (two in a chunk cost 1.62 × the floor, not 1.74);
 * behind anything else nothing is read ahead, so that no round begins before somebody reads.
 */
function toStream<Part extends { type: string }>(
  call: EngineCall,
  toPart: ReturnType<typeof createPartMapper<Part>>,
): ReadableStream<CommonPart | Part> {
  let sink: Sink<readonly CallPart[]>;
  return new ReadableStream<CommonPart | Part>({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: toWarnings(call.warnings) });
      sink = {
        take(batch) {
          for (const part of batch) controller.enqueue(toPart(part, call.metadata));
          const mayWait = isDelta(batch.at(-1)) ? DELTAS_AHEAD : 0;
          return (controller.desiredSize ?? 0) + mayWait > 0;
        },
        end: () => controller.close(),
      };
    },
    pull: () => call.pump.pour(sink),
    cancel(reason) {
      call.cancel(reason);
    },
  });
}

function isDelta(part: CallPart | undefined): boolean {
  return part?.type === 'text-delta' || part?.type === 'reasoning-delta' || part?.type === 'tool-input-delta';
}

const WEB = [/^https?:\/\/.*$/];

function supportedUrls({ inputUrls, inputFiles }: Profile): Record<string, RegExp[]> {
  if (!inputUrls) return {};
  return inputFiles ? { 'image/*': WEB, 'application/pdf': WEB } : { 'image/*': WEB };
}

function headersOf({ responseHeaders }: EngineCall): Record<string, string> | undefined {
  return responseHeaders === undefined ? undefined : { ...responseHeaders };
}

function toWarnings(warnings: readonly string[]): Warning[] {
  return warnings.map((message) => ({ type: 'other', message }));
}

/** Of several rounds the last one counts, as it does in a stream. */
function responseOf(parts: readonly { type: string }[]): ResponseFacts {
  const last = parts.findLast(isResponse);
  if (last === undefined) return {};
  const { type: _type, ...response } = last;
  return response;
}

function isResponse(part: { type: string }): part is Extract<CommonPart, { type: 'response-metadata' }> {
  return part.type === 'response-metadata';
}
