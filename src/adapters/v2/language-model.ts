import type {
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV2CallWarning,
  LanguageModelV2StreamPart,
} from '@ai-sdk/provider';
import type { Profile } from '../../core/profile.js';
import { collectParts } from '../../provider/collect-parts.js';
import type { Engine, EngineCall } from '../../provider/engine.js';
import { toContent } from './to-content.js';
import { toFinishReason, toUsage } from './to-finish.js';
import { toStreamPart } from './to-stream-parts.js';
import { finishToMetadata } from '../../provider/metadata.js';

type StreamResult = Awaited<ReturnType<LanguageModelV2['doStream']>>;
type GenerateResult = Awaited<ReturnType<LanguageModelV2['doGenerate']>>;

/** A model in the words of AI SDK 5; 6 and 7 take it too, through their compatibility mode. */
export class ResponsesLanguageModelV2 implements LanguageModelV2 {
  readonly specificationVersion = 'v2';
  readonly modelId: string;
  readonly provider: string;
  /** The server fetches these itself; everything else the SDK downloads first. */
  readonly supportedUrls: Record<string, RegExp[]>;
  readonly #engine: Engine;

  constructor(engine: Engine, modelId: string) {
    this.#engine = engine;
    this.modelId = modelId;
    this.provider = engine.name;
    this.supportedUrls = supportedUrls(engine.endpoint(modelId).profile);
  }

  /** Rejects when the call fails before anything visible; afterwards errors are parts and the stream ends with `finish`. */
  async doStream(options: LanguageModelV2CallOptions): Promise<StreamResult> {
    const call = await this.#engine.start(this.modelId, options, { stream: true, shows: 'declared' });
    return {
      stream: toStream(call),
      request: { body: call.requestBody },
      ...(call.responseHeaders === undefined ? {} : { response: { headers: { ...call.responseHeaders } } }),
    };
  }

  /** The same call, collected. Rejects with the error a stream would have had as a part. */
  async doGenerate(options: LanguageModelV2CallOptions): Promise<GenerateResult> {
    const call = await this.#engine.start(this.modelId, options, { stream: false, shows: 'declared' });
    const { parts, finish } = await collectParts(call, options.abortSignal);
    const streamParts = parts.map((part) => toStreamPart(part, call.metadata));
    return {
      content: toContent(streamParts),
      finishReason: toFinishReason(finish.finishReason),
      usage: toUsage(finish.usage),
      providerMetadata: finishToMetadata(finish),
      warnings: toWarnings([...call.warnings, ...finish.warnings]),
      request: { body: call.requestBody },
      response: {
        ...responseOf(streamParts),
        ...(call.responseHeaders === undefined ? {} : { headers: { ...call.responseHeaders } }),
      },
    };
  }
}

const WEB = [/^https?:\/\/.*$/];

function supportedUrls({ inputUrls, inputFiles }: Profile): Record<string, RegExp[]> {
  if (!inputUrls) return {};
  return inputFiles ? { 'image/*': WEB, 'application/pdf': WEB } : { 'image/*': WEB };
}

/** One batch per pull: what arrived in one chunk is handed over in one go, and nothing is read ahead of the consumer. */
function toStream(call: EngineCall): ReadableStream<LanguageModelV2StreamPart> {
  return new ReadableStream<LanguageModelV2StreamPart>({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: toWarnings(call.warnings) });
    },
    async pull(controller) {
      for (;;) {
        const batch = await call.pump.next();
        if (batch === undefined) return controller.close();
        for (const part of batch) controller.enqueue(toStreamPart(part, call.metadata));
        if (batch.length > 0) return;
      }
    },
    cancel(reason) {
      call.cancel(reason);
    },
  });
}

function toWarnings(warnings: readonly string[]): LanguageModelV2CallWarning[] {
  return warnings.map((message) => ({ type: 'other', message }));
}

/** Of several rounds the last one counts, as it does in a stream. */
function responseOf(parts: readonly LanguageModelV2StreamPart[]): { id?: string; modelId?: string; timestamp?: Date } {
  const last = parts.findLast((part) => part.type === 'response-metadata');
  if (last === undefined) return {};
  const { type: _type, ...response } = last;
  return response;
}
