import type { JsonObject } from '../../../../src/core/json.js';
import type { CallOutcome, HostileObservation } from '../observation.js';
import type { HostileScenario } from '../scenario.js';
import { plain } from '../../plain.js';

export interface Attacked {
  readonly scenario: HostileScenario;
  readonly observation: HostileObservation;
}

/** Says what is wrong, if anything. */
export type HostileChecker = (attacked: Attacked) => string[];

export function eachOutcome(check: (outcome: CallOutcome, attacked: Attacked) => string[]): HostileChecker {
  return (attacked) =>
    attacked.observation.outcomes.flatMap((outcome, at) =>
      check(outcome, attacked).map((problem) => (attacked.scenario.calls === 1 ? problem : `call ${at}: ${problem}`)),
    );
}

/** A text somewhere in JSON, and the way to it. */
export interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
}

/** All texts of a JSON value; names of members are texts as well. */
export function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  const leaves: Leaf[] = [];
  const walk = (part: unknown, way: readonly string[]): void => {
    if (typeof part === 'string') leaves.push({ path: way, text: part });
    if (typeof part !== 'object' || part === null) return;
    const isList = Array.isArray(part);
    for (const [name, member] of Object.entries(part)) {
      if (!isList) leaves.push({ path: way, text: name });
      walk(member, [...way, name]);
    }
  };
  walk(value, path);
  return leaves;
}

/** Warnings of a call, wherever its version puts them. */
export function warningsOf({ parts, result }: CallOutcome): string[] {
  const start = parts.find((part) => part.type === 'stream-start');
  return [start?.['warnings'], result?.['warnings']]
    .flatMap((warnings) => (Array.isArray(warnings) ? (warnings as JsonObject[]) : []))
    .map((warning) => plain(warning['message'] ?? warning['details'] ?? warning));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
