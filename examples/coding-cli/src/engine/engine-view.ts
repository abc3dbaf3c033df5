import { join } from 'node:path';
import { keepImage } from '../attach/image-store.js';
import { listFiles } from './list-files.js';
import type { OpenedModel } from 'responses-loop-example-shared/open-model.js';
import type { Settings } from '../config/schema.js';
import type { EngineView } from './engine.js';
import type { PathGuard } from 'responses-loop-example-shared/path-guard.js';
import type { Commands } from '../custom/commands.js';
import type { Hub } from './hub.js';
import type { Outputs } from './outputs.js';
import type { Rules } from './rules.js';
import type { OpenedSession } from './open-session.js';
import { sessionDiff } from './session-diff.js';
import type { ContextWindow } from 'responses-loop-example-shared/context-window.js';
import { netChanges } from './undo.js';

interface ViewedTools {
  readonly rules: Rules;
  readonly guard: PathGuard;
  readonly commands: Commands;
  readonly outputs: Outputs;
}

interface ViewParts extends Pick<OpenedModel, 'models'>, Pick<EngineView, 'takesImages' | 'mcp'> {
  readonly settings: Settings;
  readonly contextWindow: ContextWindow;
}

/** What a screen may want to know beside the events. */
export function viewOf(
  hub: Hub,
  { session, place, history }: OpenedSession,
  { rules, guard, commands, outputs }: ViewedTools,
  { settings, contextWindow, models, takesImages, mcp }: ViewParts,
): EngineView {
  const { workspace, ignore } = settings;
  return {
    history,
    get usage() {
      return session.usage;
    },
    get contextTokens() {
      return session.contextTokens;
    },
    contextWindow: () => contextWindow.tokens(),
    get mcpServers() {
      return hub.mcpServers;
    },
    commands: () => commands.list(),
    rules: () => rules.list(),
    removeRule: (rule) => rules.remove(rule),
    models,
    screen: settings,
    takesImages,
    keepImage: async (image) => join(place.images, (await keepImage(place.images, image)).hash),
    mcp,
    files: () => listFiles({ workspace, ignore, guard: guard.options }),
    messages: () => session.turns.map(({ number, text }) => ({ turn: number, text })),
    changedSince: (turn) => netChanges(session.changes.filter((change) => change.turn >= turn)).map(({ path }) => path),
    output: (callId) => outputs.read(callId),
    wholeOutput: (callId) => outputs.whole(callId),
    differences: () => sessionDiff(session.changes, place.before, workspace),
  };
}
