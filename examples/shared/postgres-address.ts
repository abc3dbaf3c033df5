const PROTOCOLS: ReadonlySet<string> = new Set(['postgres:', 'postgresql:']);
const CONNECTIONS = 10;
const MOST = /^[1-9]\d{0,3}$/;
const MILLISECONDS = /^\d{1,9}$/;

/** What is wrong with the address of a database, without its password. */
export function problemOfAddress(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !PROTOCOLS.has(url.protocol)) {
    const begin = url === undefined ? '' : `, but it begins with "${url.protocol}"`;
    return `expected an address as postgres://user@host:5432/name${begin}`;
  }
  const max = url.searchParams.get('max');
  if (max !== null && !MOST.test(max))
    return 'expected ?max= of the address as a number of connections from 1 to 9999, such as ?max=20';
  const timeout = url.searchParams.get('statement_timeout');
  if (timeout === null || MILLISECONDS.test(timeout)) return undefined;
  return 'expected ?statement_timeout= of the address in milliseconds, such as ?statement_timeout=60000';
}

/** The client of Postgres reads other settings of an address by itself, but not this one. */
export function connectionsOf(address: string): number {
  return Number(new URL(address).searchParams.get('max') ?? CONNECTIONS);
}

/** How long the server may work on a statement, if the address sets it; 0: without an end. */
export function statementTimeoutOf(address: string): number | undefined {
  const timeout = new URL(address).searchParams.get('statement_timeout');
  return timeout === null ? undefined : Number(timeout);
}

/** The address without what nobody should read: the password, and parameters. */
export function nameOfAddress(address: string): string {
  const url = new URL(address);
  url.password = '';
  url.search = '';
  return url.href;
}
