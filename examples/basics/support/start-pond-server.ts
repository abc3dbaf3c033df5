import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** An MCP server that runs by itself, as one that somebody else has started. */
export interface PondServer {
  readonly url: string;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startPondServer(transport: 'http' | 'sse', pond: string, ducks: number): Promise<PondServer> {
  const program = fileURLToPath(new URL('pond-server.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, transport, pond, String(ducks)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const line = once(createInterface({ input: child.stdout }), 'line');
  const ended = exit.then(([code]) => {
    throw new Error(`The MCP server of the ${pond} pond ended with code ${String(code)} before it was ready.`);
  });
  const [url] = (await Promise.race([line, ended])) as [string];
  // It may end now.
  ended.catch(() => {});
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await exit;
    },
  };
}
