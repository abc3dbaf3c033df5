/** A short stable hash (FNV-1a, twice 32 bits, hex): for names and ids, not for secrets. */
export function shortHash(text: string): string {
  return fnv1a(text, 0x811c9dc5) + fnv1a(text, 0x01000193);
}

function fnv1a(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** A key that signs texts (HMAC-SHA-256, in hex). Uses the platform's cryptography from the first text on. */
export class HmacKey {
  readonly #secret: string;
  #key: Promise<CryptoKey> | undefined;

  constructor(secret: string) {
    this.#secret = secret;
  }

  async sign(text: string): Promise<string> {
    return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', await this.#imported(), bytesOf(text))));
  }

  async holds(text: string, signature: string): Promise<boolean> {
    return crypto.subtle.verify('HMAC', await this.#imported(), fromHex(signature), bytesOf(text));
  }

  #imported(): Promise<CryptoKey> {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    this.#key ??= Promise.resolve(
      crypto.subtle.importKey('raw', bytesOf(this.#secret), algorithm, false, ['sign', 'verify']),
    );
    return this.#key;
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Converts anything but a signature in hex to an invalid signature. */
function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  if (!/^[\da-f]{64}$/.test(hex)) return new Uint8Array(0);
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
