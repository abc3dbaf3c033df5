import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOKEN } from './connection.js';
import { Instance } from './instance.js';
import type { Place } from './target.js';
import { toolsConfig } from './tools-config.js';

const AGENT = fileURLToPath(new URL('../agent-runtime/bin/agent.mjs', import.meta.url));

/** An instance of agent-runtime, whose turns survive it if nothing else is wanted. */
export async function startAgentInstance(place: Place, name: string, keeping?: readonly string[]): Promise<Instance> {
  const { folder, modelUrl } = place;
  const model = ['--base-url', modelUrl, '--model', 'played', '--mcp-config', toolsConfig(place), '--trust', 'pond'];
  const engine = async (): Promise<readonly string[]> => (await place.engine?.()) ?? ['--engine', 'dbos'];
  const flags = ['--port', '0', ...(keeping ?? ['--database', place.database, ...(await engine())]), ...model];
  const env = { AGENT_TOKEN: TOKEN, OPENAI_API_KEY: 'sk-for-tests' };
  const command = [process.execPath, AGENT, 'serve', ...flags];
  return Instance.start({ command, env, cwd: folder, log: join(folder, `${name}.log`) });
}
