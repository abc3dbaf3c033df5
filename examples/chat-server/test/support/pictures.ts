import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PictureStore } from '../../src/pictures/picture-store.js';
import { FileStorage } from '../../src/store/file-storage.js';

/** One pixel each, as programs write them. */
export const PICTURES = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  jpeg: '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  webp: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==',
} as const;

export const pictureBytes = (name: keyof typeof PICTURES): Buffer => Buffer.from(PICTURES[name], 'base64');

export const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=1"><text>x</text></svg>';

/** Keeps pictures of chats below a folder. */
export function picturesIn(folder: string, ...chats: readonly string[]): PictureStore {
  for (const id of chats) mkdirSync(join(folder, id), { recursive: true });
  return new PictureStore(new FileStorage(folder), (id) => id);
}
