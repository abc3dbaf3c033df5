import { inspect } from 'node:util';

/** Parts that are the model's own answer; whatever they hold, it said. */
const ANSWER = /^(?:text|reasoning|tool-input|tool-call|tool-result|source|file|raw)/;

export interface Shown {
  readonly where: string;
  readonly text: string;
}

/**
 * Everything that people or logs are shown of a call but the answer, as text. The request and the headers of the response
 * are handed out as they were sent, as `docs/observability.md` says.
 */
export function shownOf(call: {
  readonly parts: readonly { readonly type: string }[];
  readonly result: object | undefined;
  readonly error: unknown;
}): Shown[] {
  const { content: _content, request: _request, response, ...rest } = (call.result ?? {}) as Record<string, unknown>;
  const { headers: _headers, body, ...facts } = (response ?? {}) as Record<string, unknown>;
  return [
    ...call.parts
      .filter(({ type }) => !ANSWER.test(type))
      .map((part) => ({ where: `part ${part.type}`, text: deepText(part) })),
    { where: 'result', text: deepText({ ...rest, response: facts }) },
    // Sealed reasoning is a part of the answer, which the body is.
    {
      where: 'body',
      text: JSON.stringify(body, (name, value: unknown) => (name === 'encrypted_content' ? null : value)) ?? '',
    },
    { where: 'error', text: deepText(call.error) },
  ];
}

/** Everything an error carries: message, stack, causes and fields, hidden ones as well. */
export function deepText(value: unknown): string {
  if (value === undefined) return '';
  return inspect(value, {
    depth: 12,
    maxStringLength: null,
    maxArrayLength: null,
    showHidden: true,
    breakLength: Infinity,
  });
}
