/** A request that did not go out, or was refused, because of what the app has to give for it. The server did nothing. */
export class McpAccessError extends Error {
  override readonly name = 'McpAccessError';
  /** What to do about it, as a sentence. */
  readonly fix: string;
  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}
