import { SettingsError } from '../settings-error.js';

export interface RestateSettings {
  /** Where turns are begun: the ingress, such as `http://127.0.0.1:8080`. */
  readonly ingress: string;
  /** Where this instance listens for calls of Restate. */
  readonly host: string;
  readonly port: number;
  /** Restate signs its calls with the key to this one, `publickeyv1_…`. */
  readonly identityKey?: string | undefined;
}

export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly identityKeys: readonly string[];
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

/** Without a slash at its end. */
export function ingressOf({ ingress }: RestateSettings): string {
  const url = URL.parse(ingress);
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href.replace(/\/$/, '');
  throw new SettingsError('The ingress of Restate must be `http://host:port`, without a password or a query.');
}

/** Whoever calls an instance can begin a turn again with steps of his own making. */
export function endpointOf({ host, port, identityKey }: RestateSettings): Endpoint {
  if (identityKey !== undefined && !/^publickeyv1_[1-9A-HJ-NP-Za-km-z]+$/.test(identityKey))
    throw new SettingsError('The key of Restate must be the public one, `publickeyv1_…`, which its server prints.');
  if (identityKey === undefined && !LOOPBACK.includes(host))
    throw new SettingsError(
      `Others can call this instance on ${host}, too: set --restate-key to the public key with which Restate signs its calls.`,
    );
  return { host, port, identityKeys: identityKey === undefined ? [] : [identityKey] };
}
