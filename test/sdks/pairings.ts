/** An AI SDK major with the model specification our models speak to it. */
export interface Pairing {
  readonly sdk: 5 | 6 | 7;
  readonly spec: 'v2' | 'v3' | 'v4';
}

/** Everything a user can run: each major takes its own specification and the older ones. */
export const PAIRINGS: readonly Pairing[] = [
  { sdk: 5, spec: 'v2' },
  { sdk: 6, spec: 'v2' },
  { sdk: 6, spec: 'v3' },
  { sdk: 7, spec: 'v2' },
  { sdk: 7, spec: 'v3' },
  { sdk: 7, spec: 'v4' },
];

export const nameOf = ({ sdk, spec }: Pairing): string => `ai${sdk}-${spec}`;

declare module 'vitest' {
  export interface ProvidedContext {
    /** Absent in the project of all other tests, which has `ai` 5 and V2 models. */
    pairing: Pairing;
  }
}
