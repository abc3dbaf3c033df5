import { SETTINGS } from '../config/schema.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { settingsOf } from './load-options.js';
import type { GlobalOptions } from './options.js';
import { write, writeJson } from './say.js';

/** Every setting, its value and where it comes from. */
export async function config(options: GlobalOptions & { readonly json?: boolean }): Promise<ExitCode> {
  const { found } = settingsOf(options);
  const rows = Object.entries(found).map(([name, { value, source }]) => {
    const isSecret = 'isSecret' in SETTINGS[name as keyof typeof SETTINGS];
    return [name, { value: isSecret && typeof value === 'string' ? hidden(value) : (value ?? null), source }] as const;
  });
  if (options.json === true) writeJson(Object.fromEntries(rows));
  else for (const [name, { value, source }] of rows) write(`${name} = ${JSON.stringify(value)}  (${source})\n`);
  return EXIT.done;
}

/** Its last four characters; of a short one they would be most of it. */
function hidden(key: string): string {
  return key.length < 8 ? '…' : `…${key.slice(-4)}`;
}
