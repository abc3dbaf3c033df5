import type { Profile } from '../core/profile.js';
import type { FunctionOptions } from '../core/tool.js';
import { lazy } from '../util/lazy.js';
import { type Option, OPTIONS, XAI_OPTIONS } from './option-table.js';

/** How the AI SDK's provider for a back end behaves, so that ours can replace it. */
export interface Vendor {
  /** Keys of `providerOptions` with its options: the first present one is used as a whole. */
  readonly keys: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  /** Refuses values outside our lists before sending; else they are sent with a warning. */
  readonly refusesUnknownValues: boolean;
  /** The summary that AI SDK 7 models ask for along with an effort. */
  readonly summary?: string;
  /** `false`: a call of a tool that the server runs cannot be forced. @default `true` */
  readonly forcesHosted?: boolean;
  /** Returns the levels of reasoning of a model, for the call option of AI SDK 7; `undefined` if they are unknown. */
  readonly efforts?: (modelId: string) => readonly string[] | undefined;
}

/** The part of a profile that names the replaced provider. */
export type VendorsProfile = Pick<Profile, 'vendor'>;

const ANY: Vendor = { keys: ['openai'], options: OPTIONS, refusesUnknownValues: false };

/** Models of OpenAI that are known not to reason; an unknown name, such as that of a deployment, does not count as one. */
const NOT_REASONING = /^(?:gpt-(?:[1-4](?!\d)|5-chat)|chatgpt-)/i;
/** The GPT-6 models that can answer without reasoning. */
const OPTIONAL_REASONING = /^gpt-(?:6-(?:sol|luna)|6\.1-terra)(?:-\d|$)/i;
/** GPT-5 models whose levels are known, by their minor version; those of `pro`, `codex` and `chat` are not. */
const GPT_5 = /^gpt-5(?:\.(\d{1,3}))?(?:-(?:mini|nano|sol|luna|terra))?(?:-\d{4}-\d{2}-\d{2})?$/i;
const UP_TO_HIGH = ['low', 'medium', 'high'];

/** As the catalog of `@ai-sdk/openai` 4.0.118 has them. */
function openaiEfforts(modelId: string): readonly string[] | undefined {
  if (NOT_REASONING.test(modelId)) return [];
  if (OPTIONAL_REASONING.test(modelId)) return ['none', ...UP_TO_HIGH, 'xhigh', 'max'];
  if (/^gpt-(?:[6-9]|\d{2})/i.test(modelId)) return [...UP_TO_HIGH, 'xhigh', 'max'];
  const [isKnown, minor = '0'] = GPT_5.exec(modelId) ?? [];
  if (isKnown === undefined) return undefined;
  if (minor === '0') return ['minimal', ...UP_TO_HIGH];
  return ['none', ...UP_TO_HIGH, ...['xhigh', 'max'].slice(0, minor === '1' ? 0 : Number(minor) < 6 ? 1 : 2)];
}

/** As `@ai-sdk/xai` 5.0.12 has them. */
function xaiEfforts(modelId: string): readonly string[] {
  if (/^grok-4\.20(-\d{4})?-(non-)?reasoning$/.test(modelId)) return [];
  return ['none', ...UP_TO_HIGH, ...(modelId === 'grok-4.6' ? ['xhigh'] : [])];
}

const OPENAI: Vendor = { ...ANY, refusesUnknownValues: true, summary: 'detailed', efforts: openaiEfforts };

const vendors = lazy((): Readonly<Record<Exclude<Profile['vendor'], undefined>, Vendor>> => ({
  openai: OPENAI,
  azure: { ...OPENAI, keys: ['azure', 'openai'] },
  xai: {
    ...ANY,
    keys: ['xai', 'openai'],
    options: XAI_OPTIONS,
    forcesHosted: false,
    efforts: xaiEfforts,
  },
}));

/** Whether a model is known not to reason, so that its reasoning cannot be requested. */
export function neverReasons(modelId: string, profile: VendorsProfile): boolean {
  return isOpenAi(profile) && NOT_REASONING.test(modelId);
}

/** From GPT-5.1 on, a model that is asked not to reason takes `temperature` and `top_p` again; of GPT-6 not each one. */
export function samplesWithoutReasoning(modelId: string): boolean {
  return /^gpt-5\.\d/i.test(modelId) || OPTIONAL_REASONING.test(modelId);
}

/** The metadata name of the AI SDK's provider for a back end. */
export function writesAs(profile: VendorsProfile): string {
  return vendorOf(profile).keys[0] ?? 'openai';
}

export function vendorOf({ vendor }: VendorsProfile): Vendor {
  return vendor === undefined ? ANY : vendors()[vendor];
}

/** Models of OpenAI before GPT-6; an unknown name, such as that of a deployment, does not count as one. */
const BEFORE_GPT_6 = /^(?:gpt-(?:[1-5](?!\d)|4o)|chatgpt-|codex-|computer-use-|o\d)/i;
/** Models of OpenAI without tool search, which began with GPT-5.4. */
const BEFORE_GPT_5_4 = /^(?:gpt-(?:[1-4](?!\d)|5(?!\.(?:[4-9]|\d{2})))|chatgpt-|codex-|computer-use-|o\d)/i;

/** Functions that continue while the model writes, and changes of settings within a conversation. */
export function hasGpt6Features(modelId: string, profile: VendorsProfile): boolean {
  return !(isOpenAi(profile) && BEFORE_GPT_6.test(modelId));
}

/** Returns the function options that a back end and its model support. */
export function knownFunctionOptions(
  modelId: string,
  profile: VendorsProfile & Pick<Profile, 'asyncTools'>,
): ReadonlySet<keyof FunctionOptions> {
  const isAsync = profile.asyncTools === true && hasGpt6Features(modelId, profile);
  const known = isAsync ? (['async'] as const) : [];
  if (!isOpenAi(profile)) return new Set(known);
  return new Set([
    'allowedCallers',
    'outputSchema',
    ...(BEFORE_GPT_5_4.test(modelId) ? [] : (['deferLoading', 'namespace'] as const)),
    ...known,
  ]);
}

function isOpenAi({ vendor }: VendorsProfile): boolean {
  return vendor === 'openai' || vendor === 'azure';
}
