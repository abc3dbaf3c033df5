/** Drizzle wraps the client's error, which wraps the database's. The one at the bottom comes last. */
function chainOf(error: unknown): (Error & { readonly code?: unknown })[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < 10; next = next.cause) chain.push(next);
  return chain;
}

export function hasCode(error: unknown, code: RegExp): boolean {
  return chainOf(error).some(({ code: own }) => typeof own === 'string' && code.test(own));
}

/** What went wrong at the bottom, and its code. The fields of the errors in the chain may hold values of a statement. */
export function withoutValues(error: unknown): Error & { readonly code?: string } {
  const codes = chainOf(error).map(({ code }) => code);
  const code = codes.filter((own) => typeof own === 'string').at(-1);
  return Object.assign(new Error(reasonOf(error)), code !== undefined && { code });
}

export function messagesOf(error: unknown): string {
  return chainOf(error)
    .map(({ message }) => message)
    .join('\n');
}

/** What went wrong at the bottom, which holds no values of a statement. */
export function reasonOf(error: unknown): string {
  const bottom = chainOf(error).at(-1);
  if (bottom === undefined) return String(error);
  // A name with several addresses fails once for each, and the whole has no message.
  const reasons = bottom instanceof AggregateError ? bottom.errors.map((one: unknown) => reasonOf(one)) : [];
  const reason = reasons.length > 0 ? reasons.join('; ') : bottom.message.replace(/\.$/, '');
  return reason === '' ? 'the reason is unknown' : reason;
}
