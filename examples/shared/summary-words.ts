/** Asks for what a model needs to go on with nothing but its answer and the last turns. */
export function summaryRequest(worth: string): string {
  return `Summarize our conversation so far, so that you can go on with nothing but your summary and the last turns.
Keep: what the user wants and has decided, ${worth}, what is still to be done, and exact names, paths and numbers. Leave out what is over. Write plain text, no greeting.`;
}

/** How a model is given a summary. */
export function summaryText(summary: string): string {
  return `Summary of our conversation so far, which was made shorter:\n\n${summary}`;
}
