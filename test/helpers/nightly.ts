/** Set by `npm run nightly`: random tests draw more examples, and long loops are longer. */
const IS_NIGHTLY = process.env['NIGHTLY'] !== undefined;

/** How many examples or rounds a slow test plays: a few for each commit, all of them at night. */
export const examples = (perCommit: number, nightly: number): number => (IS_NIGHTLY ? nightly : perCommit);
