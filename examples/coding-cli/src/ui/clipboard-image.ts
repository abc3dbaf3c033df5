import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** A program that gives the image in the clipboard: on its standard output, or in a file whose path it is given. */
interface Reader {
  readonly command: string;
  readonly args: readonly string[];
  /** The variable that says that its display is there. */
  readonly needs?: string;
  readonly isInFile?: true;
}

const APPLE = [
  'on run argv',
  'set picture to the clipboard as «class PNGf»',
  'set out to open for access (POSIX file (item 1 of argv)) with write permission',
  'write picture to out',
  'close access out',
  'end run',
].flatMap((line) => ['-e', line]);

const POWERSHELL =
  'Add-Type -AssemblyName System.Windows.Forms; $i = [Windows.Forms.Clipboard]::GetImage(); if ($i -eq $null) { exit 1 }; $s = New-Object IO.MemoryStream; $i.Save($s, [Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($s.ToArray())';
const WINDOWS: Reader = { command: 'powershell.exe', args: ['-NoProfile', '-STA', '-Command', POWERSHELL] };

const READERS: Readonly<Record<string, readonly Reader[]>> = {
  linux: [
    { command: 'wl-paste', args: ['--no-newline', '--type', 'image/png'], needs: 'WAYLAND_DISPLAY' },
    { command: 'xclip', args: ['-selection', 'clipboard', '-t', 'image/png', '-o'], needs: 'DISPLAY' },
  ],
  darwin: [
    { command: 'pngpaste', args: ['-'] },
    { command: 'osascript', args: APPLE, isInFile: true },
  ],
  win32: [WINDOWS],
};

const INSTALL: Readonly<Record<string, string>> = {
  linux: 'install wl-clipboard (Wayland) or xclip (X11)',
  darwin: 'install pngpaste',
  win32: 'PowerShell has to be there',
};

const MAX_BYTES = 20_000_000;
const TIMEOUT_MS = 10_000;

/**
 * Puts the image in the clipboard into a file of its own.
 *
 * @throws Error with a sentence for the person: the clipboard holds no image, or no program can read it.
 */
export async function imageOfClipboard(env: Environment, platform: string = process.platform): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coder-image-'));
  const path = join(folder, 'clipboard.png');
  const isWsl = platform === 'linux' && /microsoft/i.test(release());
  const readers = [...(READERS[platform] ?? []), ...(isWsl ? [WINDOWS] : [])].filter(
    ({ needs }) => needs === undefined || (env[needs] ?? '') !== '',
  );
  let isThere = false;
  for (const reader of readers) {
    const output = await run(reader, path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') isThere = true;
      return undefined;
    });
    if (output === undefined) continue;
    if (reader.isInFile !== true) await writeFile(path, output, { mode: 0o600 });
    if ((await readFile(path).catch(() => Buffer.of())).length > 0) return path;
    isThere = true;
  }
  await rm(folder, { recursive: true, force: true });
  if (isThere) throw new Error('The clipboard holds no image.');
  const how = INSTALL[platform] ?? 'this system is not known';
  throw new Error(`No program here reads images of the clipboard: ${how}, or drop the file into the terminal.`);
}

function run(reader: Reader, path: string): Promise<Buffer> {
  const args = reader.isInFile === true ? [...reader.args, path] : [...reader.args];
  const limits = { encoding: 'buffer', maxBuffer: MAX_BYTES, timeout: TIMEOUT_MS } as const;
  return new Promise((resolve, reject) => {
    execFile(reader.command, args, limits, (error, stdout) => {
      if (error !== null) reject(error);
      else resolve(reader === WINDOWS ? Buffer.from(stdout.toString(), 'base64') : stdout);
    });
  });
}
