import { isRecord, rowOf } from './guards.js';

/** A member that may be absent: its check, and the error for a wrong value. */
export type MemberRule = readonly [name: string, isFine: (value: unknown) => boolean, problem: string];

/** Returns the error of the first member that breaks a rule. */
export function brokenRule(
  record: Readonly<Record<string, unknown>>,
  rules: readonly MemberRule[],
): string | undefined {
  return rules.find(([name, isFine]) => record[name] !== undefined && !isFine(record[name]))?.[2];
}

/** Names in lower case, each with its member: our names, and other common ones. */
export function otherNames(known: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(known).flatMap(([meant, others]) => [meant, ...others].map((name) => [name.toLowerCase(), meant])),
  );
}

/** Returns the first member with another name than ours, and our name, which is absent. */
export function misnamed(
  record: Readonly<Record<string, unknown>>,
  names: ReturnType<typeof otherNames>,
): { readonly typed: string; readonly meant: string } | undefined {
  for (const typed of Object.keys(record)) {
    const meant = rowOf(names, typed.toLowerCase());
    if (meant !== undefined && record[typed] !== undefined && record[meant] === undefined) return { typed, meant };
  }
  return undefined;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

export function isCallable(value: unknown): boolean {
  return typeof value === 'function';
}

export function isAtLeast(value: unknown, least: number): boolean {
  return typeof value === 'number' && value >= least;
}

export function isCount(value: unknown): boolean {
  return isAtLeast(value, 1);
}

export function isTime(value: unknown): boolean {
  return isAtLeast(value, 0);
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

export function isTextRecord(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isText);
}

/** The callers of a tool that the API allows. */
export function isCallerList(value: unknown): boolean {
  return isTextList(value) && value.every((caller) => caller === 'direct' || caller === 'programmatic');
}
