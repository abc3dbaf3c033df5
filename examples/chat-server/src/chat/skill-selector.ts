import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PathGuard } from 'responses-loop-example-shared/path-guard.js';
import { openReadable } from '../tools/workspace-files.js';
import type { ChatPart } from '../types.js';

/** A skill as it is listed. */
export interface Skill {
  readonly name: string;
  /** Its first line of text, for the model and the page. */
  readonly description: string;
  readonly text: string;
}

export interface SkillCall {
  readonly name: string;
  /** The text without the call. */
  readonly rest: string;
}

const FOLDER = '.skills';
const FILE = 'SKILL.md';
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const MAX_SKILL_CHARS = 32_000;
const MAX_SKILLS = 100;

/** `/skill/NAME rest` at the beginning of a text. Whether there is such a skill is another question. */
export function parseSkillCall(text: string): SkillCall | undefined {
  const { name, rest } = /^\/skill\/(?<name>\S+)(?:\s+(?<rest>[^]*))?$/.exec(text)?.groups ?? {};
  return name === undefined ? undefined : { name, rest: rest ?? '' };
}

/** `/skill/NAME rest` is a call of the skill and the rest. */
export function withSkillPart(parts: readonly ChatPart[]): ChatPart[] {
  return parts.flatMap((part, index) => {
    const call = index === 0 && part.type === 'text' ? parseSkillCall(part.text) : undefined;
    if (call === undefined) return [part];
    const skill: ChatPart = { type: 'data-skill', data: { name: call.name } };
    return call.rest === '' ? [skill] : [skill, { type: 'text', text: call.rest }];
  });
}

export function skillsIn(parts: readonly ChatPart[]): string[] {
  return parts.flatMap((part) => (part.type === 'data-skill' ? [part.data.name] : []));
}

/** The instructions of a skill; `undefined`, if there is none of this name that may be read. */
export async function readSkill(name: string, root: string, guard: PathGuard): Promise<string | undefined> {
  // A name is one folder: nothing that leads elsewhere.
  if (!NAME.test(name)) return undefined;
  const { path, isReadable } = guard.resolve(join(FOLDER, name, FILE), root);
  if (!isReadable) return undefined;
  try {
    const handle = await openReadable(path, FILE);
    try {
      const { size } = await handle.stat();
      return size > MAX_SKILL_CHARS * 4 ? undefined : (await handle.readFile('utf8')).slice(0, MAX_SKILL_CHARS);
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

/** By name; what cannot be read is left out. */
export async function listSkills(root: string, guard: PathGuard): Promise<Skill[]> {
  const names = await readdir(guard.resolve(FOLDER, root).path).catch((): string[] => []);
  const read = async (name: string): Promise<Skill | undefined> => {
    const text = await readSkill(name, root, guard);
    return text === undefined ? undefined : { name, description: describe(text), text };
  };
  const skills = await Promise.all(names.toSorted().slice(0, MAX_SKILLS).map(read));
  return skills.filter((skill) => skill !== undefined);
}

/** `description:` of the front matter, else the first line that is no heading. */
function describe(text: string): string {
  const { front, body } = /^---\r?\n(?<front>[^]*?)\r?\n---\r?\n?(?<body>[^]*)$/.exec(text)?.groups ?? { body: text };
  const given = front?.split('\n').find((line) => line.startsWith('description:'));
  const line = given?.slice('description:'.length) ?? body?.split('\n').find((each) => /^[^#\s]/.test(each)) ?? '';
  return line.trim().slice(0, 200);
}
