import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nameOfPicture, type PictureStore } from '../../src/pictures/picture-store.js';
import { pictureTypeOf } from 'responses-loop-example-shared/picture-type.js';
import { viewImageTool } from '../../src/tools/view-image.js';
import { chatModelOf } from '../support/chat-model.js';
import { inTurn } from '../support/in-turn.js';
import { pictureBytes, picturesIn, SVG } from '../support/pictures.js';
import { makeWorkspace } from '../support/workspace.js';

const run = { toolCallId: 'call_1', signal: new AbortController().signal };

function newStore(): { readonly store: PictureStore; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { store: picturesIn(folder, 'chat'), folder };
}

describe('a picture of a chat', () => {
  it.each([
    ['png', 'image/png', 'png'],
    ['gif', 'image/gif', 'gif'],
    ['jpeg', 'image/jpeg', 'jpg'],
    ['webp', 'image/webp', 'webp'],
  ] as const)('is known by its first bytes and read back: %s', async (name, mediaType, ending) => {
    const { store } = newStore();
    const picture = await store.save('chat', pictureBytes(name), 'A dot');
    expect(picture).toMatchObject({ mediaType, alt: 'A dot', bytes: pictureBytes(name).length });
    expect(picture.url).toMatch(new RegExp(`^/api/sessions/chat/pictures/[0-9a-f]{32}\\.${ending}$`));
    const found = await store.read('chat', nameOfPicture(picture));
    expect(found?.mediaType).toBe(mediaType);
    expect(Buffer.from(found?.content ?? [])).toEqual(pictureBytes(name));
  });

  it.each([
    ['an SVG', Buffer.from(SVG)],
    ['a page', Buffer.from('<!doctype html><script>1</script>')],
    ['RIFF that is no WebP', Buffer.from('RIFF0000WAVEfmt ')],
    ['nothing', Buffer.alloc(0)],
    ['the beginning of a mark', pictureBytes('png').subarray(0, 5)],
  ])('is refused if it is %s', async (_name, bytes) => {
    const { store } = newStore();
    await expect(store.save('chat', bytes, '')).rejects.toThrow('This is not a PNG, JPEG, GIF or WebP');
  });

  it('has no type for any bytes without a mark in front', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => pictureTypeOf(Uint8Array.of(0, ...bytes)) === undefined),
    );
  });

  it('is kept once, and refused with its size if it is too large', async () => {
    const { store, folder } = newStore();
    await store.save('chat', pictureBytes('png'), 'one');
    await store.save('chat', pictureBytes('png'), 'two');
    expect(readdirSync(join(folder, 'chat', 'pictures'))).toHaveLength(1);
    const large = Buffer.concat([pictureBytes('png'), Buffer.alloc(10_000_000)]);
    await expect(store.save('chat', large, '')).rejects.toThrow('The picture has 10.0 MB; 10.0 MB are allowed.');
    const full = join(folder, 'chat', 'pictures', 'full.png');
    writeFileSync(full, '');
    truncateSync(full, 200_000_000);
    await expect(store.save('chat', pictureBytes('gif'), '')).rejects.toThrow('200.0 MB are allowed');
  });

  it('is read by its name alone, never by a path', async () => {
    const { store, folder } = newStore();
    writeFileSync(join(folder, 'token.png'), 'secret');
    for (const name of [
      '../../token.png',
      '..',
      '',
      'token.png',
      `${'a'.repeat(32)}.html`,
      `${'a'.repeat(32)}.png/..`,
    ]) {
      expect(await store.read('chat', name), name).toBeUndefined();
    }
  });
});

describe('viewImage', () => {
  const model = (images: boolean | undefined) => ({
    ...chatModelOf('eye'),
    entry: { id: 'eye', label: 'Eye', images },
  });

  it('shows a picture of the workspace to the person, and its bytes to a model that takes pictures', async () => {
    const { store } = newStore();
    const files = makeWorkspace({ 'a.txt': '' });
    writeFileSync(join(files.root, 'a.txt'), pictureBytes('png'));
    const tool = viewImageTool(files, store);
    const read = async (images: boolean | undefined) =>
      inTurn({ sessionId: 'chat', chatModel: model(images) as never }, async () => {
        const output = await tool.execute({ path: 'a.txt' }, run);
        expect(output).toMatchObject({ ok: true, picture: { mediaType: 'image/png', alt: 'a.txt' } });
        return tool.toModelOutput?.(output);
      });
    const data = pictureBytes('png').toString('base64');
    expect(await read(undefined)).toEqual([{ type: 'image-data', data, mediaType: 'image/png' }]);
    expect(await read(false)).toEqual([{ type: 'text', text: 'The person sees it; Eye takes no pictures.' }]);
  });

  it('refuses what is outside, what is the data folder, and what is no picture whatever its name', async () => {
    const { store } = newStore();
    const files = makeWorkspace({ 'a.png': SVG });
    const view = (path: string) =>
      inTurn({ sessionId: 'chat' }, () => viewImageTool(files, store).execute({ path }, run));
    await expect(view('a.png')).rejects.toThrow('not a PNG, JPEG, GIF or WebP');
    await expect(view('../x.png')).rejects.toThrow('outside the workspace');
    await expect(view('.chat-server/token')).rejects.toThrow('belongs to the chat server');
    await expect(view('none.png')).rejects.toThrow('none.png: there is no such file or folder.');
  });
});
