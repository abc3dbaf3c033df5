import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { imageOfClipboard } from '../../src/ui/clipboard-image.js';

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');

/** A folder with one program, which runs this script. */
function withProgram(name: string, script: string) {
  const PATH = mkdtempSync(join(tmpdir(), 'coder-programs-'));
  writeFileSync(join(PATH, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(PATH, name), 0o755);
  return { PATH, DISPLAY: ':99' };
}

test.each([
  ['linux', 'xclip', `printf '\\211PNG\\r\\n\\032\\n\\000'`],
  ['darwin', 'pngpaste', `printf '\\211PNG\\r\\n\\032\\n\\000'`],
  ['darwin', 'osascript', `echo '«data PNGf${PNG.toString('hex').toUpperCase()}»'`],
  ['win32', 'powershell.exe', `echo '${PNG.toString('base64')}'`],
])('on %s the image is read as %s prints it, and no file is left', async (platform, name, script) => {
  const before = readdirSync(tmpdir()).filter((file) => file.startsWith('coder-image-'));
  const image = await imageOfClipboard(withProgram(name, script), { platform });
  expect(image).toEqual({ name: 'clipboard.png', mediaType: 'image/png', content: PNG });
  expect(readdirSync(tmpdir()).filter((file) => file.startsWith('coder-image-'))).toEqual(before);
});

test.each([
  [
    'is larger than one of a file may be',
    '/usr/bin/head -c 10000001 /dev/zero',
    'has 10.0 MB; an image may have 10.0 MB',
  ],
  ['is too large to be read', '/usr/bin/head -c 30000000 /dev/zero', 'is too large; an image may have 10.0 MB'],
  ['does not come in time', 'exec /bin/sleep 60', 'xclip did not print the image of the clipboard in time'],
  ['is none by its content', 'echo text', 'not a PNG, JPEG, GIF or WebP image, judging by its content'],
  ['cannot be read', 'echo "cannot open display" >&2; exit 1', 'no image that xclip can read: cannot open display'],
  ['is missing', 'exit 0', 'The clipboard has no image.'],
])('the reason is told if an image %s', async (_what, script, reason) => {
  const read = imageOfClipboard(withProgram('xclip', script), { platform: 'linux', timeoutMs: 1_000 });
  await expect(read).rejects.toThrow(reason);
});

test('a program that cannot be started is named', async () => {
  const env = withProgram('xclip', '');
  chmodSync(join(env.PATH, 'xclip'), 0o644);
  await expect(imageOfClipboard(env, { platform: 'linux' })).rejects.toThrow('xclip cannot be started');
});
