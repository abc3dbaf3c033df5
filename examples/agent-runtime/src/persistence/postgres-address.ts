import { AgentError } from '../core/agent-error.js';

const PROTOCOLS: ReadonlySet<string> = new Set(['postgres:', 'postgresql:']);

/** @throws AgentError `bad_settings`; a password never stands in it */
export function checkAddress(address: string): void {
  if (URL.canParse(address) && PROTOCOLS.has(new URL(address).protocol)) return;
  throw new AgentError(
    'bad_settings',
    `The database${URL.canParse(address) ? ` begins with "${new URL(address).protocol}", but it` : ''} has to be an address as postgres://user@host:5432/name. Without one, sessions are kept in SQLite.`,
  );
}

/** The address without what nobody should read: the password, and parameters. */
export function nameOf(address: string): string {
  const url = new URL(address);
  url.password = '';
  url.search = '';
  return url.href;
}
