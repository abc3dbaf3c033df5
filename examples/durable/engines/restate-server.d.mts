export interface RestateServer {
  /** Addresses. */
  readonly ingress: string;
  readonly admin: string;
  /** Tells it where the workers are, once they answer there. */
  register(uri: string): Promise<void>;
  /** Kills it. */
  halt(): Promise<void>;
  /** Starts it again, with all that it kept. */
  resume(): Promise<void>;
}

/** A server with its files in a folder of the caller, or why this machine has none. It ends with this process. */
export function startRestateServer(options: {
  readonly dir: string;
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<RestateServer | { skipped: string }>;
