import type { Profile } from '../../core/profile.js';
import { PROFILES } from '../../request/profiles.js';
import type { Point, Want, Wants } from './point.js';
import { CHECKS } from './probes/fields.js';

export interface Choice {
  readonly profile: Profile;
  /** `backend` takes its name. */
  readonly isBuiltIn: boolean;
  /** The members in which the nearest built-in profile fails, or does less than the server allows. */
  readonly differs: readonly Difference[];
}

export interface Difference {
  readonly profile: string;
  readonly member: string;
  readonly isWrong: boolean;
}

type Member = keyof Profile;

export interface Seen {
  readonly points: readonly Point[];
  /** The profile that the host of the URL has. */
  readonly hosts: Profile;
  /** The profile that the model list suggests. */
  readonly looksLike: string | undefined;
}

/**
 * Chooses the profile that does nothing that the server refused and most of what it accepted: that of the host, that of
 * the model list, or a general one. If none fits, one is made from the nearest.
 */
export function chooseProfile({ points, hosts, looksLike }: Seen): Choice {
  const wanted = wantsOf(points);
  const builtIn: readonly Profile[] = Object.values(PROFILES);
  const candidates = (names: readonly (string | undefined)[]): readonly Candidate[] =>
    names
      .flatMap((name) => builtIn.find((profile) => profile.name === name) ?? [])
      .map((profile) => ({ profile, differs: differences(profile, wanted) }));
  const expected = candidates([hosts.name, looksLike].filter((name) => name !== GENERAL[0]));
  const general = candidates(GENERAL).toSorted((a, b) => costOf(a) - costOf(b));
  const best = [...expected, ...general].find((candidate) => costOf(candidate) < WRONG);
  if (best !== undefined) return { ...best, isBuiltIn: true };
  const nearest = [...general, ...expected].toSorted((a, b) => costOf(a) - costOf(b))[0];
  const { profile = PROFILES.generic, differs = [] } = nearest ?? {};
  return { profile: ownProfile(profile, wanted), isBuiltIn: false, differs };
}

/** Profiles of many servers. The others describe one server each, untested members included. */
const GENERAL = ['generic', 'openai'];

type Candidate = Pick<Choice, 'profile' | 'differs'>;

/** A server that accepts everything proves nothing by accepting. */
function wantsOf(points: readonly Point[]): readonly Wants[] {
  const takesAll = points.some(({ name, verdict }) => name === CHECKS && verdict === 'partly');
  return points.flatMap(({ verdict, wants }) =>
    wants === undefined || (takesAll && verdict === 'yes') ? [] : [wants],
  );
}

const WRONG = 100;

function costOf({ differs }: Candidate): number {
  return differs.reduce((sum, { isWrong }) => sum + (isWrong ? WRONG : 1), 0);
}

function differences(profile: Profile, wanted: readonly Wants[]): readonly Difference[] {
  return wanted.flatMap((wants) =>
    membersOf(wants).flatMap((member) => {
      const isWrong = !works(wants[member], profile[member]);
      const isLess = wants[member]?.isBetter === true && !isSame(wants[member].best, profile[member]);
      return isWrong || isLess ? [{ profile: profile.name, member, isWrong }] : [];
    }),
  );
}

function works(want: Wants[Member], value: unknown): boolean {
  // Each want belongs to the member of its key.
  return (want as Want<unknown> | undefined)?.works(value) ?? true;
}

/** Regular expressions are never compared: they are right or wrong, not better. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function membersOf(wants: Wants): readonly Member[] {
  // The keys are typed by their names.
  return Object.keys(wants) as Member[];
}

function ownProfile(base: Profile, wanted: readonly Wants[]): Profile {
  const own: Record<string, unknown> = { ...base, name: 'own' };
  for (const wants of wanted) {
    for (const member of membersOf(wants)) {
      const want = wants[member];
      if (want !== undefined && (!works(want, own[member]) || want.isBetter === true || own[member] === undefined))
        own[member] = want.best;
    }
  }
  // Every member is one of `Profile`, with a value of its type.
  return own as unknown as Profile;
}
