const STOP = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Tools and MCP servers that do not end by themselves are not waited for any longer. */
const MAX_END_MS = 4_500;
const INTERRUPTED = 130;

const LOOK_MS = 500;
/** In the name of its file, and of the command. */
const PROGRAM = 'chat-server';
/** Read before anything else is loaded: the shell may go while the server still starts. */
const STARTED_BY = process.ppid;

/** Fires at the first signal, or when the shell of `npm run` is gone. The second signal ends the process at once. */
export function stopSignal(): { readonly fired: Promise<void> } {
  let count = 0;
  const fired = new Promise<void>((resolve) => {
    const stop = (): void => {
      setTimeout(() => process.exit(0), MAX_END_MS).unref();
      resolve();
    };
    for (const signal of STOP) {
      process.on(signal, () => {
        count += 1;
        if (count > 1) process.exit(INTERRUPTED);
        stop();
      });
    }
    onceShellIsGone(stop);
  });
  return { fired };
}

/**
 * At SIGTERM npm ends the shell that a script runs in, which hands nothing on (seen with npm 10): we would stay behind. Below a
 * script that does not name us, such as one that opens a terminal, whoever started us may go.
 */
function onceShellIsGone(then: () => void): void {
  const script = process.env['npm_lifecycle_script'] ?? '';
  if (!script.includes(PROGRAM) || process.platform === 'win32') return;
  const timer = setInterval(() => {
    if (process.ppid === STARTED_BY) return;
    clearInterval(timer);
    then();
  }, LOOK_MS).unref();
}
