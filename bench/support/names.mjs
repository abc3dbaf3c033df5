/** What runs in the same table. */
export const OURS = 'responses-loop';
export const STOCK = '@ai-sdk/openai';
export const OPEN_RESPONSES = '@ai-sdk/open-responses';
export const OPENAI_SDK = 'openai';
export const FLOOR = 'floor';
