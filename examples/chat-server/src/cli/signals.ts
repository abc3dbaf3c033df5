const STOP = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Tools and MCP servers that do not end by themselves are not waited for any longer. */
const LONGEST_END_MS = 4_500;
const INTERRUPTED = 130;

/** Fires at the first signal. The second one ends the process at once. */
export function stopSignal(): { readonly fired: Promise<void> } {
  let count = 0;
  const fired = new Promise<void>((resolve) => {
    for (const signal of STOP) {
      process.on(signal, () => {
        count += 1;
        if (count > 1) process.exit(INTERRUPTED);
        setTimeout(() => process.exit(0), LONGEST_END_MS).unref();
        resolve();
      });
    }
  });
  return { fired };
}
