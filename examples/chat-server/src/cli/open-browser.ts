import { spawn } from 'node:child_process';
import { platform, stdout } from 'node:process';

const COMMANDS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** For a person at a terminal; a machine without a browser has the printed address. */
export function openBrowser(address: string): void {
  if (!stdout.isTTY) return;
  const [command = 'xdg-open', ...args] = COMMANDS[platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, address], { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}
