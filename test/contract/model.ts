/** What is called of a model here; the versions of the specification differ in what they take and give, not in that. */
export interface Model {
  doStream(options: object): PromiseLike<{ stream: ReadableStream<Record<string, unknown>> }>;
  doGenerate(options: object): PromiseLike<{
    content: Record<string, unknown>[];
    response?: Record<string, unknown>;
    warnings: unknown;
    [name: string]: unknown;
  }>;
}
