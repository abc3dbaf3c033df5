import { appendFileSync } from 'node:fs';
import { openModel } from 'responses-loop-example-shared/open-model.js';
import { dataDirOf } from '../config/folders.js';
import type { Settings } from '../config/schema.js';
import { FLAG } from '../config/sources.js';
import { demoBrain } from '../demo-brain.js';
import { createEngine } from '../engine/create-engine.js';
import { withSignIns } from '../mcp/sign-ins.js';
import type { Engine, EngineOptions, OpenModelFor } from '../engine/engine.js';
import { chosenSession } from './find-session.js';
import { settingsOf } from './load-options.js';
import type { GlobalOptions, SessionChoice } from './options.js';
import { say } from './say.js';

export interface OpenEngineOptions
  extends Pick<EngineOptions, 'isHeadless' | 'approvalTimeoutMs' | 'outputSchema'>, SessionChoice {}

/** An engine for what the command line says. */
export async function openEngine(options: GlobalOptions, more: OpenEngineOptions = {}): Promise<Engine> {
  const found = chosenSession(dataDirOf(process.env), more, options.cd ?? process.cwd());
  const { settings, found: origins } = settingsOf(options, {
    isHeadless: more.isHeadless ?? false,
    sessionCwd: found?.summary?.cwd,
  });
  const engine = await createEngine({
    settings,
    openModel: modelOpener(options, settings),
    resume: found && { id: found.id, place: found.place },
    named: (['mode', 'approval'] as const).filter((name) => origins[name].source === FLAG),
    isHeadless: more.isHeadless,
    approvalTimeoutMs: more.approvalTimeoutMs,
    outputSchema: more.outputSchema,
  });
  const { provider, isolation } = engine.session;
  if (options.quiet !== true) say(`coder: ${provider}`);
  // What was wished for and cannot be had is a problem.
  if (settings.isolation !== 'off' && (options.quiet !== true || isolation.startsWith('off')))
    say(`coder: sandbox ${isolation}`);
  return engine;
}

function modelOpener({ offline, record, replay }: GlobalOptions, settings: Settings): OpenModelFor {
  const { baseUrl, apiKey, model, mcpConfig, stock, log } = settings;
  return (engineSettings) =>
    openModel({
      flags: { baseUrl, apiKey, model, mcpConfig, stock, offline, record, replay },
      // Everything else of the environment is in the settings already.
      env: { RESPONSES_LOOP: process.env['RESPONSES_LOOP'] },
      completeMcp: (config) => withSignIns(config, settings.configDir),
      standIn: demoBrain,
      stock: async () => (await import('@ai-sdk/openai')).createOpenAI,
      settings: log === undefined ? engineSettings : withLog(engineSettings, log),
    });
}

type EngineSettings = Parameters<OpenModelFor>[0];

/** Every event of the provider, a line each; it holds no keys. */
function withLog(settings: EngineSettings, path: string): EngineSettings {
  appendFileSync(path, '', { mode: 0o600 });
  return {
    ...settings,
    onEvent: (event) => {
      settings.onEvent?.(event);
      appendFileSync(path, `${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
    },
  };
}
