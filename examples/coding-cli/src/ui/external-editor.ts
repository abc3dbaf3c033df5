import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Lets the person write a text in their editor, which has the terminal meanwhile.
 *
 * @throws Error with a sentence for the person if there is no editor, or if it fails.
 */
export async function editText(text: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const editor = [env['VISUAL'], env['EDITOR']].find((value) => value !== undefined && value.trim() !== '');
  if (editor === undefined) throw new Error('Set VISUAL or EDITOR to the command of your editor, such as vim.');
  const folder = await mkdtemp(join(tmpdir(), 'coder-message-'));
  try {
    const path = join(folder, 'message.md');
    await writeFile(path, text, { mode: 0o600 });
    await run(editor, path);
    return (await readFile(path, 'utf8')).trimEnd();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The variable may have arguments, so that a shell reads it, as git does. */
function run(editor: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'editor', path], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`The editor ${editor} ended with ${signal ?? `code ${code}`}: the text is as it was.`));
    });
  });
}
