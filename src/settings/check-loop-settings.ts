import { ownWords } from '../core/clean-text.js';
import { LIMITS, LOOP_LIMITS } from '../core/limits.js';
import { invalidSettings } from '../errors/invalid-settings.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { LOCAL_SOURCE_KEY } from '../tools/tool-source.js';
import { isTextList } from '../util/check.js';
import { defined } from '../util/defined.js';
import { excerpt } from '../util/excerpt.js';
import { isRecord, rowOf } from '../util/guards.js';
import { lazy } from '../util/lazy.js';
import { type Check, checkTogether, members, numbers, rowsForModels, settingChecks } from './check-settings.js';
import { type CallLoopSettings, type LoopSettings, SETTINGS_OF_MODELS } from './loop-settings.js';
import type { ResponsesProviderSettings } from './settings.js';
import { meant } from './unknown-setting.js';

type Checks = Readonly<Record<string, Check>>;

const textList: Check = (value) => (isTextList(value) ? undefined : 'must be an array of strings');
/** A restriction that is not understood is refused: it would leave nothing out, or everything. */
const patternList: Check = (value, name) => {
  const excluding = isTextList(value) ? value.find((text) => text.startsWith('!')) : undefined;
  return excluding === undefined
    ? textList(value, name)
    : `lists the tools to keep, so it cannot exclude "${excerpt(excluding, 80)}"`;
};

/** Members of `mcpServers`, and what is written in a call instead. */
const OF_SERVERS: ReadonlySet<string> = new Set(['allowTools', 'denyTools']);

/** A call that has one of these relies on it, so a warning is too little. */
const RESTRICTIONS: ReadonlySet<string> = new Set([...OF_SERVERS, 'approve', 'redactToolOutput']);

/** The checks of the settings that a model, or a model and a call, may have. */
function checksFor(who: readonly string[]): Checks {
  const common: Checks = settingChecks();
  const own = Object.entries(SETTINGS_OF_MODELS).filter(([, setter]) => who.includes(setter));
  return {
    ...numbers(rowsForModels(LOOP_LIMITS)),
    ...Object.fromEntries(own.map(([name]) => [name, common[name] as Check])),
    toolNames: patternList,
    servers: textList,
  };
}

const ofModels = lazy(() => ({
  ...checksFor(['model', 'call']),
  limits: members(numbers(rowsForModels(LIMITS))),
}));
const ofCalls = lazy(() => checksFor(['call']));

/** The API has an option of this name, so in the options of a call it is no setting of the loop. */
const OPTION_OF_API = 'maxToolCalls';

/**
 * Checks the settings that a model is made with, and returns a copy.
 *
 * @throws ResponsesLoopError `invalid-settings`
 */
export function checkLoopSettings(given: unknown, settings: ResponsesProviderSettings): LoopSettings | undefined {
  if (given === undefined) return undefined;
  const problem = problemOf(given, { what: 'The settings of a model', known: ofModels(), settings });
  if (problem !== undefined) throw invalidSettings(problem);
  const own = defined(given as LoopSettings);
  checkTogether({ mcpServers: settings.mcpServers, approve: own.approve });
  return own;
}

/** The settings of the loop among the options of a call. Calls get it from the provider, whose file has these checks. */
export interface LoopOptionsOfCalls {
  /** Whether an option of a call is a setting of the loop. */
  has(name: string): boolean;
  /** @throws ResponsesLoopError `invalid-options` */
  check(given: unknown): CallLoopSettings;
}

export function loopOptionsOfCalls(settings: ResponsesProviderSettings): LoopOptionsOfCalls {
  return {
    has: (name) => RESTRICTIONS.has(name) || (name !== OPTION_OF_API && rowOf(ofCalls(), name) !== undefined),
    check(given) {
      const problem = problemOf(given, { what: "The call's loop options", known: ofCalls(), settings });
      if (problem === undefined) return given as CallLoopSettings;
      throw new ResponsesLoopError({ code: 'invalid-options', message: ownWords(problem) });
    },
  };
}

interface Place {
  readonly what: string;
  readonly known: Checks;
  readonly settings: ResponsesProviderSettings;
}

function problemOf(given: unknown, { what, known, settings }: Place): string | undefined {
  if (!isRecord(given)) return `${what} must be an object, not ${excerpt(JSON.stringify(given) ?? String(given), 80)}.`;
  for (const [name, value] of Object.entries(given)) {
    const check = rowOf(known, name);
    if (check === undefined) return `${what} cannot have "${excerpt(name, 80)}".${homeOf(name, known)}`;
    const problem = value === undefined ? undefined : check(value, name);
    if (problem !== undefined) return `${what}: "${name}" ${problem}.`;
  }
  return unknownServer(given['servers'], what, settings);
}

/** A server that cannot be reached, or is disabled, is no unknown one. */
function unknownServer(servers: unknown, what: string, settings: ResponsesProviderSettings): string | undefined {
  const known = [...Object.keys(settings.mcpServers ?? {}), LOCAL_SOURCE_KEY];
  const unknown = isTextList(servers) ? servers.find((key) => !known.includes(key)) : undefined;
  return unknown === undefined
    ? undefined
    : `${what}: "servers" names the unknown server "${excerpt(unknown, 80)}". Known servers: ${known.join(', ')}.`;
}

function homeOf(name: string, known: Checks): string {
  if (OF_SERVERS.has(name)) return ' It is set in an entry of "mcpServers". Here, "toolNames" lists the tools to keep.';
  if (rowOf<unknown>(ofModels(), name) !== undefined) return ` It is set for a model: provider("…", { ${name}: … }).`;
  if (rowOf<unknown>(settingChecks(), name) !== undefined)
    return ` It is set for the provider: createResponsesProvider({ ${name}: … }).`;
  return meant(name, Object.keys(known));
}
