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

type Member = keyof Profile & keyof Wants;

/** These belong to one host: their routes or keys are like nobody else's. */
const OF_ONE_HOST = new Set(['azure', 'google', 'copilot']);

export interface Seen {
  readonly points: readonly Point[];
  /** The profile of the host, as the URL gives it away. */
  readonly hosts: Profile;
  /** The profile of what its model list looks like. */
  readonly looksLike: string | undefined;
}

/**
 * The profile that does nothing which was refused, and the most of what was taken. The host's own comes first, then the one of
 * what the server looks like, then `generic`. Where none fits, one is made of the nearest.
 */
export function chooseProfile({ points, hosts, looksLike }: Seen): Choice {
  const wanted = wantsOf(points);
  const known = [hosts.name, looksLike].filter((name) => name !== 'generic');
  const order = [...known, 'generic', 'openai'];
  const builtIn: readonly Profile[] = Object.values(PROFILES);
  const candidates = builtIn
    .filter(({ name }) => name === hosts.name || !OF_ONE_HOST.has(name))
    .map((profile) => {
      const differs = differences(profile, wanted);
      const place = order.indexOf(profile.name);
      return { profile, differs, cost: costOf(differs), rank: place === -1 ? order.length : place };
    })
    .toSorted((a, b) => a.cost - b.cost || a.rank - b.rank);
  const expected = candidates.filter(({ cost, rank }) => cost < WRONG && rank < known.length);
  const best = expected.toSorted((a, b) => a.rank - b.rank)[0] ?? candidates[0];
  // The table is never empty.
  if (best === undefined) throw new Error('There is no profile.');
  if (best.cost < WRONG) return { profile: best.profile, isBuiltIn: true, differs: best.differs };
  return { profile: ownProfile(best.profile, wanted), isBuiltIn: false, differs: best.differs };
}

/** That a server takes something says nothing where it takes everything. */
function wantsOf(points: readonly Point[]): readonly Wants[] {
  const takesAll = points.some(({ name, verdict }) => name === CHECKS && verdict === 'partly');
  return points.flatMap(({ verdict, wants }) =>
    wants === undefined || (takesAll && verdict === 'yes') ? [] : [wants],
  );
}

const WRONG = 100;

function costOf(differs: readonly Difference[]): number {
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
