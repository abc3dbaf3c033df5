// npm start: builds the page and serves it. Without a key or a base URL, the demo model answers.
import { randomBytes } from 'node:crypto';
import { buildPage } from './build-page';
import { startStandIn } from './stand-in';

const { env } = process;
if (env['OPENAI_API_KEY'] === undefined && env['OPENAI_BASE_URL'] === undefined) {
  env['OPENAI_BASE_URL'] = (await startStandIn()).baseURL;
  console.log('chat-app: Demo model (no server connected). Set OPENAI_API_KEY for a real model.');
}
// Approvals then end with this process. An app that is deployed has one secret for all its processes.
env['HISTORY_SECRET'] ??= randomBytes(32).toString('hex');
await buildPage();
await import('./serve');
