/** The variables of this process; none where there is no process, as in browsers and Workers. */
export function processEnv(): Readonly<Record<string, string | undefined>> {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};
}
