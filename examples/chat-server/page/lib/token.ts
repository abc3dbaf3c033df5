const KEPT = 'token';
/** What a header can hold. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * Takes the token out of the address that the server printed, and the address bar and the history with it. A query never counts:
 * it was sent already. Kept is it in `sessionStorage`, which is of one origin, with the port; cookies are not.
 */
export function takeToken(): boolean {
  const token = tokenIn(location.hash);
  const query = new URLSearchParams(location.search);
  if (token === undefined && !query.has('token')) return false;
  history.replaceState(history.state, '', location.pathname);
  return token !== undefined && keepToken(token);
}

/** What a person pasted: the printed address, or the token alone. Returns why it cannot be taken. */
export function takePasted(text: string): string | undefined {
  const pasted = text.trim();
  const url = URL.canParse(pasted) && /^https?:/i.test(pasted) ? new URL(pasted) : undefined;
  if (url !== undefined && url.origin !== location.origin) {
    return `This is an address of ${url.origin}; this page belongs to ${location.origin}.`;
  }
  const token = url === undefined ? (tokenIn(pasted) ?? pasted) : tokenIn(url.hash);
  if (token === undefined) return 'This link has no token: it must end in #token=….';
  return keepToken(token) ? undefined : 'A token has letters, digits and signs of ASCII, and no spaces.';
}

export function hasToken(): boolean {
  return sessionStorage.getItem(KEPT) !== null;
}

/** `fetch` for this server alone: any other address is refused before the token, or anything else, is sent. */
export const ownFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input, location.href);
  if (url.origin !== location.origin) throw new Error(`This page asks its own server only, not ${url.origin}.`);
  const headers = new Headers(init.headers);
  const token = sessionStorage.getItem(KEPT);
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  // Servers of other ports may have set cookies for this host.
  return fetch(input, { ...init, headers, credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' });
};

function keepToken(token: string): boolean {
  if (!TOKEN.test(token)) return false;
  sessionStorage.setItem(KEPT, token);
  return true;
}

function tokenIn(text: string): string | undefined {
  const [, fragment] = /^#?(token=.*)$/.exec(text) ?? [];
  return fragment === undefined ? undefined : (new URLSearchParams(fragment).get('token') ?? undefined);
}
