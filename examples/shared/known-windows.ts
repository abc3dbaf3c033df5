import { byName } from './by-name.js';

/**
 * Tokens of input that models take, by the beginning of their names. Of models whose window is shared with the answer and whose
 * makers say how much of it is for the input, that; of a family with several windows, the smallest. Of open models it is what
 * they take without scaling (YaRN): a server that offers more says so.
 *
 * Each row was looked up in November 2026: in the files `models/MAKER/MODEL.toml` and `providers/MAKER/models/MODEL.toml` of
 * https://github.com/anomalyco/models.dev (`limit.input`, else `limit.context`), and where these name another number or none:
 * - `gpt-5.4-mini`, `gpt-5.4-nano`: 400,000 less the answer, https://vercel.com/ai-gateway/models/openai/gpt-5.4-mini
 * - `codex-mini`: https://developers.openai.com/api/docs/models/codex-mini-latest
 * - `qwen3`, `qwen2.5`: native lengths of the model cards, such as https://huggingface.co/Qwen/Qwen3-8B
 * - `gpt-6`, `claude`, `qwen3.5`: no model has this very name, so the row rests on its relatives (`gpt-6-astra`; the smallest of
 *   the others). One that is not listed there yet may take more or less.
 */
const WINDOWS: Readonly<Record<string, number>> = {
  'gpt-6': 922_000,
  'gpt-5.6': 922_000,
  'gpt-5.5': 922_000,
  'gpt-5.4': 922_000,
  'gpt-5.4-mini': 272_000,
  'gpt-5.4-nano': 272_000,
  'gpt-5.3-codex-spark': 128_000,
  'gpt-5': 272_000,
  'gpt-4.1': 1_047_576,
  'gpt-4o': 128_000,
  'gpt-oss': 131_072,
  'o4-mini': 200_000,
  o3: 200_000,
  o1: 200_000,
  'o1-mini': 128_000,
  'codex-mini': 200_000,
  claude: 200_000,
  'claude-opus-4-6': 1_000_000,
  'claude-opus-4-7': 1_000_000,
  'claude-opus-4-8': 1_000_000,
  'claude-opus-5': 1_000_000,
  'claude-sonnet-4-6': 1_000_000,
  'claude-sonnet-5': 1_000_000,
  'gemini-3': 1_000_000,
  'gemini-2.5': 1_048_576,
  'grok-4': 256_000,
  'grok-4-fast': 2_000_000,
  'grok-4-1-fast': 2_000_000,
  'grok-code-fast': 256_000,
  'deepseek-v4': 1_000_000,
  'deepseek-v3': 128_000,
  'deepseek-r1': 128_000,
  'qwen3.5': 262_144,
  'qwen3-coder': 262_144,
  'qwen3-next': 131_072,
  qwen3: 32_768,
  'qwen2.5': 32_768,
  'llama-3.1': 128_000,
  'llama-3.2': 128_000,
  'llama-3.3': 128_000,
  'mistral-large': 128_000,
  'mistral-large-2512': 262_144,
  'mistral-small': 128_000,
  'mistral-small-24b-instruct-2501': 28_000,
  devstral: 128_000,
  'devstral-2512': 262_144,
  'devstral-small-2512': 256_000,
  'codestral-22b': 32_768,
  codestral: 256_000,
};

export function knownWindow(model: string): number | undefined {
  return byName(WINDOWS, model);
}
