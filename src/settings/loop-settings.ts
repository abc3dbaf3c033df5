import type { GivenForModels, LIMITS, LOOP_LIMITS } from '../core/limits.js';
import type { ResponsesCallOptions } from '../request/call-options.js';
import type { ResponsesProviderSettings } from './settings.js';

/**
 * Settings of the provider that one model may have for itself, and whether one call may, too. A row is all that makes one:
 * type, check and merge follow. Numbers of the loop need no row; both may have them.
 */
export const SETTINGS_OF_MODELS = {
  toolConcurrency: 'call',
  onUnknownTool: 'call',
  toolParts: 'call',
  toolProgress: 'call',
  carrier: 'model',
  runTools: 'model',
  prepareRound: 'model',
  stopWhen: 'model',
  price: 'model',
  steering: 'model',
  approve: 'model',
  redactToolOutput: 'model',
  onEvent: 'model',
} as const satisfies { readonly [Name in keyof ResponsesProviderSettings]?: 'model' | 'call' };

type SettingOfModels = keyof typeof SETTINGS_OF_MODELS;
type SettingOfCalls = {
  [Name in SettingOfModels]: (typeof SETTINGS_OF_MODELS)[Name] extends 'call' ? Name : never;
}[SettingOfModels];

/** The tools that are offered. A model and a call may both choose; a tool has to be in the choice of both. */
export interface ToolChoices {
  /** The loop tools that are offered, by the names the model uses; `*` matches anything. @default all */
  readonly toolNames?: readonly string[] | undefined;
  /**
   * The sources whose tools are offered: keys of `mcpServers`, and `'local'` for `tools`. Others are not asked.
   * @default all
   */
  readonly servers?: readonly string[] | undefined;
}

/**
 * Settings of the loop for one call, in `providerOptions['responses-loop']`: by their names, or together as `loop`. There
 * `maxToolCalls` has to be in `loop`, because the API has an option of that name. They win over those of the model.
 *
 * @example
 * const loop: CallLoopSettings = { maxRounds: 3, servers: ['docs'] };
 * generateText({ model: provider('gpt-5.1'), prompt, providerOptions: { 'responses-loop': { loop } } });
 */
export type CallLoopSettings = GivenForModels<typeof LOOP_LIMITS> &
  Pick<ResponsesProviderSettings, SettingOfCalls> &
  ToolChoices;

/**
 * Settings of the loop for one model. They win over those of the provider and of `models`.
 *
 * @example
 * const careful = provider('gpt-5.1', { maxRounds: 5, toolNames: ['read_*'], approve: askThePerson });
 */
export interface LoopSettings
  extends GivenForModels<typeof LOOP_LIMITS>, Pick<ResponsesProviderSettings, SettingOfModels>, ToolChoices {
  /** The limits that `models` may set, too: the most that a server or this model may cost. */
  readonly limits?: GivenForModels<typeof LIMITS> | undefined;
}

/** The settings of the provider that a model may have for itself, after the merge. */
export type MergedLoopSettings = Pick<ResponsesProviderSettings, SettingOfModels>;

/**
 * The options of a call for `providerOptions['responses-loop']`: those of the API, and settings of the loop for this call.
 *
 * @example
 * const options = { loop: { maxRounds: 3 } } satisfies LoopCallOptions;
 */
export type LoopCallOptions = ResponsesCallOptions & { loop?: CallLoopSettings };
