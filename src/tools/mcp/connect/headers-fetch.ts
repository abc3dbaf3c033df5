import { isHarmlessHeader } from '../../../observe/redact.js';
import { McpAccessError } from './access-error.js';
import { causeCode } from '../failure.js';
import type { FetchLike } from '../sdk-gaps/guard-fetch.js';
import type { CallsUnderWay } from '../call-context.js';
import type { McpCallContext, McpHeaders, McpHeaderValues } from '../server-config.js';

interface Sending {
  readonly keep: (secret: string) => void;
  readonly calls: CallsUnderWay;
}

/** Adds the headers of the settings to every request, as they are at that moment. */
export function headersFetch(
  fetch: FetchLike,
  headers: McpHeaders | undefined,
  { keep: keepSecret, calls }: Sending,
): FetchLike {
  if (headers === undefined) return fetch;
  return async (url, init) => {
    const merged = new Headers(init?.headers);
    const isAsked = typeof headers === 'function';
    const call = isAsked ? calls.of(init) : undefined;
    const values = isAsked ? await ask(headers, call) : headers;
    // The app's function may have taken longer than the call may: nothing is sent that was given up.
    call?.signal.throwIfAborted();
    for (const [name, value] of Object.entries(values)) {
      setHeader(merged, name, value);
      // Of fixed ones `describe-server.ts` knows which are secrets.
      if (!isAsked || isHarmlessHeader(name)) continue;
      keepSecret(value);
      // `Bearer …`: what follows the scheme is a secret by itself.
      keepSecret(value.replace(/^\w+\s+/, ''));
    }
    return fetch(url, { ...init, headers: merged });
  };
}

const FIX = 'Check the function: it has to return an object of header values, or a promise of one.';

async function ask(
  headers: Exclude<McpHeaders, McpHeaderValues>,
  call: McpCallContext | undefined,
): Promise<McpHeaderValues> {
  let values: unknown;
  try {
    values = await headers(call);
  } catch (error) {
    // Without its text: what a token service says may hold the credentials it was asked with.
    const kind = causeCode(error) ?? (error instanceof Error ? error.name : typeof error);
    throw new McpAccessError(`its \`headers\` function failed (${kind})`, FIX);
  }
  if (isHeaderValues(values)) return values;
  throw new McpAccessError('its `headers` function returned something that is not an object of strings', FIX);
}

function isHeaderValues(value: unknown): value is McpHeaderValues {
  return (
    typeof value === 'object' && value !== null && Object.values(value).every((member) => typeof member === 'string')
  );
}

/** The platform's own error repeats the value. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new McpAccessError(`the header ${JSON.stringify(name)} has a name or a value that HTTP forbids`, FIX);
  }
}
