import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../store/replace-file.js';

const SERVICE = z.object({
  revocation_endpoint: z.url(),
  revocation_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

/** What is known of the service that gave the tokens: where they can be revoked. */
export type Service = z.output<typeof SERVICE>;

/**
 * Kept beside the tokens since the sign-in: an MCP server that names another service later does not get tokens to see.
 */
export class ServiceFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async keep(metadata: unknown): Promise<void> {
    const read = SERVICE.safeParse(metadata);
    if (!read.success) return rm(this.#path, { force: true });
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await replaceFile(this.#path, JSON.stringify(read.data));
  }

  async read(): Promise<Service | undefined> {
    try {
      return SERVICE.safeParse(JSON.parse(await readFile(this.#path, 'utf8'))).data;
    } catch {
      return undefined;
    }
  }

  forget(): Promise<void> {
    return rm(this.#path, { force: true });
  }
}
