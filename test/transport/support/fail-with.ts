import { APICallError } from '@ai-sdk/provider';
import { expect } from 'vitest';
import { failureOf, open } from './open.js';

export const URL_OF_ALL = 'https://api.example.com/v1/responses';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** What a transport makes of an answer; a text is sent as it is, anything else as JSON. */
export async function failWith(
  { status, body, headers = {} }: Answer,
  options: { readonly secrets?: () => readonly string[]; readonly url?: string } = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const fetch = async (): Promise<Response> => new Response(text, { status, headers });
  const error = await failureOf(open({ url: URL_OF_ALL, fetch, body: { model: 'm' }, round: 2, ...options }));
  expect(APICallError.isInstance(error)).toBe(true);
  return error as APICallError;
}
