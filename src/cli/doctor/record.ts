import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redactHeaders, redactUrl } from '../../observe/redact.js';
import { parseJson } from '../../util/json.js';

export interface Wire {
  readonly fetch: typeof globalThis.fetch;
  /** Requests from now on belong to this probe. */
  label: string;
  requests: number;
}

interface WireOptions {
  /** Writes each exchange to files in this folder. */
  readonly dir: string | undefined;
  readonly hide: (text: string) => string;
}

/** More of a body does not help a reader. */
const MAX_KEPT = 1_000_000;

/**
 * Counts requests and keeps them with their answers: three files each, without secrets, readable by their owner only.
 */
export function createWire({ dir, hide }: WireOptions): Wire {
  if (dir !== undefined) makeFolder(dir);
  const write = (name: string, text: string): void => {
    if (dir !== undefined) writeFileSync(join(dir, name), hide(text), { mode: 0o600 });
  };
  const wire: Wire = {
    label: '',
    requests: 0,
    fetch: async (input, init) => {
      wire.requests += 1;
      if (dir === undefined) return fetch(input, init);
      const name = `${String(wire.requests).padStart(3, '0')}-${wire.label.replaceAll(/[^a-z\d]+/gi, '-')}`;
      write(`${name}.request.json`, describeRequest(input, init));
      const response = await fetch(input, init);
      const { status } = response;
      const headers = redactHeaders(Object.fromEntries(response.headers));
      write(`${name}.response.json`, toJson({ status, headers }));
      return keptBy(response, (text) => write(`${name}.body.txt`, text));
    },
  };
  return wire;
}

/** Not `recursive`: with it, Node 20 never returns if the parent takes no folder, as below `/proc`. */
function makeFolder(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return;
  makeFolder(dirname(dir));
  mkdirSync(dir);
}

function describeRequest(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): string {
  const url = redactUrl(input instanceof Request ? input.url : String(input));
  const headers = redactHeaders(Object.fromEntries(new Headers(init?.headers)));
  const body = typeof init?.body === 'string' ? (parseJson(init.body) ?? init.body) : undefined;
  return toJson({ method: init?.method ?? 'GET', url, headers, body });
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Returns the response and keeps its body: at its end, or when it breaks or its reader leaves. */
function keptBy(response: Response, keep: (text: string) => void): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const utf8 = new TextDecoder();
  let text = '';
  const end = (mark: string): void => keep(text + mark);
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (done) {
          end('');
          return controller.close();
        }
        if (text.length < MAX_KEPT) text += utf8.decode(value, { stream: true });
        controller.enqueue(value);
      } catch (error) {
        end('\n[here it broke]\n');
        controller.error(error);
      }
    },
    cancel: async (reason) => {
      end('\n[here its reader left]\n');
      await reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
