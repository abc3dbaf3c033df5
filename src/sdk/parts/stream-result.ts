import type { CallPart } from '../../core/part.js';
import type { CallWarning } from '../../core/warning.js';
import type { PartSink, Pump } from '../../loop/pump.js';
import { withTelemetryView } from '../../observe/redact.js';
import { showControls } from '../../util/control-characters.js';
import { defined } from '../../util/defined.js';
import { afterEvents } from '../../util/timers.js';
import type { PartSigner } from '../history/part-signer.js';
import type { MetadataContext } from './metadata.js';
import type { CommonPart, WarningOf } from './stream-parts.js';
import type { SpecVersion } from './to-stream-part.js';
import { type PartsOf, type VersionName, VERSIONS } from './versions.js';

/** A call under way, ready for an adapter to translate. */
export interface EngineCall {
  readonly pump: Pump<readonly CallPart[]>;
  readonly warnings: readonly CallWarning[];
  readonly requestBody: unknown;
  /** Returns the URL of the request, without secrets. */
  readonly requestUrl: (() => string) | undefined;
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  readonly metadata: MetadataContext;
  /** With a secret: signs the metadata for histories. */
  readonly signer: PartSigner | undefined;
  /** Ends the call early, because the consumer stopped. */
  cancel(reason?: unknown): void;
}

export interface StreamResult<Part> {
  stream: ReadableStream<CommonPart | Part>;
  request: SentRequest;
  response?: { headers: Record<string, string> };
}

export interface SentRequest {
  body: unknown;
  /** Only in V4. */
  url?: string;
}

/** The most deltas that may wait for the consumer before the server must. */
const DELTAS_AHEAD = 32;

/**
 * The result of `doStream`. The stream is created during the request, because that takes as long as all other work
 * before the first text.
 *
 * Emits the parts of a chunk at once. A pull lasts while the consumer keeps up, because a pull for each delta would
 * cost more than the delta. So a few deltas may wait, too (two in a chunk cost 1.58 × the floor, not 1.75). Reads
 * nothing ahead of other parts, so that no round begins before the stream is read.
 */
export async function toStreamResult<Version extends VersionName>(
  starting: Promise<EngineCall>,
  version: Version,
): Promise<StreamResult<PartsOf[Version]>> {
  type Part = CommonPart | PartsOf[Version];
  // TypeScript does not follow the version through the table.
  const spec = VERSIONS[version] as SpecVersion<unknown> as SpecVersion<PartsOf[Version]>;
  await Promise.race([starting, new Promise<void>(afterEvents)]);
  let call: EngineCall;
  let sink: PartSink<readonly CallPart[]>;
  /** With a secret: signing delays the parts after it. */
  let signing: Promise<void> | undefined;
  const stream = new ReadableStream<Part>({
    // No pull happens before.
    async start(controller) {
      call = await starting;
      const { signer, metadata } = call;
      // Every version's parts begin with one.
      controller.enqueue({ type: 'stream-start', warnings: toWarnings(call.warnings, version) } as unknown as Part);
      const enqueue = (parts: readonly Part[]): void => {
        for (const part of parts) controller.enqueue(part);
      };
      sink = {
        take(batch) {
          const parts = batch.map((part) => spec.toPart(part, metadata));
          const signed = signer === undefined ? parts : signer.sign(parts);
          if (signed instanceof Promise) {
            signing = signed.then(enqueue);
            return false;
          }
          enqueue(signed);
          const last = batch.at(-1)?.type;
          const isDelta = last === 'text-delta' || last === 'reasoning-delta' || last === 'tool-input-delta';
          return (controller.desiredSize ?? 0) + (isDelta ? DELTAS_AHEAD : 0) > 0;
        },
        end: () => controller.close(),
      };
    },
    pull() {
      const drained = call.pump.drainTo(sink);
      return call.signer === undefined ? drained : drained.then(() => signing);
    },
    cancel(reason) {
      call.cancel(reason);
    },
  });
  const started = await starting;
  const { responseHeaders } = started;
  return {
    stream,
    request: toRequest(started, spec),
    ...(responseHeaders === undefined ? {} : { response: { headers: { ...responseHeaders } } }),
  };
}

export function toRequest(
  { requestBody, requestUrl }: EngineCall,
  { traits }: Pick<SpecVersion<unknown>, 'traits'>,
): SentRequest {
  const body = withTelemetryView(requestBody);
  const url = traits.tellsUrl === true ? requestUrl?.() : undefined;
  return url === undefined ? { body } : { body, url };
}

/** Warnings in the form of a version. */
export function toWarnings<Version extends VersionName>(
  warnings: readonly CallWarning[],
  version: Version,
): WarningOf<PartsOf[Version]>[] {
  return warnings.map((warning) =>
    // A sentence has the same form in every version.
    typeof warning === 'string'
      ? ({ type: 'other', message: warning } as WarningOf<PartsOf[Version]>)
      : VERSIONS[version].unsupported(warning),
  );
}

/** Returns a warning without control characters, because servers and clients wrote parts of it. */
export function shownWarning(warning: CallWarning): CallWarning {
  if (typeof warning === 'string') return showControls(warning);
  const { feature, details, isReplaced, tool } = warning;
  return {
    feature: showControls(feature),
    details: showControls(details),
    ...defined({ isReplaced, tool: tool && { ...tool, id: showControls(tool.id), name: showControls(tool.name) } }),
  };
}
