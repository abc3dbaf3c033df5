import { formatApprovalId, parseApprovalId } from '../core/approval-id.js';
import { callAsText, type MadeCall } from './same-call.js';

/**
 * Makes the ids under which the user is asked. Histories come from the client, and a client may write a request and its
 * answer itself: with a secret, an id holds for the very call it was made for, and for no other.
 */
export class ApprovalSeal {
  readonly #key: Promise<CryptoKey> | undefined;

  constructor(secret: string | undefined) {
    this.#key = secret === undefined ? undefined : importKey(secret);
    // Whoever signs sees the failure; until then nobody waits for it.
    this.#key?.catch(() => {});
  }

  async idOf(call: MadeCall): Promise<string> {
    const signature = this.#key === undefined ? '' : toHex(await sign(await this.#key, call));
    return formatApprovalId({ callId: call.callId, signature });
  }

  /** Whether this id was made for this call, under this secret. */
  async holds(approvalId: string, call: MadeCall): Promise<boolean> {
    if (this.#key === undefined) return true;
    const signature = fromHex(parseApprovalId(approvalId)?.signature ?? '');
    return crypto.subtle.verify('HMAC', await this.#key, signature, bytesOf(call));
  }
}

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

async function sign(key: CryptoKey, call: MadeCall): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(call)));
}

function bytesOf(call: MadeCall): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(callAsText(call));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/[\da-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));
}
