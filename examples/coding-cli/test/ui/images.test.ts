import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { takesImages } from '../../src/context/known-images.js';
import { imagePathIn, imagePathsIn, Images } from '../../src/ui/images.js';

const folder = mkdtempSync(join(tmpdir(), 'coder-images-'));
const path = join(folder, "it's (1) shot.png");
writeFileSync(path, '');
writeFileSync(join(folder, 'b.JPG'), '');
mkdirSync(join(folder, 'folder.png'));

test.each([path, ` ${path} `, `"${path}"`, path.replace(/[ '()]/g, '\\$&'), pathToFileURL(path).href])(
  'the path of an image is known as terminals paste it: %s',
  (pasted) => {
    expect(imagePathIn(pasted, '/')).toBe(path);
  },
);

test.each([
  'b.JPG is nice',
  'none.png',
  'folder.png',
  'b.JPG\nb.JPG',
  'file://other-host/b.png',
  `${'a'.repeat(9_999)}.png`,
])('what is not only a path, or no file, stays a text: %s', (pasted) => {
  expect(imagePathIn(pasted, folder)).toBeUndefined();
});

test('a message brings the images of its chips, and those that it names', () => {
  const images = new Images();
  expect([images.add('/a.png'), images.add('/b.png'), images.add('/a.png')]).toEqual([
    '[Image 1]',
    '[Image 2]',
    '[Image 1]',
  ]);
  expect(images.of('[Image 2] or [Image 1], [Image 2] and [Image 9]')).toEqual(['/b.png', '/a.png']);
  expect(imagePathsIn('see b.JPG, @b.JPG? and "b.JPG"', folder)).toEqual([join(folder, 'b.JPG')]);
});

test.each([
  ['openai/gpt-5.1', true],
  ['o3-mini', false],
  ['Qwen2.5-VL-7B', true],
  ['my-model', false],
])('whether %s takes images is known by its name, unless a setting says so', (model, isTaken) => {
  expect(takesImages(model, 'auto')).toBe(isTaken);
  expect([takesImages(model, 'on'), takesImages(model, 'off')]).toEqual([true, false]);
});
