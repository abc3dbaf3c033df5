export interface IndexEntry {
  /** Bytes of the path, each one a character. */
  readonly path: string;
  /** A commit of another repository, which lies in that folder. */
  readonly isSubmodule: boolean;
}

const HEADER_BYTES = 12;
const MODE_AT = 24;
const STAT_BYTES = 40;
const SUBMODULE_TYPE = 0o16;
const HAS_MORE_FLAGS = 0x4000;
const NAME_LENGTH = 0xfff;
/** Parts behind the entries that add no entry. The parts of split and sparse indexes do. */
const EXTENSIONS = ['TREE', 'REUC', 'UNTR', 'FSMN', 'EOIE', 'IEOT'];

/**
 * The files that an index of git (version 2 to 4) holds; `undefined` if it has another form, or a path that leads out of the
 * work tree. Git checks no path of an index, and would show what lies there.
 */
export function readGitIndex(bytes: Buffer, hashBytes: number): readonly IndexEntry[] | undefined {
  if (bytes.length < HEADER_BYTES + hashBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return undefined;
  const end = bytes.length - hashBytes;
  const entries: IndexEntry[] = [];
  let at = HEADER_BYTES;
  let before = '';
  while (entries.length < count) {
    const flagsAt = at + STAT_BYTES + hashBytes;
    if (flagsAt + 4 > end) return undefined;
    const flags = bytes.readUInt16BE(flagsAt);
    const nameAt = flagsAt + ((flags & HAS_MORE_FLAGS) === 0 ? 2 : 4);
    const cut = version === 4 ? readOffset(bytes, nameAt) : { value: 0, next: nameAt };
    const nameEnd = bytes.indexOf(0, cut.next);
    if (nameEnd === -1 || nameEnd >= end || cut.value > before.length) return undefined;
    const kept = version === 4 ? before.slice(0, before.length - cut.value) : '';
    const path = kept + bytes.toString('latin1', cut.next, nameEnd);
    // Git goes by this length, and would find the next entry elsewhere.
    if ((flags & NAME_LENGTH) !== Math.min(path.length, NAME_LENGTH)) return undefined;
    if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) return undefined;
    entries.push({ path, isSubmodule: bytes.readUInt32BE(at + MODE_AT) >>> 12 === SUBMODULE_TYPE });
    // Up to version 3 an entry is filled up with NULs to a multiple of eight.
    at = version === 4 ? nameEnd + 1 : at + (Math.floor((nameEnd - at) / 8) + 1) * 8;
    before = path;
  }
  return addNothing(bytes.subarray(at, end)) ? entries : undefined;
}

function addNothing(extensions: Buffer): boolean {
  let at = 0;
  while (at + 8 <= extensions.length) {
    if (!EXTENSIONS.includes(extensions.toString('latin1', at, at + 4))) return false;
    at += 8 + extensions.readUInt32BE(at + 4);
  }
  return at === extensions.length;
}

/** A number in which each byte but the last has its high bit set. */
function readOffset(bytes: Buffer, from: number): { readonly value: number; readonly next: number } {
  let value = bytes[from] ?? 0;
  let at = from + 1;
  let byte = value;
  value &= 0x7f;
  while ((byte & 0x80) !== 0 && at < bytes.length) {
    byte = bytes[at] ?? 0;
    at += 1;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}
