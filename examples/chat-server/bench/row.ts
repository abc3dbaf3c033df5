/** A line of the table. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly limit: string;
  readonly isHeld: boolean;
}
