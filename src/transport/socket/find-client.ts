import { isRecord } from '../../util/guards.js';
import type { SocketLike, SocketRequest, WebSocketSetting } from './client-types.js';

export type OpenClient = (request: SocketRequest) => SocketLike | PromiseLike<SocketLike>;

/** In two parts, so that no bundler looks for a package that may not be there. */
const PACKAGE = ['w', 's'].join('');

type SocketClass = new (url: string, protocols?: string[], options?: object) => SocketLike;

/** The runtime's own class, if it accepts headers instead of protocols: Node from 22 on, Bun, Deno. */
type OwnClass = new (url: string, options: object) => SocketLike;

/**
 * Returns the socket client: the setting; on Node the package `ws`, which reports why an upgrade was refused, can ping,
 * and lets the process end; else the runtime's own, if it sends headers. `undefined`: browsers send no headers, and
 * Node 20 has no client. `maxPayload`: bytes of one message.
 */
export async function findClient(
  setting: WebSocketSetting | undefined,
  maxPayload: number,
): Promise<OpenClient | undefined> {
  const { WebSocket: own } = globalThis as { readonly WebSocket?: OwnClass };
  const ownClient: OpenClient | undefined = own && (({ url, headers }) => new own(url, { headers }));
  const clientOf =
    (Client: SocketClass): OpenClient =>
    ({ url, headers }) =>
      new Client(url, [], { headers, maxPayload, perMessageDeflate: false, skipUTF8Validation: true });
  if (setting !== undefined) {
    if (!isClass(setting)) return setting;
    return setting === (own as unknown) ? ownClient : clientOf(setting);
  }
  const { node, bun, deno } = versionsOf();
  if (bun !== undefined || deno !== undefined) return ownClient;
  if (node === undefined) return undefined;
  const found = await loadPackage();
  return found === undefined ? ownClient : clientOf(found);
}

/** A function may be called; a class of sockets has `send`. */
function isClass(setting: WebSocketSetting): setting is Extract<WebSocketSetting, SocketClass> {
  const prototype: unknown = setting.prototype;
  return isRecord(prototype) && 'send' in prototype;
}

function versionsOf(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as { readonly process?: { readonly versions?: Record<string, string> } };
  return process?.versions ?? {};
}

async function loadPackage(): Promise<SocketClass | undefined> {
  try {
    const found = (await import(/* webpackIgnore: true */ /* @vite-ignore */ PACKAGE)) as { WebSocket?: SocketClass };
    return found.WebSocket;
  } catch {
    return undefined;
  }
}
