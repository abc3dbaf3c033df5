import type { Profile } from '../core/profile.js';

/** What most servers that call themselves compatible take. */
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
  systemRole: 'system',
};

const openai: Profile = {
  ...generic,
  name: 'openai',
  requiresKey: true,
  reasoningReplay: 'encrypted',
  include: ['reasoning.encrypted_content'],
  toolOutput: 'multimodal',
};

/** By name. A row says only where a back end differs, and each difference is documented or was seen. */
export const PROFILES = {
  generic,
  openai,
  azure: { ...openai, name: 'azure', auth: 'api-key', versionSegment: '/openai/v1' },
  google: { ...generic, name: 'google', requiresKey: true, versionSegment: '/v1beta' },
  xai: { ...openai, name: 'xai' },
  // Stateless, with strict validation of assistant items (CherryHQ/cherry-studio#10477, openai/codex#12114).
  openrouter: { ...openai, name: 'openrouter', versionSegment: '/api/v1', assistantMessageIds: 'synthetic' },
  ollama: { ...generic, name: 'ollama', closingTools: 'remove' },
  lmstudio: { ...generic, name: 'lmstudio', reasoningReplay: 'none' },
  vllm: { ...generic, name: 'vllm', assistantMessageIds: 'synthetic' },
  // Wants reasoning as plain `content` beside `summary` (llama.cpp, server-chat).
  llamacpp: { ...generic, name: 'llamacpp', reasoningReplay: 'text' },
  copilot: { ...openai, name: 'copilot', versionSegment: '' },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof PROFILES;

/** Which host is which back end; the first that fits. Ports are the servers' defaults. */
const BY_HOST: readonly (readonly [RegExp, ProfileName])[] = [
  [/^api\.openai\.com$/, 'openai'],
  [/\.(openai|cognitiveservices|services\.ai)\.azure\.com$/, 'azure'],
  [/^generativelanguage\.googleapis\.com$/, 'google'],
  [/^api\.x\.ai$/, 'xai'],
  [/^openrouter\.ai$/, 'openrouter'],
  [/^api\.githubcopilot\.com$/, 'copilot'],
  [/^(localhost|127\.0\.0\.1|\[::1\]):11434$/, 'ollama'],
  [/^(localhost|127\.0\.0\.1|\[::1\]):1234$/, 'lmstudio'],
];

export function profileOf(url: URL): Profile {
  const found = BY_HOST.find(([pattern]) => pattern.test(url.host) || pattern.test(url.hostname));
  return PROFILES[found?.[1] ?? 'generic'];
}
