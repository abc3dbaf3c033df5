import { abortError, raceAbort, withSignal } from '../../util/abort.js';
import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import { asArray, asId, asRecord, isRecord } from '../../util/guards.js';

const MAX_LINKS = 10;
const MAX_MS = 30_000;

type Block = Record<string, unknown>;

export interface LinkReader {
  /** Sends `resources/read` over the session of the tool call. */
  read(uri: string, signal: AbortSignal): Promise<Record<string, unknown>>;
  /** Removes secrets from a reason. */
  clean(text: string): string;
  readonly signal: AbortSignal;
  /** Called when reading begins and after each answer, because reading takes time. */
  onSign(): void;
}

/**
 * Replaces the links of a tool result by the contents of their resources. What cannot be read remains a link, followed
 * by the reason. All reading together takes at most 30 seconds. Rejects only if the signal fires.
 */
export async function resolveLinks(result: Block, reader: LinkReader): Promise<Block> {
  const blocks = asArray(result['content']);
  const links = blocks.filter(isLink);
  if (links.length === 0) return result;
  reader.onSign();
  const wanted = new Set(links.slice(0, MAX_LINKS));
  const read = async (signal: AbortSignal): Promise<unknown[]> => {
    const replaced = blocks.map(async (block) => {
      if (!isLink(block)) return [block];
      if (!wanted.has(block)) return unread(block, `only the first ${MAX_LINKS} links of a result are read`);
      return follow(block, signal, reader);
    });
    return (await Promise.all(replaced)).flat();
  };
  const error = new Error(`it took longer than ${MAX_MS / 1_000} seconds`);
  const content = await withSignal([reader.signal], read, { ms: MAX_MS, error });
  if (reader.signal.aborted) throw abortError(reader.signal);
  return { ...result, content };
}

async function follow(link: Block, signal: AbortSignal, reader: LinkReader): Promise<unknown[]> {
  const uri = asId(link['uri']);
  if (uri === undefined) return unread(link, 'it has no address');
  try {
    const { contents } = await raceAbort(reader.read(uri, signal), signal);
    reader.onSign();
    const resources = asArray(contents).filter(isRecord);
    if (resources.length === 0) return unread(link, 'the server sent nothing for it');
    // The contents have the audience of the link.
    const { annotations } = link;
    return resources.map((resource) => ({ type: 'resource', resource, ...defined({ annotations }) }));
  } catch (error) {
    return unread(link, reader.clean(errorText(error)));
  }
}

function unread(link: Block, reason: string): unknown[] {
  return [link, { type: 'text', text: `(This resource was not read: ${reason}.)` }];
}

function isLink(block: unknown): block is Block {
  return asRecord(block)?.['type'] === 'resource_link';
}
