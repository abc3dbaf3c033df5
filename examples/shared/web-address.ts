import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** A page that is refused, or cannot be had: a sentence for the model. */
export class WebError extends Error {
  override readonly name = 'WebError';
}

const MAX_URL = 4096;

/** @throws WebError for everything but a plain address of a web page. */
export function webUrl(text: string): URL {
  if (text.length > MAX_URL) throw new WebError(`The address has more than ${MAX_URL} characters.`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new WebError(`"${text}" is no whole address: it begins with https://.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new WebError(`Only http and https can be read, and this is ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw new WebError('An address with a user name or a password is not read.');
  url.hash = '';
  return url;
}

/** Finds the addresses of a host by its name. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

export interface AddressRules {
  /** Default: that of the system. */
  readonly lookup?: Lookup | undefined;
  /** Default: `isElsewhere`. */
  readonly isAllowed?: ((address: string) => boolean) | undefined;
}

/**
 * The addresses that a host may be reached at: looked up once, and every one of them checked. A name that has a private
 * address beside a public one is refused.
 *
 * @throws WebError
 */
export async function addressesOf(
  { hostname }: URL,
  { lookup: find = systemLookup, isAllowed = isElsewhere }: AddressRules,
): Promise<readonly LookupAddress[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  const found = family === 0 ? await find(host).catch(() => []) : [{ address: host, family }];
  if (found.length === 0) throw new WebError(`There is no host ${host}.`);
  const refused = found.find(({ address }) => !isAllowed(address));
  if (refused === undefined) return found;
  const where = family === 0 ? `${host} is at ${refused.address}, which` : host;
  throw new WebError(`${where} is no public address: this machine and private networks are not read.`);
}

/** Whether an address is public and not this machine's: a server of its own may listen there, too. */
export function isElsewhere(address: string, own: readonly string[] = ownAddresses()): boolean {
  return isPublic(address) && !own.some((one) => ipaddr.parse(one).toString() === ipaddr.parse(address).toString());
}

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.map(({ address }) => address);
}

/** Whether an address is one of the public internet: global unicast, and no form that holds another address. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // What is global is given out of 2000::/3 alone (RFC 4291); the library calls more of IPv6 unicast.
  return parsed instanceof ipaddr.IPv4 || (parsed.parts[0] ?? 0) >>> 13 === 1;
}

function systemLookup(host: string): Promise<LookupAddress[]> {
  return lookup(host, { all: true });
}
