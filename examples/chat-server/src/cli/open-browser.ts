import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platform } from 'node:process';

const COMMANDS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
/** A browser that was not started by then never reads it. */
const KEPT_MS = 120_000;

/** The page that leads a browser to the chat. */
export interface OpenedBrowser {
  /** Takes the file away: the browser has read it, or never will. */
  forget(): void;
}

/**
 * Other users of the machine see the arguments of programs, the browser's too. So these name a file that only this user reads,
 * and the file leads on to the address with the token.
 *
 * @param folder is closed to others.
 */
export function openBrowser(address: string, folder: string): OpenedBrowser {
  const file = join(folder, 'open.html');
  const forget = (): void => rmSync(file, { force: true });
  // One that a killed server left behind.
  forget();
  writeFileSync(file, leadTo(address), { flag: 'wx', mode: 0o600 });
  setTimeout(forget, KEPT_MS).unref();
  const [command = 'xdg-open', ...args] = COMMANDS[platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, file], { detached: true, stdio: 'ignore' });
  // A machine without a browser has the printed address.
  child.on('error', forget);
  child.unref();
  return { forget };
}

function leadTo(address: string): string {
  const url = address.replace(/[&"'<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return [
    '<!doctype html>',
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    `<meta http-equiv="refresh" content="0;url=${url}">`,
    '<title>Chat</title>',
    `<a href="${url}">Open the chat</a>`,
    '',
  ].join('\n');
}
