/** What the stock provider calls the server's summary of a conversation that grew too long. */
export const COMPACTION = 'openai.compaction';
