import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SDKS = [5, 6, 7];

/** The first page of the site: install and the first program for each AI SDK, from `getting-started.md`. */
export function homeText(pages, { name, description }) {
  const page = readFileSync(join(pages, 'getting-started.md'), 'utf8');
  const [, program] = /^```ts\n([^]+?)^```$/m.exec(page) ?? [];
  if (program === undefined) throw new Error('getting-started.md has no program for the first page of the site.');
  return `---
layout: home
hero:
  name: ${name}
  tagline: ${JSON.stringify(description)}
  actions:
    - { theme: brand, text: Get started, link: /getting-started }
    - { theme: alt, text: A chat app in ten minutes, link: /chat-app }
    - { theme: alt, text: All pages, link: /all-pages }
features:
  - { title: Tools inside one call, details: "MCP servers and your own functions run between the rounds. The AI SDK sees one model and one stream.", link: /loop }
  - { title: Approvals, details: "Decide about each call by a rule, or ask the user. Approvals are signed.", link: /approvals }
  - { title: Not just OpenAI, details: "llama.cpp, Ollama, vLLM, LM Studio, Azure and others, each with its own profile.", link: /servers }
---

## Quick start

${tabs('sh', (sdk) => `npm install responses-loop ai@${sdk}\n`)}
${tabs('ts', (sdk) => program.replace('responses-loop/ai6', `responses-loop/ai${sdk}`))}
![A call with four rounds, in a terminal: the tool calls and their results](images/demo.svg)
`;
}

/** The tabs of VitePress, one for each AI SDK; the second is open. */
function tabs(language, codeFor) {
  const blocks = SDKS.map(
    (sdk) => `\`\`\`${language} [AI SDK ${sdk}]${sdk === 6 ? ' active' : ''}\n${codeFor(sdk)}\`\`\`\n`,
  );
  return `::: code-group\n\n${blocks.join('\n')}\n:::\n`;
}
