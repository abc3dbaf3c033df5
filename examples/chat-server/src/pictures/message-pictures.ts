import type { ChatPart, StoredMessage } from '../types.js';
import { nameOfPicture, type PictureStore } from './picture-store.js';

type FilePart = Extract<ChatPart, { type: 'file' }>;

/** Who a model speaks as: what a person attached stays as it came. */
const MODELS: ReadonlySet<StoredMessage['role']> = new Set(['assistant', 'subagent']);

const INLINE = /^data:image\/[\w.+-]+;base64,/;

/** Pictures that a model made lie beside the messages, as those of tools do: a line of text is read and written again and again. */
export class MessagePictures {
  readonly #store: PictureStore;

  constructor(store: PictureStore) {
    this.#store = store;
  }

  /** For storing. What cannot be kept as a picture stays in the message. */
  async keep(sessionId: string, message: StoredMessage): Promise<StoredMessage> {
    if (!MODELS.has(message.role) || !message.parts.some(isInline)) return message;
    const parts = message.parts.map(async (part): Promise<ChatPart> => {
      if (!isInline(part)) return part;
      const content = Buffer.from(part.url.slice(part.url.indexOf(',') + 1), 'base64');
      const kept = await this.#store.save(sessionId, content, part.filename ?? '').catch(() => undefined);
      return kept === undefined ? part : { ...part, url: kept.url, mediaType: kept.mediaType };
    });
    return { ...message, parts: await Promise.all(parts) };
  }

  /** For the model, which loads nothing from here. A picture that is gone is left out. */
  async restore(sessionId: string, path: readonly StoredMessage[]): Promise<readonly StoredMessage[]> {
    return Promise.all(path.map((message) => this.#restoreIn(sessionId, message)));
  }

  async #restoreIn(sessionId: string, message: StoredMessage): Promise<StoredMessage> {
    if (!message.parts.some(isKept)) return message;
    const parts = message.parts.map(async (part): Promise<ChatPart[]> => {
      if (!isKept(part)) return [part];
      const found = await this.#store.read(sessionId, nameOfPicture(part));
      if (found === undefined) return [];
      const base64 = Buffer.from(found.content).toString('base64');
      return [{ ...part, url: `data:${found.mediaType};base64,${base64}` }];
    });
    return { ...message, parts: (await Promise.all(parts)).flat() };
  }
}

function isInline(part: ChatPart): part is FilePart {
  return part.type === 'file' && INLINE.test(part.url);
}

/** Those of other kinds are data URLs. */
function isKept(part: ChatPart): part is FilePart {
  return part.type === 'file' && part.url.startsWith('/api/sessions/');
}
