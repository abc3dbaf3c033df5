import { hashedName, legalName, qualifiedName, type NameOwner } from './legal-name.js';

export interface NamingOptions {
  /** Names of the caller's own tools. */
  readonly clientNames: readonly string[];
  /** `rename`: the caller keeps the name. `loop`: we do. */
  readonly nameClash: 'rename' | 'loop';
}

/**
 * A wire name for every tool, in the order given: legal, unique, and the same whatever that order is. A tool keeps its bare
 * name unless another claims it too. `undefined` where no free name is left (two equal tools of one source).
 */
export function nameTools(owners: readonly NameOwner[], options: NamingOptions): readonly (string | undefined)[] {
  const reserved = new Set(options.nameClash === 'rename' ? options.clientNames : []);
  const bare = owners.map(legalName);
  const claims = countClaims(bare, owners);
  const keepers = owners.map((owner, index) => {
    const name = bare[index] ?? '';
    return !reserved.has(name) && keepsBareName(owner, claims.get(name), options.nameClash);
  });
  const first = owners.map((owner, index) => (keepers[index] === true ? (bare[index] ?? '') : qualifiedName(owner)));
  const qualified = countClaims(first, owners);
  const second = owners.map((owner, index) => {
    const name = first[index] ?? '';
    const isFree = keepers[index] === true || (!reserved.has(name) && qualified.get(name)?.all === 1);
    return isFree ? name : hashedName(owner);
  });
  return dropDuplicates(second, keepers, reserved);
}

/** How many tools claim a name. */
interface Claims {
  all: number;
  mcp: number;
}

function keepsBareName(owner: NameOwner, claims: Claims | undefined, nameClash: 'rename' | 'loop'): boolean {
  if (claims?.all === 1) return true;
  // The app this rule comes from asks its MCP servers first, then its own functions.
  return nameClash === 'loop' && owner.kind === 'mcp' && claims?.mcp === 1;
}

function countClaims(names: readonly string[], owners: readonly NameOwner[]): ReadonlyMap<string, Claims> {
  const claims = new Map<string, Claims>();
  for (const [index, name] of names.entries()) {
    const known = claims.get(name) ?? { all: 0, mcp: 0 };
    known.all += 1;
    if (owners[index]?.kind === 'mcp') known.mcp += 1;
    claims.set(name, known);
  }
  return claims;
}

function dropDuplicates(
  names: readonly string[],
  keepers: readonly boolean[],
  reserved: ReadonlySet<string>,
): readonly (string | undefined)[] {
  const taken = new Set(reserved);
  for (const [index, name] of names.entries()) if (keepers[index] === true) taken.add(name);
  return names.map((name, index) => {
    if (keepers[index] === true) return name;
    if (taken.has(name)) return undefined;
    taken.add(name);
    return name;
  });
}
