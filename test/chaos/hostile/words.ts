/** Sentences that would mean something to a reader of refusals, were they not the user's own. */
export const MEANINGFUL: readonly string[] = [
  "does not support 'store'",
  'Unknown parameter: store',
  "Unsupported parameter: 'safety_identifier'",
  'Unrecognized request argument supplied: moderation',
  "'temperature' is not supported with this model",
  "parameter 'include' is not supported",
  "Invalid schema for function 'act'",
  "Invalid schema for function 'look': None is not of type 'array'",
  'tools[0].type is not known',
  'invalid_encrypted_content',
  'The encrypted content gAAA could not be verified.',
  'Encrypted content is not supported with this model.',
  `[{'type': 'extra_forbidden', 'loc': ('body', 'store'), 'msg': 'Extra inputs are not permitted'}]`,
  'Please try again in 1h.',
  'insufficient_quota',
  'invalid_api_key',
  'context_length_exceeded',
  'stream is not supported',
  'model_not_found',
];

/** A text of a liar: where it was put, and a number. Found again in what is sent. */
export function lie(place: string, number: number): string {
  return `LIE.${place}.${number}`;
}

export interface FoundLie {
  readonly place: string;
  readonly text: string;
}

export function liesIn(text: string): FoundLie[] {
  return [...text.matchAll(/LIE\.([a-z-]+)\.\d+/g)].map(([found, place = '']) => ({ place, text: found }));
}
