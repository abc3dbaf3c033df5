import type { Limits } from '../core/limits.js';
import type { Profile } from '../core/profile.js';
import { invalidSettings } from '../errors/invalid-settings.js';
import type { LoopLimits } from '../loop/loop-options.js';
import type { BodyOverride } from '../request/body-override.js';
import { type Endpoint, resolveEndpoint } from '../request/endpoint.js';
import { PROFILES } from '../request/profiles.js';
import type { NamePatterns } from '../tools/narrow-toolset.js';
import { defined } from '../util/defined.js';
import { createGlob } from '../util/glob.js';
import type { ProviderConventions } from './conventions.js';
import type { Environment } from './environment.js';
import { type LoopSettings, type MergedLoopSettings, SETTINGS_OF_MODELS } from './loop-settings.js';
import type { HeaderSetting } from './request-hooks.js';
import type { ModelOverrides, ResponsesProviderSettings } from './settings.js';

/** Longer than any model is called. Apps let the browser name the model, and it is looked at in many places. */
const MAX_MODEL_ID_CHARS = 1_000;

export type ModelLimits = LoopLimits & Limits;

export interface ModelSettingsOptions {
  readonly settings: ResponsesProviderSettings;
  readonly conventions: ProviderConventions;
  /** As it was when the provider was created: key and URL belong together. */
  readonly environment: Environment;
}

/** The tools that a model and a call choose. */
export interface OfferedTools {
  /** Sources that every list names. */
  readonly servers: ReadonlySet<string> | undefined;
  /** Each list as patterns by their text; a tool has to fit every list. */
  readonly names: readonly NamePatterns[];
}

/**
 * The settings for one model, later ones win: those of the provider, the overrides whose pattern matches, in order, the
 * model's own, those of the call.
 */
export class ModelSettings {
  readonly endpoint: Endpoint;
  readonly settings: ResponsesProviderSettings;
  /** The matching overrides, in order. */
  readonly overrides: readonly ModelOverrides[];
  /** The overrides of the body. */
  readonly body: readonly BodyOverride[];
  /** The model's own settings of the loop, then those of the call. */
  readonly own: readonly LoopSettings[];
  /** The settings of the loop, merged. Its numbers are in `limits`. */
  readonly loop: MergedLoopSettings;
  /** Unset: all tools are offered. */
  readonly offered: OfferedTools | undefined;
  /** How requests travel. */
  readonly transport: ResponsesProviderSettings['transport'];
  /** Worked out by `limitsOf`, which only calls load. */
  limits: ModelLimits | undefined;
  readonly #account: HeaderSetting;
  readonly #options: ModelSettingsOptions;
  readonly #modelId: string;

  constructor(options: ModelSettingsOptions, modelId: string, own: readonly LoopSettings[] = []) {
    if (modelId.length > MAX_MODEL_ID_CHARS)
      throw invalidSettings(
        `The model id has ${modelId.length} characters; no more than ${MAX_MODEL_ID_CHARS} are taken. It begins with ${JSON.stringify(`${modelId.slice(0, 60)}…`)}.`,
      );
    this.#options = options;
    this.#modelId = modelId;
    this.settings = options.settings;
    this.own = own;
    this.loop = mergedLoop([this.settings, ...own]);
    this.offered = own.length === 0 ? undefined : offeredTools(own);
    const { organization, project, models } = this.settings;
    this.overrides = overridesFor(modelId, models);
    this.body = this.overrides.map((override) => override.body ?? {});
    const last = this.overrides.findLast(({ transport }) => transport !== undefined);
    this.transport = last?.transport ?? this.settings.transport;
    this.#account = defined({ 'openai-organization': organization, 'openai-project': project });
    this.endpoint = endpointFor(modelId, this.overrides, options);
  }

  /** Returns the settings with those of a call. */
  with(ofCall: LoopSettings): ModelSettings {
    return new ModelSettings(this.#options, this.#modelId, [...this.own, ofCall]);
  }

  /** Returns the settings of another model, which answers some rounds in this one's place. */
  as(modelId: string): ModelSettings {
    return new ModelSettings(this.#options, modelId, this.own);
  }

  /** Later ones win; the call's own follow them. Read for every call, because they may be getters. */
  get headers(): readonly HeaderSetting[] {
    const { headers = {} } = this.settings;
    return [this.#account, headers, ...this.overrides.map((override) => override.headers ?? {})];
  }
}

const LOOP_SETTINGS = Object.keys(SETTINGS_OF_MODELS) as (keyof MergedLoopSettings)[];

/** Returns the latest value of each setting. `undefined` changes nothing, so that no mistake takes an `approve` away. */
function mergedLoop(layers: readonly MergedLoopSettings[]): MergedLoopSettings {
  return Object.fromEntries(
    LOOP_SETTINGS.map((name) => [name, layers.findLast((layer) => layer[name] !== undefined)?.[name]]),
  );
}

/** Lists only narrow each other, so a call never gets a tool that its model does not offer. */
function offeredTools(own: readonly LoopSettings[]): OfferedTools | undefined {
  const [first, ...others] = own.flatMap(({ servers }) => (servers === undefined ? [] : [servers]));
  const names = own.flatMap(({ toolNames }) =>
    toolNames === undefined ? [] : [new Map(toolNames.map((name) => [name, createGlob(name)]))],
  );
  if (first === undefined && names.length === 0) return undefined;
  const servers = first?.filter((key) => others.every((list) => list.includes(key)));
  return { servers: servers && new Set(servers), names };
}

function endpointFor(
  modelId: string,
  overrides: readonly ModelOverrides[],
  { settings, conventions, environment }: ModelSettingsOptions,
): Endpoint {
  const { baseURL, query, resourceName, apiVersion, useDeploymentBasedUrls } = settings;
  const resource = resourceName === undefined ? undefined : `https://${resourceName}.openai.azure.com`;
  const queries = overrides.map((override) => override.query ?? {});
  const own = overrides.findLast(({ backend }) => backend !== undefined);
  return resolveEndpoint({
    baseURL: baseURL ?? resource ?? environment.baseURL ?? 'https://api.openai.com/v1',
    slashKeepsPath: conventions.slashKeepsPath,
    query: Object.assign({}, query, ...queries) as Record<string, string | null>,
    ...defined({
      // A resource is one of Azure, whatever its URL looks like.
      profile: profileFor(own?.backend ?? settings.backend) ?? (resource === undefined ? undefined : PROFILES.azure),
      apiVersion,
      deploymentInPath: useDeploymentBasedUrls === true ? modelId : undefined,
    }),
  });
}

function profileFor(backend: ResponsesProviderSettings['backend']): Profile | undefined {
  if (typeof backend !== 'string') return backend;
  return backend === 'auto' ? undefined : PROFILES[backend];
}

/** The overrides whose pattern fits a model id, in the order they were written. `*` matches anything, case does not count. */
export function overridesFor(modelId: string, models: Readonly<Record<string, ModelOverrides>> = {}): ModelOverrides[] {
  return Object.entries(models)
    .filter(([pattern]) => createGlob(pattern, { ignoreCase: true })(modelId))
    .map(([, overrides]) => overrides);
}
