import type { Model, ModelCall, Part } from './observation.js';

export interface Recorder {
  readonly calls: ModelCall[];
  requestsSoFar(): number;
  onPart(): void;
}

/** The same model, with everything written down that goes in and out; nothing is read ahead of the reader. */
export function recordModel(model: Model, recorder: Recorder): Model {
  const begin = (method: ModelCall['method']): ModelCall => {
    const call: ModelCall = {
      method,
      firstRequest: recorder.requestsSoFar(),
      parts: [],
      result: undefined,
      rejected: undefined,
      broke: undefined,
      ended: false,
    };
    recorder.calls.push(call);
    return call;
  };
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const call = begin('doGenerate');
      return settle(call, async () => (call.result = await model.doGenerate(options)));
    },
    async doStream(options) {
      const call = begin('doStream');
      const result = await settle(call, () => model.doStream(options));
      call.ended = false;
      return { ...result, stream: recordStream(result.stream, call, recorder) };
    },
  };
}

async function settle<T>(call: ModelCall, run: () => PromiseLike<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    call.rejected = { error };
    throw error;
  } finally {
    call.ended = true;
  }
}

function recordStream(stream: ReadableStream<Part>, call: ModelCall, recorder: Recorder): ReadableStream<Part> {
  const reader = stream.getReader();
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            call.ended = true;
            return controller.close();
          }
          call.parts.push(value);
          recorder.onPart();
          controller.enqueue(value);
        } catch (error) {
          call.broke = { error };
          call.ended = true;
          throw error;
        }
      },
      cancel: (reason) => {
        call.ended = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
