/** What a file was when the model last saw it, so that it writes over nothing it has not seen. */
export interface ReadStamps {
  /** `path` is a real path, `hash` of all that the file holds. */
  keep(path: string, hash: string): void;
  get(path: string): string | undefined;
}

export function createReadStamps(): ReadStamps {
  const stamps = new Map<string, string>();
  return { keep: (path, hash) => void stamps.set(path, hash), get: (path) => stamps.get(path) };
}
