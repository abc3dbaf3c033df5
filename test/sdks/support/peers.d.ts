// The packages stand beside the SDK majors, under one name for each major: what is called of them, for all of them.
declare module '@ai-sdk/azure' {
  export function createAzure(settings: object): { responses(modelId: string): unknown };
}
declare module '@ai-sdk/xai' {
  export function createXai(settings: object): { responses(modelId: string): unknown; readonly tools: object };
}
declare module '@ai-sdk/open-responses' {
  export function createOpenResponses(settings: object): (modelId: string) => unknown;
}
