import type { LanguageModelV2CallOptions, LanguageModelV2StreamPart } from '@ai-sdk/provider';
import type { ResponsesProviderV2 } from 'responses-loop';

export type Part = LanguageModelV2StreamPart;
export type CallOptions = Parameters<ReturnType<ResponsesProviderV2>['doStream']>[0];

/** What parts of all versions have in common. */
interface AnyPart {
  readonly type: string;
  readonly id?: string;
  readonly toolCallId?: string;
}
type PartOf<P extends AnyPart, T> = Extract<P, { type: T }>;

export function userPrompt(text = 'Hello'): LanguageModelV2CallOptions['prompt'] {
  return [{ role: 'user', content: [{ type: 'text', text }] }];
}

/** Calls a model of any version directly and reads all parts. */
export async function streamParts<P extends AnyPart>(
  model: { doStream(options: CallOptions): Promise<{ stream: ReadableStream<P> }> },
  options: Partial<CallOptions> = {},
): Promise<P[]> {
  const { stream } = await model.doStream({ prompt: userPrompt(), ...options });
  return readAll(stream);
}

export async function readAll<T>(stream: ReadableStream<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

export function partsOf<P extends AnyPart, T extends P['type']>(parts: readonly P[], type: T): PartOf<P, T>[] {
  return parts.filter((part): part is PartOf<P, T> => part.type === type);
}

export function finishOf<P extends AnyPart>(parts: readonly P[]): PartOf<P, 'finish'> {
  const [finish, ...more] = partsOf(parts, 'finish');
  if (finish === undefined || more.length > 0) throw new Error(`${more.length + (finish ? 1 : 0)} finish parts`);
  return finish;
}

export function textOf(parts: readonly Part[]): string {
  return partsOf(parts, 'text-delta')
    .map((part) => part.delta)
    .join('');
}

export function reasoningOf(parts: readonly Part[]): string {
  return partsOf(parts, 'reasoning-delta')
    .map((part) => part.delta)
    .join('');
}

/** Types in order, a run of deltas told once. */
export function shape(parts: readonly AnyPart[]): string[] {
  return parts.map((part) => part.type).filter((type, at, all) => !(type.endsWith('-delta') && all[at - 1] === type));
}

/** I1 and I3: what every complete stream of parts looks like. Gives what is wrong, so that a test can say which. */
export function brokenRules(parts: readonly AnyPart[]): string[] {
  const problems: string[] = [];
  if (parts[0]?.type !== 'stream-start') problems.push('does not begin with stream-start');
  if (partsOf(parts, 'stream-start').length !== 1) problems.push('not one stream-start');
  if (parts.at(-1)?.type !== 'finish') problems.push('does not end with finish');
  if (partsOf(parts, 'finish').length !== 1) problems.push('not one finish');
  return [...problems, ...brokenSpans(parts), ...brokenCalls(parts)];
}

function brokenSpans(parts: readonly AnyPart[]): string[] {
  const problems: string[] = [];
  const open = new Set<string>();
  const seen = new Set<string>();
  for (const part of parts) {
    const [, family = '', step = ''] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(part.type) ?? [];
    if (family === '' || part.id === undefined) continue;
    const key = `${family === 'tool-input' ? 'call' : 'part'} ${part.id}`;
    if (step === 'start') {
      if (seen.has(key)) problems.push(`${key} started twice`);
      seen.add(key);
      open.add(key);
    } else if (!open.has(key)) problems.push(`${part.type} of ${key}, which is not open`);
    if (step === 'end') open.delete(key);
  }
  return [...problems, ...[...open].map((key) => `${key} left open`)];
}

function brokenCalls(parts: readonly AnyPart[]): string[] {
  const idsOf = (type: string) => parts.filter((part) => part.type === type).map((part) => part.toolCallId);
  const called = idsOf('tool-call');
  // Preliminary results are none yet.
  const results = parts.filter((part) => part.type === 'tool-result' && !('preliminary' in part));
  const answered = results.map((part) => part.toolCallId);
  return [
    ...(new Set(called).size === called.length ? [] : ['a call id comes twice']),
    ...(new Set(answered).size === answered.length ? [] : ['a call has two results']),
    ...answered
      .filter((callId) => !called.includes(callId))
      .map((callId) => `result of ${callId}, which was not called`),
  ];
}

/** Our own metadata of a finish part. */
export function roundsOf(parts: readonly Part[]): {
  responseId?: string;
  finishReason: string;
  usage: object;
  calls: { name: string; origin: string; isError?: boolean }[];
}[] {
  const own = finishOf(parts).providerMetadata?.['responses-loop'] as { rounds?: unknown } | undefined;
  return (own?.rounds ?? []) as ReturnType<typeof roundsOf>;
}
