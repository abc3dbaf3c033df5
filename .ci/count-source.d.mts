/** What the tests read of the counts. */
export function countSource(root: string): {
  /** The files of the core that name a ring, by its name. */
  readonly naming: Readonly<Record<string, readonly string[]>>;
};

/** Returns whether a file belongs to a ring. */
export function isOfRing(path: string): boolean;
