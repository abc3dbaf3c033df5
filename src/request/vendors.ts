import type { Profile } from '../core/profile.js';
import type { FunctionOptions } from '../core/tool.js';
import { lazy } from '../util/lazy.js';
import { type Option, OPTIONS, XAI_OPTIONS } from './option-table.js';

/** What an AI SDK provider for a back end does, so that ours may stand in its place. */
export interface Vendor {
  /** Under which keys of `providerOptions` options stand: the first that is there counts, as a whole. */
  readonly keys: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  /** A value that is on no list of ours is refused before anything is sent; else it is sent with a warning. */
  readonly refusesUnknownValues: boolean;
  /** The summary that AI SDK 7 models ask for along with an effort. */
  readonly summary?: string;
  /** `false`: a call of a tool that the server runs cannot be forced. Default `true`. */
  readonly forcesHosted?: boolean;
  /** Levels of reasoning by model, for the call option of AI SDK 7; the first pattern that fits. Absent: as they are. */
  readonly efforts?: readonly { readonly models: RegExp; readonly takes: readonly string[] }[];
}

/** As much of a profile as says whose provider ours stands in for. */
export type VendorsProfile = Pick<Profile, 'vendor'>;

const ANY: Vendor = { keys: ['openai'], options: OPTIONS, refusesUnknownValues: false };

const OPENAI: Vendor = { ...ANY, refusesUnknownValues: true, summary: 'detailed' };

const vendors = lazy((): Readonly<Record<Exclude<Profile['vendor'], undefined>, Vendor>> => ({
  openai: OPENAI,
  azure: { ...OPENAI, keys: ['azure', 'openai'] },
  xai: {
    ...ANY,
    keys: ['xai', 'openai'],
    options: XAI_OPTIONS,
    forcesHosted: false,
    efforts: [
      { models: /^grok-4\.20(-\d{4})?-(non-)?reasoning$/, takes: [] },
      { models: /^grok-4\.6$/, takes: ['none', 'low', 'medium', 'high', 'xhigh'] },
      { models: /^/, takes: ['none', 'low', 'medium', 'high'] },
    ],
  },
}));

/** Under which name the AI SDK's provider for a back end writes what others read. */
export function writesAs(profile: VendorsProfile): string {
  return vendorOf(profile).keys[0] ?? 'openai';
}

export function vendorOf({ vendor }: VendorsProfile): Vendor {
  return vendor === undefined ? ANY : vendors()[vendor];
}

/** Models of OpenAI before GPT-6; an unknown name, such as that of a deployment, does not count as one. */
const BEFORE_GPT_6 = /^(?:gpt-(?:[1-5](?!\d)|4o)|chatgpt-|codex-|computer-use-|o\d)/i;
/** Tool search came with GPT-5.4. */
const BEFORE_GPT_5_4 = /^(?:gpt-(?:[1-4](?!\d)|5(?!\.(?:[4-9]|\d{2})))|chatgpt-|codex-|computer-use-|o\d)/i;

/** Functions that run on while the model writes, and changes of settings in mid-conversation. */
export function hasGpt6Features(modelId: string, profile: VendorsProfile): boolean {
  return !(isOpenAi(profile) && BEFORE_GPT_6.test(modelId));
}

/** Which options of functions a back end and its model know. */
export function knownFunctionOptions(modelId: string, profile: VendorsProfile): ReadonlySet<keyof FunctionOptions> {
  if (!isOpenAi(profile)) return new Set();
  return new Set([
    'allowedCallers',
    'outputSchema',
    ...(BEFORE_GPT_5_4.test(modelId) ? [] : (['deferLoading', 'namespace'] as const)),
    ...(BEFORE_GPT_6.test(modelId) ? [] : (['async'] as const)),
  ]);
}

function isOpenAi({ vendor }: VendorsProfile): boolean {
  return vendor === 'openai' || vendor === 'azure';
}
