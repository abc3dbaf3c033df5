import { execFile, type ExecFileException } from 'node:child_process';
import { release } from 'node:os';
import { type ImageFile, imageOf, MAX_IMAGE_BYTES, tooLarge } from '../attach/image-file.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A program that prints the image in the clipboard. */
interface Reader {
  readonly command: string;
  readonly args: readonly string[];
  /** The variable that says that its display is there. */
  readonly needs?: string;
  /** Reads what is printed as a text. Absent: the bytes of the image are printed. */
  readonly decode?: (text: string) => Buffer;
}

const POWERSHELL =
  'Add-Type -AssemblyName System.Windows.Forms; $i = [Windows.Forms.Clipboard]::GetImage(); if ($i -eq $null) { exit 1 }; $s = New-Object IO.MemoryStream; $i.Save($s, [Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($s.ToArray())';
const WINDOWS: Reader = {
  command: 'powershell.exe',
  args: ['-NoProfile', '-STA', '-Command', POWERSHELL],
  decode: (text) => Buffer.from(text, 'base64'),
};
/** It prints `«data PNGf89504E47…»`. */
const APPLE: Reader = {
  command: 'osascript',
  args: ['-e', 'the clipboard as «class PNGf»'],
  decode: (text) => Buffer.from(/PNGf([\dA-F]*)/i.exec(text)?.[1] ?? '', 'hex'),
};

const READERS: Readonly<Record<string, readonly Reader[]>> = {
  linux: [
    { command: 'wl-paste', args: ['--no-newline', '--type', 'image/png'], needs: 'WAYLAND_DISPLAY' },
    { command: 'xclip', args: ['-selection', 'clipboard', '-t', 'image/png', '-o'], needs: 'DISPLAY' },
  ],
  darwin: [{ command: 'pngpaste', args: ['-'] }, APPLE],
  win32: [WINDOWS],
};

const INSTALL: Readonly<Record<string, string>> = {
  linux: 'install wl-clipboard (Wayland) or xclip (X11)',
  darwin: 'install pngpaste',
  win32: 'PowerShell must be there',
};

const NAME = 'clipboard.png';
/** An image that is printed in hexadecimal digits, and what stands around them. */
const MAX_PRINTED = 2 * MAX_IMAGE_BYTES + 1_000;
const TIMEOUT_MS = 10_000;
const MAX_REASON = 200;

interface ClipboardOptions {
  readonly platform?: string;
  readonly timeoutMs?: number;
}

/**
 * The image in the clipboard.
 *
 * @throws Error with a sentence for the person.
 */
export async function imageOfClipboard(
  env: Environment,
  { platform = process.platform, timeoutMs = TIMEOUT_MS }: ClipboardOptions = {},
): Promise<ImageFile> {
  const isWsl = platform === 'linux' && /microsoft/i.test(release());
  const readers = [...(READERS[platform] ?? []), ...(isWsl ? [WINDOWS] : [])].filter(
    ({ needs }) => needs === undefined || (env[needs] ?? '') !== '',
  );
  let problem: Error | undefined;
  for (const reader of readers) {
    try {
      const content = await run(reader, env, timeoutMs);
      if (content !== undefined) return imageOf(NAME, content);
    } catch (error) {
      problem ??= error as Error;
    }
  }
  const how = INSTALL[platform] ?? 'this system is not known';
  throw (
    problem ?? new Error(`No program here reads images of the clipboard: ${how}, or drop the file into the terminal.`)
  );
}

/** `undefined`: the program is not installed. */
function run({ command, args, decode }: Reader, env: Environment, timeout: number): Promise<Buffer | undefined> {
  const limits = { encoding: 'buffer', maxBuffer: MAX_PRINTED, timeout, env: { ...env } } as const;
  return new Promise((resolve, reject) => {
    execFile(command, args, limits, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT') resolve(undefined);
      else if (error !== null) reject(new Error(problemOf(command, error, stderr.toString())));
      else if (stdout.length === 0) reject(new Error('The clipboard has no image.'));
      else resolve(decode === undefined ? stdout : decode(stdout.toString()));
    });
  });
}

function problemOf(command: string, { code, killed, message }: ExecFileException, stderr: string): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return tooLarge(NAME);
  if (killed === true) return `${command} did not print the image of the clipboard in time. Try it once more.`;
  if (typeof code === 'string') return `${command} cannot be started: ${message}`;
  const [reason = ''] = stderr.trim().split('\n');
  return `The clipboard has no image that ${command} can read${reason === '' ? '.' : `: ${reason.slice(0, MAX_REASON)}`}`;
}
