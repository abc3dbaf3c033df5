import { byName } from './by-name.js';

/**
 * Tokens of input that models take, by the beginning of their names, as their makers' pages of models had it in November 2026
 * or before. Of models whose window is shared with the answer, what is left for the input.
 */
const WINDOWS: Readonly<Record<string, number>> = {
  'gpt-5': 272_000,
  'gpt-4.1': 1_000_000,
  'gpt-4o': 128_000,
  'gpt-oss': 131_072,
  'o4-mini': 200_000,
  o3: 200_000,
  o1: 200_000,
  'codex-mini': 200_000,
  claude: 200_000,
  'gemini-2.5': 1_048_576,
  'grok-4': 256_000,
  'deepseek-v3': 128_000,
  'deepseek-r1': 128_000,
  'qwen3-coder': 262_144,
  qwen3: 32_768,
  'qwen2.5': 32_768,
  'llama-3.1': 131_072,
  'llama-3.2': 131_072,
  'llama-3.3': 131_072,
  'mistral-large': 128_000,
  'mistral-small': 128_000,
  devstral: 128_000,
  codestral: 32_768,
};

export function knownWindow(model: string): number | undefined {
  return byName(WINDOWS, model);
}
