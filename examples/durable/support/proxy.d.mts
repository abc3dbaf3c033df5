/** Hands each connection to the next of these ports of loopback that takes it. The list may change meanwhile. */
export function startProxy(ports: readonly number[], at?: number): Promise<{ readonly port: number; close(): void }>;
