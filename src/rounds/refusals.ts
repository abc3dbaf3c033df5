import { isJsonObject, type JsonObject } from '../core/json.js';
import type { ApiError } from '../errors/api-error.js';
import { readRefused, type Refusal } from '../request/refusals.js';
import { byDeclaration, sealedIn, stripRefused, withNearestEffort } from '../request/strip-refused.js';
import type { LearnedRefusals } from './learned-refusals.js';

/**
 * The fields that a call's rounds omit because the server refuses them. A refusal in a machine-readable member is
 * remembered for the host. One read from prose applies to this call only and costs at most one further request. Refused
 * reasoning also applies to this call only, because it depends on the conversation.
 */
export class CallRefusals {
  /** The provider's, because a host will refuse the same in the next call. */
  readonly #learned: LearnedRefusals;
  readonly #place: string;
  readonly #ofThisCall: Refusal[] = [];
  readonly #announced = new Set<string>();
  /** The refusals of the present round. */
  #leftOut: { readonly refusal: Refusal; readonly isNamed: boolean }[] = [];
  #names: readonly string[] = [];
  #hasTrustedWords = false;

  readonly #level: string | undefined;
  /** Another level was sent instead. */
  #isReplaced = false;

  /** `level`: the reasoning level of a call option; levels in provider options or in a body are sent unchanged. */
  constructor(learned: LearnedRefusals, place: string, level?: string) {
    this.#learned = learned;
    this.#place = place;
    this.#level = level;
  }

  /** Returns the body without known refusals. */
  strip(whole: JsonObject): JsonObject {
    const mayReplace = isLevel(whole, this.#level);
    const known = this.#known();
    const { body, found } = stripAll(whole, mayReplace ? known : known.filter((refusal) => !isEffort(refusal)));
    this.#isReplaced = found.some(isEffort);
    this.#names = found.map(nameRefusal);
    return body;
  }

  /** Refusals from prose are first. */
  #known(): readonly Refusal[] {
    return [...this.#leftOut.map(({ refusal }) => refusal), ...this.#ofThisCall, ...this.#learned.at(this.#place)];
  }

  /**
   * Omits the parts of the body that its error names, and returns them. Empty: nothing can be omitted, or enough
   * attempts were made.
   */
  leaveOut(
    error: ApiError,
    body: JsonObject,
    canLeaveOut: (refusal: Refusal) => boolean = () => true,
  ): readonly string[] {
    const refused = readRefused(error, body);
    if (refused === undefined || (!refused.isNamed && this.#hasTrustedWords)) return [];
    const { isNamed, refusals } = refused;
    // Positions refer to the refused body. Omitting a part that it lacks would repeat the failure.
    const mayReplace = this.#isReplaced || isLevel(body, this.#level);
    const lasting = refusals
      .filter((refusal) => canLeaveOut(refusal) && (mayReplace || !isEffort(refusal)))
      .map((refusal) => toLasting(body, this.#hasTrustedWords ? withoutWords(refusal) : refusal));
    // A level depends on the remaining ones.
    const { found } = stripAll(body, [...lasting, ...this.#known().filter(isEffort)]);
    // A server that refuses one tool after another would get a request for each.
    if (found.some(isTool) && this.#leftOut.some(({ refusal }) => isTool(refusal))) return [];
    if (found.length > 0) this.#hasTrustedWords ||= !isNamed || found.some(hasWords);
    this.#leftOut.push(...found.map((refusal) => ({ refusal, isNamed })));
    return found.map(nameRefusal);
  }

  /** Remembers the refusals that helped an accepted round. Returns the warnings, each once per call. */
  accepted(): readonly string[] {
    for (const { refusal, isNamed } of this.#leftOut.splice(0)) {
      const isLearned = isNamed && refusal.kind !== 'reasoning';
      if (isLearned) this.#learned.learn(this.#place, withoutWords(refusal));
      if (!isLearned || hasWords(refusal)) this.#ofThisCall.push(refusal);
    }
    const fresh = this.#names.filter((name) => !this.#announced.has(name));
    for (const name of fresh) this.#announced.add(name);
    return fresh.map((name) => `The server refuses ${name}, so it was not sent.`);
  }
}

function isTool({ kind }: Refusal): boolean {
  return kind === 'tool';
}

function isEffort({ kind }: Refusal): boolean {
  return kind === 'effort';
}

function isLevel({ reasoning }: JsonObject, level: string | undefined): boolean {
  return level !== undefined && isJsonObject(reasoning) && reasoning['effort'] === level;
}

/** True if the refusal includes more than machine-readable members. */
function hasWords(refusal: Refusal): boolean {
  return refusal.kind === 'effort' && refusal.among !== undefined;
}

function withoutWords(refusal: Refusal): Refusal {
  return refusal.kind === 'effort' ? { kind: 'effort', level: refusal.level } : refusal;
}

/** A body without the refused parts, and those parts. */
function stripAll(
  whole: JsonObject,
  refusals: readonly Refusal[],
): { readonly body: JsonObject; readonly found: readonly Refusal[] } {
  let body = whole;
  const efforts = refusals.filter((refusal) => refusal.kind === 'effort');
  const found = refusals.filter((refusal) => {
    const stripped = refusal.kind === 'effort' ? withNearestEffort(body, efforts) : stripRefused(body, refusal);
    body = stripped ?? body;
    return stripped !== undefined;
  });
  return { body, found };
}

/** Returns a refusal that also applies to later bodies: tools by their declarations, reasoning by its seal. */
function toLasting(body: JsonObject, refusal: Refusal): Refusal {
  if (refusal.kind === 'reasoning') return { kind: 'reasoning', sealed: sealedIn(body) };
  return refusal.kind === 'tool' ? byDeclaration(body, refusal) : refusal;
}

/** Names an omitted part for people. */
function nameRefusal(refusal: Refusal): string {
  if (refusal.kind === 'field') return `the field "${refusal.field}"`;
  if (refusal.kind === 'effort') return `the level of reasoning "${refusal.level}"`;
  if (refusal.kind === 'reasoning') return 'the reasoning of earlier turns';
  if (refusal.name !== undefined) return `the tool "${refusal.name}"`;
  const { toolType, label, isKind } = refusal;
  if (toolType === undefined) return `tool number ${refusal.index ?? '?'}`;
  return label === undefined || isKind === true ? `tools of type "${toolType}"` : `the tool "${label}" (${toolType})`;
}
