import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createResponsesProvider, type ResponsesProviderSettings, type ResponsesProviderV2 } from 'responses-loop';
import { recordEvents } from 'responses-loop/node';
import {
  type EventsReplay,
  replayEvents,
  type ReplayEventsOptions,
  type ReplaySettings,
  scriptedFetch,
  type ScriptedFetch,
  type ScriptedStep,
} from 'responses-loop/testing';

export const BASE_URL = 'http://localhost/v1';

/** A file for the test alone. */
export function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'runs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'events.jsonl');
}

/** Records what the app asks of a scripted model, and returns the file. */
export async function recorded(
  steps: readonly ScriptedStep[],
  settings: ResponsesProviderSettings,
  ask: (provider: ResponsesProviderV2, fetch: ScriptedFetch) => Promise<unknown>,
): Promise<string> {
  const file = newFile();
  const record = recordEvents(file, { outputs: 'full' });
  const fetch = scriptedFetch(steps);
  const provider = createResponsesProvider({ baseURL: BASE_URL, apiKey: 'test', fetch, onEvent: record, ...settings });
  await ask(provider, fetch);
  await provider.close();
  record.close();
  fetch.assertDone();
  return file;
}

export interface Played {
  readonly replay: EventsReplay;
  readonly fetch: ScriptedFetch;
  /** The settings of each provider that was made. */
  readonly settings: readonly ReplaySettings[];
}

/** Plays a file again with another script. */
export async function played(
  file: string,
  steps: readonly ScriptedStep[],
  options: Partial<ReplayEventsOptions> = {},
): Promise<Played> {
  const fetch = scriptedFetch(steps);
  const made: ReplaySettings[] = [];
  const replay = await replayEvents(file, {
    provider: (settings) => {
      made.push(settings);
      return createResponsesProvider({ ...settings, apiKey: 'test', fetch });
    },
    ...options,
  });
  fetch.assertDone();
  return { replay, fetch, settings: made };
}
