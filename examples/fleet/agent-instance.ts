import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOKEN } from './agent-client.js';
import { Instance } from './instance.js';
import type { Place } from './target.js';

const AGENT = fileURLToPath(new URL('../agent-runtime/bin/agent.mjs', import.meta.url));
const TOOLS = fileURLToPath(new URL('tools.mjs', import.meta.url));

/** An instance of agent-runtime whose turns survive it. */
export function startAgentInstance(place: Place, name: string): Promise<Instance> {
  const { folder, ledger, database, modelUrl } = place;
  const config = join(folder, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { pond: { command: process.execPath, args: [TOOLS, ledger] } } }));
  const flags = ['--engine', 'dbos', '--database', database, '--mcp-config', config, '--trust', 'pond'];
  const command = [
    process.execPath,
    AGENT,
    'serve',
    '--port',
    '0',
    '--base-url',
    modelUrl,
    '--model',
    'played',
    ...flags,
  ];
  const env = { AGENT_TOKEN: TOKEN, OPENAI_API_KEY: 'sk-for-tests' };
  return Instance.start({ command, env, cwd: folder, log: join(folder, `${name}.log`) });
}
