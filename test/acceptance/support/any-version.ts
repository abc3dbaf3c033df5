import { createResponsesProvider as createV2 } from 'responses-loop';
import type { JsonObject } from '../../../src/core/json.js';
import { createResponsesProvider as createV3 } from '../../../src/v3.js';
import { createResponsesProvider as createV4 } from '../../../src/v4.js';

/** A part of any version of the AI SDK. */
export type AnyPart = JsonObject & { readonly type: string };

interface AnyModel {
  doStream(options: object): Promise<{ stream: ReadableStream<AnyPart> }>;
  doGenerate(options: object): Promise<{ content: AnyPart[] }>;
}

/** The versions' providers; their types differ in what nothing here reads. */
export const VERSIONS = {
  v2: createV2,
  v3: createV3 as unknown as typeof createV2,
  v4: createV4 as unknown as typeof createV2,
} as const;

export type Version = keyof typeof VERSIONS;
export type Method = 'doStream' | 'doGenerate';

/** Every version, streamed and generated. */
export const EVERY_WAY: readonly (readonly [Version, Method])[] = (['v2', 'v3', 'v4'] as const).flatMap((version) =>
  (['doStream', 'doGenerate'] as const).map((method) => [version, method] as const),
);

/** A tool that the API declares. */
export const declared = (version: Version, type: string, args: JsonObject = {}) => ({
  type: version === 'v2' ? 'provider-defined' : 'provider',
  id: `openai.${type}`,
  name: type,
  args,
});

export const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });

/** What one call of the model gives: its parts, or its content. */
export async function answer(model: unknown, method: Method, options: object): Promise<AnyPart[]> {
  const asked = model as AnyModel;
  if (method === 'doGenerate') return (await asked.doGenerate(options)).content;
  const parts: AnyPart[] = [];
  for await (const part of (await asked.doStream(options)).stream) parts.push(part);
  return parts;
}
