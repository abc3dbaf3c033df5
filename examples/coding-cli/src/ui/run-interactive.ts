import type { InteractiveOptions } from './options.js';

/** Variables that make ink believe nobody watches, so that it draws only once, at the end. */
const CI_VARIABLES = ['CI', 'CONTINUOUS_INTEGRATION'] as const;

/**
 * The screen, until the person leaves or a signal ends it. Closes the engine, and leaves the terminal as it was, with the
 * line that brings the session back.
 *
 * @returns the exit code: 0, or 128 and the number of the signal.
 */
export async function runInteractive(options: InteractiveOptions): Promise<number> {
  const { showApp } = await loadApp();
  return showApp(options);
}

/** Whether it runs in CI, ink asks once, when it is loaded; a terminal is there, so the answer is no. */
async function loadApp(): Promise<typeof import('./show-app.js')> {
  const kept = CI_VARIABLES.map((name) => [name, process.env[name]] as const);
  for (const [name] of kept) delete process.env[name];
  try {
    return await import('./show-app.js');
  } finally {
    for (const [name, value] of kept) if (value !== undefined) process.env[name] = value;
  }
}
