import type { Profile } from '../../core/profile.js';
import { PROFILES } from '../../request/profiles.js';
import type { Point, Want, Wants } from './point.js';
import { CHECKS } from './probes/fields.js';

export interface Choice {
  readonly profile: Profile;
  /** Its name is one that `backend` takes. */
  readonly isBuiltIn: boolean;
  /** Where the nearest built-in profile does not fit, or does less than it could. */
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
  /** The profile of the host, as the URL gives it away. */
  readonly hosts: Profile;
  /** The profile of what its model list looks like. */
  readonly looksLike: string | undefined;
}

/**
 * The profile that does nothing which was refused, and the most of what was taken: the one of the host, the one of what the
 * server looks like, or one of those that stand for no server of their own. Where none fits, one is made of the nearest.
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

/** They say what many servers do; all others say what one does, also where it was not asked. */
const GENERAL = ['generic', 'openai'];

type Candidate = Pick<Choice, 'profile' | 'differs'>;

/** That a server takes something says nothing where it takes everything. */
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
  // Each want is for the member that it stands under.
  return (want as Want<unknown> | undefined)?.works(value) ?? true;
}

/** Members that are regular expressions are never compared: they are no better, only right or wrong. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function membersOf(wants: Wants): readonly Member[] {
  // They are typed by their names.
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
  // Every member is one of `Profile`, each with a value of its type.
  return own as unknown as Profile;
}
