import type { Profile } from '../core/profile.js';
import type { GenerateResult } from '../sdk/parts/generate-result.js';
import type { StreamResult } from '../sdk/parts/stream-result.js';
import type { PartsOf, VersionName } from '../sdk/parts/versions.js';
import type { Engine } from './engine.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import type { LoopSettings } from '../settings/loop-settings.js';
import { onDemand } from './on-demand.js';

/** A model in the AI SDK's form. */
export interface LanguageModel<Version extends VersionName> {
  readonly specificationVersion: Version;
  readonly provider: string;
  readonly modelId: string;
  /** The server fetches these itself; everything else the SDK downloads first. */
  readonly supportedUrls: Record<string, RegExp[]>;
  /** Rejects when the call fails before anything visible; afterwards errors are parts and the stream ends with `finish`. */
  doStream(options: AnyCallOptions): Promise<StreamResult<PartsOf[Version]>>;
  /** The same call, collected. Rejects with the error that a stream would emit as a part. */
  doGenerate(options: AnyCallOptions): Promise<GenerateResult<PartsOf[Version]>>;
}

/** Set once a call exists, which this code creates. Kept, because loading it again takes 20 µs. */
let loaded: Awaited<ReturnType<typeof onDemand.calls>> | undefined;

/** The only kind of model, for each version of the AI SDK's specification. */
export function createLanguageModel<Version extends VersionName>(
  engine: Pick<Engine, 'name' | 'endpoint' | 'own' | 'start'>,
  modelId: string,
  version: Version,
  settings?: LoopSettings,
): LanguageModel<Version> {
  const own = engine.own(settings);
  return {
    specificationVersion: version,
    provider: engine.name,
    modelId,
    supportedUrls: supportedUrls(engine.endpoint(modelId).profile),
    async doStream(options) {
      const starting = engine.start(modelId, options, { stream: true, version, own });
      if (loaded === undefined) await starting;
      const { toStreamResult } = (loaded ??= await onDemand.calls());
      return toStreamResult(starting, version);
    },
    async doGenerate(options) {
      const call = await engine.start(modelId, options, { stream: false, version, own });
      const { toGenerateResult } = (loaded ??= await onDemand.calls());
      return toGenerateResult(call, version, options.abortSignal);
    },
  };
}

const WEB = [/^https?:\/\/.*$/];

function supportedUrls({ inputUrls, inputFiles }: Profile): Record<string, RegExp[]> {
  if (!inputUrls) return {};
  return inputFiles ? { 'image/*': WEB, 'application/pdf': WEB } : { 'image/*': WEB };
}
