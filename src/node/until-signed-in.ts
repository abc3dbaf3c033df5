import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { raceAbort } from '../util/abort.js';
import { errorText } from '../util/error-text.js';

/** Options of `untilSignedIn`: its end, and its limits. */
export interface UntilSignedInOptions {
  /** Ends the sign-in, for example `(url) => provider.finishSignIn('docs', url)`. */
  readonly finish: (callbackUrl: string) => Promise<void>;
  /** Called once the answer can arrive: show the page to the user now. */
  readonly onListening?: (() => void) | undefined;
  /** Gives the sign-in up. */
  readonly signal?: AbortSignal | undefined;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Serves the page to which the browser of a sign-in returns, on this machine, until the answer has arrived. Any page
 * can send a browser there, so that only the answer with the `state` of this sign-in counts.
 *
 * @param page The page of the service, as `open` of `fileOAuthProvider` gets it. Its `redirect_uri` names address and port.
 * @throws Error if the port is in use, the page is on another machine, or the sign-in fails
 * @example
 * await untilSignedIn(page, {
 *   finish: (url) => provider.finishSignIn('docs', url),
 *   onListening: () => console.log(`Open this page: ${page}`),
 * });
 */
export async function untilSignedIn(page: URL, options: UntilSignedInOptions): Promise<void> {
  const { finish, onListening, signal } = options;
  const callback = callbackOf(page);
  const server = createServer();
  try {
    server.listen(Number(callback.port === '' ? 80 : callback.port), callback.hostname.replace(/^\[|\]$/g, ''));
    await once(server, 'listening').catch((error: unknown) => {
      throw new Error(
        `The page ${callback.href} cannot be served (${errorText(error)}). If another sign-in waits there, end it first.`,
      );
    });
    const answered = answerOf(server, { callback, state: page.searchParams.get('state'), finish });
    onListening?.();
    await raceAbort(answered, signal);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function callbackOf(page: URL): URL {
  const given = page.searchParams.get('redirect_uri') ?? '';
  const callback = URL.canParse(given) ? new URL(given) : undefined;
  if (callback?.protocol === 'http:' && LOOPBACK.includes(callback.hostname)) return callback;
  throw new Error(
    `untilSignedIn() serves pages such as http://127.0.0.1:8976/callback; the sign-in returns to ${JSON.stringify(given)}.`,
  );
}

interface Expected extends Pick<UntilSignedInOptions, 'finish'> {
  readonly callback: URL;
  readonly state: string | null;
}

function answerOf(server: Server, { callback, state, finish }: Expected): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('request', (request, response) => {
      const reply = (status: number, text: string): Promise<void> =>
        new Promise((sent) => {
          response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
          response.once('close', sent).end(text);
        });
      const url = URL.canParse(request.url ?? '', callback.href) ? new URL(request.url ?? '', callback) : callback;
      if (state === null || url.pathname !== callback.pathname || url.searchParams.get('state') !== state) {
        void reply(404, 'This is not an answer to the sign-in.');
        return;
      }
      finish(url.href).then(
        () => reply(200, 'You are signed in. You may close this window.').then(resolve),
        (error: unknown) =>
          reply(400, errorText(error)).then(() => reject(error instanceof Error ? error : new Error(errorText(error)))),
      );
    });
  });
}
