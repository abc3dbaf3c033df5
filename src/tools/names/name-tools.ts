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
  const groups = groupBy(bare);
  const keepers = owners.map((owner, index) => {
    const name = bare[index] ?? '';
    return !reserved.has(name) && keepsBareName(owner, claimants(groups, name, owners), options.nameClash);
  });
  const first = owners.map((owner, index) => (keepers[index] === true ? (bare[index] ?? '') : qualifiedName(owner)));
  const claims = groupBy(first);
  const second = owners.map((owner, index) => {
    const name = first[index] ?? '';
    const isFree = keepers[index] === true || (!reserved.has(name) && claims.get(name)?.length === 1);
    return isFree ? name : hashedName(owner);
  });
  return dropDuplicates(second, keepers, reserved);
}

function keepsBareName(owner: NameOwner, rivals: readonly NameOwner[], nameClash: 'rename' | 'loop'): boolean {
  if (rivals.length === 1) return true;
  // The app this rule comes from asks its MCP servers first, then its own functions.
  return nameClash === 'loop' && owner.kind === 'mcp' && rivals.filter((rival) => rival.kind === 'mcp').length === 1;
}

function claimants(
  groups: ReadonlyMap<string, readonly number[]>,
  name: string,
  owners: readonly NameOwner[],
): readonly NameOwner[] {
  return (groups.get(name) ?? []).flatMap((index) => owners[index] ?? []);
}

function groupBy(names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, name] of names.entries()) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [index]);
    else group.push(index);
  }
  return groups;
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
