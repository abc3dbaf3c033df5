import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOKEN } from './connection.js';
import { Instance } from './instance.js';
import type { Place } from './target.js';
import { toolsConfig } from './tools-config.js';

const CHAT = fileURLToPath(new URL('../chat-server/bin/chat-server.mjs', import.meta.url));

/** An instance of chat-server with a data folder of its own, as one on another machine has. */
export function startChatInstance(
  place: Place,
  name: string,
  keeping: readonly string[] = ['--database', place.database, '--engine', 'dbos'],
): Promise<Instance> {
  const { folder, modelUrl } = place;
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace, { recursive: true });
  const model = ['--base-url', modelUrl, '--model', 'played', '--mcp-config', toolsConfig(place)];
  const where = ['-w', workspace, '--data', join(folder, name), '--port', '0', '--no-open'];
  const env = { CHAT_TOKEN: TOKEN, OPENAI_API_KEY: 'sk-for-tests' };
  const command = [process.execPath, CHAT, ...where, ...model, ...keeping];
  return Instance.start({ command, env, cwd: folder, log: join(folder, `${name}.log`) });
}
