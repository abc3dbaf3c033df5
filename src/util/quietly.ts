/** Runs what may fail, now or later, without anybody's business being changed by it: what a watcher does, for example. */
export function quietly(run: () => unknown): void {
  try {
    // Types say nothing comes back, but an async function fits them too, and its rejection would end a Node process.
    Promise.resolve(run()).catch(() => {});
  } catch {
    // As said.
  }
}
