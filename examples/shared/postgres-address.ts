const PROTOCOLS: ReadonlySet<string> = new Set(['postgres:', 'postgresql:']);
const CONNECTIONS = 10;
const MOST = /^[1-9]\d{0,3}$/;

/** What is wrong with the address of a database, without its password. */
export function problemOfAddress(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !PROTOCOLS.has(url.protocol)) {
    const begin = url === undefined ? '' : `, but it begins with "${url.protocol}"`;
    return `expected an address as postgres://user@host:5432/name${begin}`;
  }
  const max = url.searchParams.get('max');
  if (max === null || MOST.test(max)) return undefined;
  return 'expected ?max= of the address as a number of connections from 1 to 9999, such as ?max=20';
}

/** The client of Postgres reads other settings of an address by itself, but not this one. */
export function connectionsOf(address: string): number {
  return Number(new URL(address).searchParams.get('max') ?? CONNECTIONS);
}

/** The address without what nobody should read: the password, and parameters. */
export function nameOfAddress(address: string): string {
  const url = new URL(address);
  url.password = '';
  url.search = '';
  return url.href;
}
