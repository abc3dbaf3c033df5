import { byName } from 'responses-loop-example-shared/by-name.js';

/**
 * Whether models take images, by the beginning of their names, as their makers' pages of models had it in November 2026 or
 * before.
 */
const TAKES_IMAGES: Readonly<Record<string, boolean>> = {
  'gpt-4o': true,
  'gpt-4.1': true,
  'gpt-5': true,
  'gpt-6': true,
  'gpt-oss': false,
  o1: true,
  'o1-mini': false,
  o3: true,
  'o3-mini': false,
  'o4-mini': true,
  claude: true,
  gemini: true,
  'gemma-3': true,
  'grok-4': true,
  'llama-4': true,
  llava: true,
  'llama-3.2-11b-vision': true,
  'llama-3.2-90b-vision': true,
  'mistral-small-3': true,
  pixtral: true,
  'minicpm-v': true,
  'qwen2-vl': true,
  'qwen2.5-vl': true,
  'qwen3-vl': true,
};

/** Whether a model is known to take images. */
export function takesImages(model: string, set: 'auto' | 'on' | 'off'): boolean {
  return set === 'auto' ? byName(TAKES_IMAGES, model) === true : set === 'on';
}
