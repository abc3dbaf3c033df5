/** How keys of well-known services look, so that one that somebody pasted is found too. */
const FORMATS = new RegExp(
  [
    String.raw`\b(?:sk|rk|pk)[-_](?=[\w-]*\d)[\w-]{20,}`, // OpenAI, Anthropic, OpenRouter, Stripe
    String.raw`\b(?:xai|gsk|hf|npm|r8|pplx|nvapi|tvly|glpat|github_pat)[-_](?=\w*\d)[\w-]{20,}`,
    String.raw`\bgh[oprsu]_\w{30,}`,
    String.raw`\bA(?:KIA|SIA)[A-Z\d]{16}\b`,
    String.raw`\bAIza[\w-]{35}`,
    String.raw`\bya29\.[\w-]{20,}`,
    String.raw`\bxox[abeoprs]-[\w-]{10,}`,
    String.raw`\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+`, // JSON web tokens
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`,
  ].join('|'),
  'g',
);

/** Schemes of `authorization`, whatever the header is called. */
const SCHEME = /^(?:basic|bearer|token)\s+\S{8,}$/i;

/** What looks like a key in a text. */
export function keysIn(text: string): string[] {
  return text.match(FORMATS) ?? [];
}

/** Whether a header brings a key, whatever it is called. */
export function isKeyHeader(value: string): boolean {
  return SCHEME.test(value) || keysIn(value).length > 0;
}
