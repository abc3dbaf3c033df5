import { accessSync, constants } from 'node:fs';

/** Where systems install it; the first one that is there counts. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export interface FoundChromium {
  readonly program?: string;
  /** Why there is none. */
  readonly missing?: string;
}

/** A Chromium of this machine, or why there is none. */
export function findChromium(env: Readonly<Record<string, string | undefined>>, places = PLACES): FoundChromium {
  const named = env['CHROMIUM_PATH'] ?? '';
  const program = (named === '' ? places : [named]).find(isProgram);
  if (program !== undefined) return { program };
  const problem = named === '' ? 'No Chromium was found' : `CHROMIUM_PATH names ${named}, which is not a program`;
  return { missing: `${problem}: install the package chromium, or set CHROMIUM_PATH to its program.` };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
