/** Whether a server runs on this machine, as far as its URL says. */
export function isHere(url: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
}
