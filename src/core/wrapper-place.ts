/** The place of a call in a wrapper, which is the call that the server knows. */
export interface WrapperPlace {
  /** Those of the wrapper, as the server gave them. */
  readonly callId: string;
  readonly name: string;
  readonly itemId?: string;
  /** Of the wrapper; on its first call. */
  readonly arguments?: string;
  readonly index: number;
  readonly count: number;
}
