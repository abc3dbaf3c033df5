/** Returns whether a server runs on this machine, judged by its URL. */
export function isHere(url: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
}
