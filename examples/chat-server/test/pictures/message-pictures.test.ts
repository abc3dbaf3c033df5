import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MessagePictures } from '../../src/pictures/message-pictures.js';
import type { ChatPart, StoredMessage } from '../../src/types.js';
import { PICTURES, pictureBytes, picturesIn, SVG } from '../support/pictures.js';
import { makeWorkspace } from '../support/workspace.js';

const file = (mediaType: string, base64: string): ChatPart => ({
  type: 'file',
  mediaType,
  url: `data:${mediaType};base64,${base64}`,
});
const message = (role: StoredMessage['role'], parts: readonly ChatPart[]): StoredMessage => ({
  id: 'm',
  parentMessageId: null,
  role,
  messageKind: 'normal',
  parts,
  metadata: {},
  createdAt: '2026-01-01T00:00:00.000Z',
});

describe('pictures that a model made', () => {
  it.each(['assistant', 'subagent'] as const)(
    'lie beside the message of the %s, and the model reads them as they were',
    async (role) => {
      const { dataFolder } = makeWorkspace();
      const store = picturesIn(dataFolder, 'chat');
      const pictures = new MessagePictures(store);
      const made = message(role, [{ type: 'text', text: 'Made.' }, file('image/png', PICTURES.png)]);
      const kept = await pictures.keep('chat', made);
      const hash = createHash('sha256').update(pictureBytes('png')).digest('hex').slice(0, 32);
      expect(kept.parts[1]).toEqual({
        type: 'file',
        mediaType: 'image/png',
        url: `/api/sessions/chat/pictures/${hash}.png`,
      });
      expect(await pictures.restore('chat', [kept])).toEqual([made]);
      expect(await pictures.keep('chat', kept)).toEqual(kept);
      expect(
        (await new MessagePictures(picturesIn(`${dataFolder}/other`, 'chat')).restore('chat', [kept]))[0]?.parts,
      ).toHaveLength(1);
    },
  );

  it('stay in the message if they are of a person, or no pictures by their bytes', async () => {
    const { dataFolder } = makeWorkspace();
    const pictures = new MessagePictures(picturesIn(dataFolder, 'chat'));
    const sent = message('user', [file('image/png', PICTURES.png)]);
    expect(await pictures.keep('chat', sent)).toBe(sent);
    const odd = message('assistant', [
      file('image/png', Buffer.from(SVG).toString('base64')),
      file('text/plain', 'QQ=='),
    ]);
    expect(await pictures.keep('chat', odd)).toEqual(odd);
  });
});
