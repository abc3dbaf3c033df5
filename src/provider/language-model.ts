import type { Profile } from '../core/profile.js';
import type { GenerateResult, StreamResult } from '../sdk/parts/call-results.js';
import type { Dialect } from '../sdk/parts/dialect.js';
import type { Engine } from './engine.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import { onDemand } from './on-demand.js';

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

/** There as soon as a call is, which comes from it. Kept, since asking for it again takes 20 µs. */
let loaded: Awaited<ReturnType<typeof onDemand.calls>> | undefined;

/** The one model there is, speaking a version's dialect. */
export function createLanguageModel<Version extends string, Part extends { type: string }>(
  engine: Engine,
  modelId: string,
  dialect: Dialect<Version, Part>,
): LanguageModel<Version, Part> {
  const { version, start } = dialect;
  return {
    specificationVersion: version,
    provider: engine.name,
    modelId,
    supportedUrls: supportedUrls(engine.endpoint(modelId).profile),
    async doStream(options) {
      const call = await engine.start(modelId, options, { stream: true, ...start });
      const { toStreamResult } = (loaded ??= await onDemand.calls());
      return toStreamResult(call, dialect);
    },
    async doGenerate(options) {
      const call = await engine.start(modelId, options, { stream: false, ...start });
      const { toGenerateResult } = (loaded ??= await onDemand.calls());
      return toGenerateResult(call, dialect, options.abortSignal);
    },
  };
}

const WEB = [/^https?:\/\/.*$/];

function supportedUrls({ inputUrls, inputFiles }: Profile): Record<string, RegExp[]> {
  if (!inputUrls) return {};
  return inputFiles ? { 'image/*': WEB, 'application/pdf': WEB } : { 'image/*': WEB };
}
