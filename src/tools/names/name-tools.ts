import { hashedName, legalName, qualifiedName, type NameOwner } from './legal-name.js';

export interface NamingOptions {
  /** Names of the caller's own tools. */
  readonly clientNames: readonly string[];
  /** `rename`: the caller keeps the name. `loop`: we do. */
  readonly nameClash: 'rename' | 'loop';
}

/** The tools that claim one name. */
type Claimants = readonly { readonly owner: NameOwner; readonly index: number }[];
type Winner = (claimants: Claimants) => Claimants[number] | undefined;

const onlyOne: Winner = ([first, ...others]) => (others.length === 0 ? first : undefined);

/** The app this rule comes from asks its MCP servers first, then its own functions. */
const onlyMcp: Winner = (claimants) =>
  onlyOne(claimants) ?? onlyOne(claimants.filter(({ owner }) => owner.kind === 'mcp'));

/**
 * A wire name for every tool, in the order given: legal, unique, and the same whatever that order is. A tool keeps its bare
 * name unless another claims it too. `undefined` where no free name is left (two equal tools of one source).
 */
export function nameTools(
  owners: readonly NameOwner[],
  { clientNames, nameClash }: NamingOptions,
): readonly (string | undefined)[] {
  const taken = new Set(nameClash === 'rename' ? clientNames : []);
  const names: (string | undefined)[] = owners.map(() => undefined);
  const give = (nameOf: (owner: NameOwner) => string, winnerOf: Winner): void => {
    const claims = new Map<string, Claimants[number][]>();
    for (const [index, owner] of owners.entries()) {
      if (names[index] !== undefined) continue;
      const name = nameOf(owner);
      const claimants = claims.get(name) ?? [];
      claimants.push({ owner, index });
      claims.set(name, claimants);
    }
    for (const [name, claimants] of claims) {
      const winner = taken.has(name) ? undefined : winnerOf(claimants);
      if (winner === undefined) continue;
      names[winner.index] = name;
      taken.add(name);
    }
  };
  give(legalName, nameClash === 'loop' ? onlyMcp : onlyOne);
  give(qualifiedName, onlyOne);
  give(hashedName, ([first]) => first);
  return names;
}
