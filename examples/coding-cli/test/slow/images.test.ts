import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolders, openCoder, rolloutsIn, scripted, text } from '../support/open-coder.js';
import { linesOf, rolloutsOf, runCoder, startWorld } from '../support/run-coder.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const sent = (request: { readonly input: unknown } | undefined): string => JSON.stringify(request?.input);
const DATA = `data:image/png;base64,${PNG.toString('base64')}`;
const imagesOf = (home: string): readonly string[] =>
  readdirSync(join(home, 'sessions'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /images\/[\da-f]{64}$/.test(name),
  );
const paste = (keys: string): string => `\u001B[200~${keys}\u001B[201~`;

test('exec sends images that are told by their content, and a session that goes on sends them again', async () => {
  const { at, flags, server } = await startWorld(['A dot.', 'Still a dot.']);
  const world = { ...at, env: { CODER_IMAGES: 'on' } };
  writeFileSync(join(at.cwd, 'a dot.png'), PNG);
  expect(await runCoder([...flags, 'exec', 'What is it?', '--image', 'a dot.png'], world)).toMatchObject({ code: 0 });
  expect(sent(server.requests[0])).toContain(`{"type":"input_image","image_url":"${DATA}"`);
  renameSync(join(at.cwd, 'a dot.png'), join(at.cwd, 'other.png'));
  expect(await runCoder([...flags, 'exec', '--last', 'And now?'], world)).toMatchObject({ code: 0 });
  expect(sent(server.requests[1])).toContain(DATA);
  const [rollout = ''] = rolloutsOf(at.home);
  expect(linesOf(rollout)[1]).toMatchObject({ attached: [{ type: 'image', name: 'a dot.png' }] });
  expect(JSON.stringify(linesOf(rollout))).not.toContain(PNG.toString('base64'));
});

test('what is no image, is too large or is not there is a mistake of usage; a model that takes none is named', async () => {
  const { at, flags, server } = await startWorld([]);
  writeFileSync(join(at.cwd, 'script.png'), '#!/bin/sh');
  writeFileSync(join(at.cwd, 'large.png'), Buffer.concat([PNG, Buffer.alloc(10_000_001)]));
  writeFileSync(join(at.cwd, 'dot.png'), PNG);
  const exec = (image: string) => runCoder([...flags, 'exec', 'x', '--image', image], at);
  expect(await exec('script.png')).toMatchObject({ code: 2, stderr: expect.stringContaining('by its content') });
  expect(await exec('large.png')).toMatchObject({ code: 2, stderr: expect.stringContaining('10.0 MB') });
  expect(await exec('none.png')).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no image') });
  expect(await exec('dot.png')).toMatchObject({ code: 1, stderr: expect.stringContaining('CODER_IMAGES=on') });
  expect(server.requests).toHaveLength(0);
});

test('a dropped file is a chip, a named one goes along, and a model that takes none is said so', async () => {
  const folders = newFolders();
  mkdirSync(join(folders.workspace, 'my files'));
  writeFileSync(join(folders.workspace, 'my files', 'shot 1.png'), PNG);
  writeFileSync(join(folders.workspace, 'named.png'), PNG);
  await using server = await scripted(() => text('I see it.'));
  const dropped = `${folders.workspace}/my files/shot 1.png`;
  {
    using coder = await openCoder({ folders, server, env: { CODER_IMAGES: 'on' } });
    for (const [keys, chip] of [
      [dropped.replaceAll(' ', '\\ '), '› [Image 1]'],
      [`'${dropped}' `, '› [Image 1] [Image 1]'],
    ] as const) {
      coder.terminal.write(paste(keys));
      await coder.terminal.shows((screen) => screen.includes(chip));
    }
    // The cursor and edits take a chip for one character.
    coder.terminal.write('\u007f\u007f');
    await coder.terminal.shows((screen) => screen.includes('› [Image 1]') && !screen.includes('] ['));
    coder.terminal.write('and named.png?\r');
    await coder.terminal.shows('I see it.');
    await coder.idle();
    expect(sent(server.requests[0]).split(DATA)).toHaveLength(3);
    expect(rolloutsIn(folders.home)).toHaveLength(1);
    expect(imagesOf(folders.home)).toHaveLength(1);
  }
  using coder = await openCoder({ folders, server });
  coder.terminal.write(paste(dropped));
  await coder.terminal.shows('may not accept images');
});

test('Ctrl-V puts in the image of the clipboard, or tells what is missing', async () => {
  const folders = newFolders();
  const bin = join(folders.workspace, 'bin');
  mkdirSync(bin);
  await using server = await scripted(() => text('I see it.'));
  const temporary = join(folders.workspace, 'tmp');
  mkdirSync(temporary);
  const env = { CODER_IMAGES: 'on', DISPLAY: ':99', PATH: bin, TMPDIR: temporary };
  {
    using coder = await openCoder({ folders, server, env });
    coder.terminal.write('\u0016');
    await coder.terminal.shows('wl-clipboard');
  }
  writeFileSync(join(bin, 'dot.png'), PNG);
  writeFileSync(join(bin, 'xclip'), `#!/bin/sh\nexec /bin/cat '${join(bin, 'dot.png')}'\n`);
  chmodSync(join(bin, 'xclip'), 0o755);
  using coder = await openCoder({ folders, server, env });
  coder.terminal.write('\u0016');
  await coder.terminal.shows((screen) => screen.includes('› [Image 1]'));
  coder.terminal.write('?\r');
  await coder.terminal.shows('I see it.');
  expect(sent(server.requests[0])).toContain(DATA);
  expect(readdirSync(temporary).filter((name) => name.includes('image'))).toEqual([]);
  const [kept = ''] = imagesOf(folders.home);
  expect(readFileSync(join(folders.home, 'sessions', kept))).toEqual(PNG);
  expect(imagesOf(folders.home)).toHaveLength(1);
});
