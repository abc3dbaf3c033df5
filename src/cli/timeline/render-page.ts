import { createHash } from 'node:crypto';
import type { BuiltTimeline } from './build-timeline.js';
import { STYLES } from './styles.js';

/**
 * Writes the page in pieces, because one text could exceed the length of a string. Texts of servers and tools are JSON
 * without any `<`, so none can end its element, and the page's policy runs only our own script.
 */
export function* renderPage({ timeline, groups }: BuiltTimeline, script: string): Generator<string> {
  const code = script.replaceAll('</script', String.raw`<\/script`);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(code)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Timeline</title>
<style>${STYLES}</style>
</head>
<body>
<div id="app"></div>
<div id="print"></div>
<noscript>This page needs JavaScript: its own script draws it. It sends nothing to any server.</noscript>
<script type="application/json" id="timeline">${inScript(JSON.stringify(timeline))}</script>
<script type="application/json" id="texts">[`;
  for (const [at, texts] of groups.entries()) {
    yield at === 0 ? '[' : ',[';
    for (const [index, text] of texts.entries()) yield `${index === 0 ? '' : ','}${inScript(text)}`;
    yield ']';
  }
  yield `]</script>
<script>${code}</script>
</body>
</html>
`;
}

/** In JSON, `<` occurs only in strings, and its escape means the same there. */
function inScript(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`);
}

function policyOf(code: string): string {
  const only = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `default-src 'none'; script-src ${only(code)}; style-src ${only(STYLES)}; base-uri 'none'; form-action 'none'`;
}
