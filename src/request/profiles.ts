import type { Profile, SocketRules } from '../core/profile.js';
import { lazy } from '../util/lazy.js';

/** The abilities of most servers that claim compatibility. */
const generic: Profile = {
  name: 'generic',
  auth: 'bearer',
  requiresKey: false,
  versionSegment: '/v1',
  reasoningReplay: 'none',
  include: [],
  assistantMessageIds: 'omit',
  toolOutput: 'string',
  closingTools: 'choice-none',
  vendorFields: [],
  reasoningModels: [],
  hostedTools: 'any',
  inputFiles: true,
  inputUrls: true,
  systemRole: 'system',
};

/** OpenAI's API, at OpenAI or elsewhere. */
const openaiLike: Profile = {
  ...generic,
  name: 'openai',
  requiresKey: true,
  reasoningReplay: 'encrypted',
  include: ['reasoning.encrypted_content'],
  toolOutput: 'multimodal',
  reasoningModels: [/^o\d/i, /^gpt-(?!5-chat)(?:[5-9]|\d{2})/i, /^codex-mini/i, /^computer-use-preview/i],
};

const MINUTE = 60_000;
/** OpenAI closes connections after 60 minutes ("WebSocket Mode" guide). */
const OPENAI_SOCKETS: SocketRules = { continues: 'connection', maxAgeMs: 55 * MINUTE };
/**
 * xAI closes them after 25 minutes (anomalyco/opencode#43889). Without storage no request can continue a response. A
 * continuation must not repeat the instructions (anomalyco/opencode#48318).
 */
const XAI_SOCKETS: SocketRules = { continues: 'never', maxAgeMs: 24 * MINUTE, without: ['instructions'] };

/** Servers for local models accept the sampling settings of their engines. */
const ENGINE_FIELDS = ['top_k', 'seed', 'presence_penalty', 'frequency_penalty', 'stop'];

/** Profiles by name. A row has only the differences of a back end, each documented or seen. */
export const PROFILES = {
  generic,
  openai: {
    ...openaiLike,
    vendor: 'openai',
    webSocket: OPENAI_SOCKETS,
    readsCompaction: true,
    sharesCacheByKey: true,
    asyncTools: true,
  },
  azure: {
    ...openaiLike,
    name: 'azure',
    vendor: 'azure',
    auth: 'api-key',
    versionSegment: '/openai/v1',
    webSocket: OPENAI_SOCKETS,
    readsCompaction: true,
    sharesCacheByKey: true,
    asyncTools: true,
  },
  google: { ...generic, name: 'google', requiresKey: true, versionSegment: '/v1beta' },
  // Takes `top_k` and `seed`, sends its sealed reasoning when asked, and wants a cache key for each conversation (docs.x.ai).
  xai: {
    ...openaiLike,
    name: 'xai',
    vendor: 'xai',
    runsCustomTools: true,
    vendorFields: ['top_k', 'seed'],
    reasoningModels: [],
    webSocket: XAI_SOCKETS,
  },
  // Stateless, with strict validation of assistant items (CherryHQ/cherry-studio#10477, openai/codex#12114).
  openrouter: {
    ...openaiLike,
    name: 'openrouter',
    versionSegment: '/api/v1',
    assistantMessageIds: 'synthetic',
    reasoningModels: [],
  },
  // Knows no `tool_choice`, refuses files, takes images inline only, and reads `encrypted_content` as plain reasoning.
  ollama: { ...generic, name: 'ollama', closingTools: 'remove', hostedTools: [], inputFiles: false, inputUrls: false },
  // Functions and, switched on, `mcp` (lmstudio-ai/lmstudio-bug-tracker#1810).
  lmstudio: { ...generic, name: 'lmstudio', hostedTools: ['mcp'], inputUrls: false },
  // Certain versions refuse assistant items without an id (vllm-project/vllm#33089).
  vllm: { ...generic, name: 'vllm', assistantMessageIds: 'synthetic', vendorFields: ENGINE_FIELDS },
  // Needs reasoning as plain `content` next to `summary`; skips tools that are no functions; refuses `input_file`.
  llamacpp: {
    ...generic,
    name: 'llamacpp',
    reasoningReplay: 'text',
    vendorFields: ENGINE_FIELDS,
    hostedTools: [],
    inputFiles: false,
  },
  // Has no version segment; its ids are longer than any server accepts.
  copilot: { ...openaiLike, name: 'copilot', versionSegment: '' },
} as const satisfies Record<string, Profile>;

/** The name of a profile that comes with the package. */
export type ProfileName = keyof typeof PROFILES;

/** The hosts of back ends; the first match is used. Ports are the servers' defaults. */
const byHost = lazy((): readonly (readonly [RegExp, ProfileName])[] => [
  [/^api\.openai\.com$/, 'openai'],
  [/\.(openai|cognitiveservices|services\.ai)\.azure\.com$/, 'azure'],
  [/^generativelanguage\.googleapis\.com$/, 'google'],
  [/^api\.x\.ai$/, 'xai'],
  [/^openrouter\.ai$/, 'openrouter'],
  [/^api\.(?:[\w-]+\.)?githubcopilot\.com$/, 'copilot'],
  [/^(localhost|127\.0\.0\.1|\[::1\]):11434$/, 'ollama'],
  [/^(localhost|127\.0\.0\.1|\[::1\]):1234$/, 'lmstudio'],
]);

export function profileOf(url: URL): Profile {
  const found = byHost().find(([pattern]) => pattern.test(url.host) || pattern.test(url.hostname));
  return PROFILES[found?.[1] ?? 'generic'];
}
