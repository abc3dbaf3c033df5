import type { LoopTool } from '../tools/loop-tool.js';
import { clip, excerpt } from '../util/excerpt.js';
import { asArray, asRecord, asString } from '../util/guards.js';

/** Characters of each kind of text that are looked through: a description may be long. */
const MAX_CHARS = 4_000;
/** Levels of a schema that are looked through. */
const MAX_DEPTH = 6;

/** The texts by which a tool is found. */
export interface ToolTexts {
  /** As it is offered, and at its source. */
  readonly name: string;
  /** Title, description, server and namespace. */
  readonly about: string;
  /** Names and descriptions of parameters. */
  readonly parameters: string;
}

export function textsOf({ declaration, source, tool }: LoopTool): ToolTexts {
  const { name, description, inputSchema } = declaration;
  const { namespace } = tool.options ?? {};
  const about = [tool.title, description, source.key, namespace?.name, namespace?.description];
  return {
    name: `${name} ${tool.name}`,
    about: joined(about),
    parameters: joined(textsIn(inputSchema, MAX_DEPTH)),
  };
}

/** Returns the beginning of a tool's description, in one line. */
export function shortDescription({ declaration, tool }: LoopTool, chars: number): string {
  const words = (declaration.description ?? tool.title ?? '').split(/\s+/).filter((word) => word !== '');
  return excerpt(words.join(' '), chars);
}

function joined(texts: readonly (string | undefined)[]): string {
  return clip(texts.filter((text) => text !== undefined).join('\n'), MAX_CHARS);
}

function textsIn(schema: unknown, depth: number): (string | undefined)[] {
  const found = asRecord(schema);
  if (found === undefined || depth === 0) return [];
  const parameters = Object.entries(asRecord(found['properties']) ?? {});
  const inner = [found['items'], ...['anyOf', 'oneOf', 'allOf'].flatMap((name) => asArray(found[name]))];
  return [
    ...parameters.flatMap(([name, value]) => {
      const own = asString(asRecord(value)?.['description']);
      return [name, own, ...textsIn(value, depth - 1)];
    }),
    ...inner.flatMap((value) => textsIn(value, depth - 1)),
  ];
}
