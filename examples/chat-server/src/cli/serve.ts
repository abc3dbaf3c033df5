import { existsSync, realpathSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stdout } from 'node:process';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Hono } from 'hono';
import { createResponsesProvider, type ResponsesProviderSettings } from 'responses-loop/v3';
import { cleanEnvironment } from 'responses-loop-example-shared/clean-environment.js';
import { type FileLock, LockedError, lockFile } from 'responses-loop-example-shared/file-lock.js';
import { tokenProblem } from 'responses-loop-example-shared/loopback-guard.js';
import { openModel, type OpenedModel } from 'responses-loop-example-shared/open-model.js';
import { packageVersion } from 'responses-loop-example-shared/package-version.js';
import { createSandbox } from 'responses-loop-example-shared/sandbox.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { withoutSecrets } from '../chat/describe-error.js';
import { type ChatApp, compose } from '../compose.js';
import { withApps } from '../apps/with-apps.js';
import { demoBrain } from '../demo-brain.js';
import { SignIns } from '../mcp/sign-ins.js';
import type { OpenLoop } from '../models/open-provider.js';
import { keysOf, readModelsFile } from '../models/provider-definitions.js';
import { warnOfEvents } from '../models/warn-of-events.js';
import { createPageRoutes } from '../routes/page.js';
import { createApp } from '../server.js';
import { keptSecret, oldFolderNote, openDataFolder } from '../store/data-folder.js';
import type { ToolRuntime } from '../tools/runtime.js';
import { type KeptChats, openChats, secretsIn } from './open-chats.js';
import { openBrowser, type OpenedBrowser } from './open-browser.js';
import type { ChatOptions, CodeOptions } from './program.js';
import { say } from './say.js';
import { stopSignal } from './signals.js';

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
const EVERY_ADDRESS = ['0.0.0.0', '::'];
const SHORTEST_TOKEN = 16;
const MAX_ROUNDS = 40;

/** Serves chats until a signal comes. */
export async function serve(options: ChatOptions, code: CodeOptions = {}): Promise<void> {
  const { env } = process;
  checkAddress(options);
  const given = givenToken(options, env['CHAT_TOKEN'] ?? '');
  const workspace = folderOf(options.workspace);
  const definitions = options.models === undefined ? [] : readModelsFile(options.models);
  const place = await openDataFolder({ workspace, given: options.data, env });
  const dataFolder = place.folder;
  const lock = await lockDataFolder(dataFolder);
  let kept: KeptChats | undefined;
  try {
    const token = given ?? (await keptSecret(join(dataFolder, 'token')));
    const secrets = [
      token,
      ...secretsIn(options.database),
      options.apiKey,
      env['OPENAI_API_KEY'],
      ...keysOf(definitions, env),
    ].filter((text) => text !== undefined && text !== '') as string[];
    const onWarning = (message: string): void => say(withoutSecrets(message, secrets));
    kept = await openChats({
      ...{ dataFolder, database: options.database, onWarning },
      isShared: options.engine !== undefined,
    });
    const { storage, secret, lost, shared } = kept;
    secrets.push(secret);
    const page = await createPageRoutes();
    const note = oldFolderNote(workspace, place);
    if (note !== undefined) say(note);
    const sandbox = createSandbox(options.sandbox, {
      roots: [workspace],
      hidden: place.closed,
      hasNetwork: options.sandboxNetwork === true,
      path: cleanEnvironment(env)['PATH'] ?? '',
    });
    if (options.sandbox !== 'off') say(`Sandbox for commands: ${sandbox.label}`);
    const signIns = new SignIns({ folder: join(dataFolder, 'sign-ins') });
    const app = await compose({
      workspace,
      storage,
      owners: shared?.owners,
      keeperOf: shared?.engine.keeperOf,
      closed: place.closed,
      sandbox,
      runTools: options.runTools,
      graceMs: options.grace * 1_000,
      approvalTimeoutMs: options.approvalTimeout === undefined ? undefined : options.approvalTimeout * 1_000,
      secret,
      secrets,
      env,
      definitions,
      openModel: (runtime) => openModelOf(options, { runtime, secret, onWarning }, signIns),
      openLoop: (runtime) => openLoopWith({ runtime, secret, onWarning }),
      onWarning,
      ...code,
    });
    await listenUntilStopped(app, options, { token, page, dataFolder, signIns, lost, onWarning });
  } finally {
    await kept?.close();
    lock.release();
  }
}

interface ListenOptions {
  readonly token: string;
  readonly page: Hono;
  readonly dataFolder: string;
  readonly signIns: SignIns;
  readonly lost: KeptChats['lost'];
  readonly onWarning: (message: string) => void;
}

async function listenUntilStopped(
  app: ChatApp,
  options: ChatOptions,
  { token, page, dataFolder, signIns, lost, onWarning }: ListenOptions,
): Promise<void> {
  const { host, allowHost, address, open } = options;
  let { port } = options;
  let browser: OpenedBrowser | undefined;
  const onEntered = (): void => {
    browser?.forget();
    browser = undefined;
  };
  // Other instances call this one by it.
  const allowedHosts = address === undefined ? allowHost : [...allowHost, new URL(address).host];
  const guard = { hostname: host, port: () => port, allowedHosts, token, onEntered };
  const onError = (error: unknown): void => onWarning(error instanceof Error ? error.message : String(error));
  const hono = createApp({ ...app, signIns, guard, page, version: packageVersion(), onError });
  const server = createAdaptorServer({ fetch: (request, env) => hono.fetch(request, env) });
  const stopped = stopSignal();
  try {
    port = await listen(server, options);
    signIns.listenAt(host, port);
    const root = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    app.owners?.listenAt(address ?? root);
    const link = `${root}/#token=${encodeURIComponent(token)}`;
    stdout.write(`Chat: ${link}\n`);
    say(app.opened.label);
    if (open && stdout.isTTY) browser = openBrowser(link, dataFolder);
    const reason = await Promise.race([stopped.fired, lost]);
    server.close();
    if (reason !== undefined) throw new Error(reason);
  } finally {
    browser?.forget();
    // Turns are ended and stored first, so that their streams end as they should.
    await app.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }
}

interface ProviderParts {
  readonly runtime: ToolRuntime;
  readonly secret: string;
  readonly onWarning: (message: string) => void;
}

function openModelOf(options: ChatOptions, parts: ProviderParts, signIns: SignIns): Promise<OpenedModel> {
  return openModel({
    flags: options,
    env: process.env,
    standIn: demoBrain,
    stock: async () => (await import('@ai-sdk/openai')).createOpenAI,
    isStockWanted: true,
    approve: (mcpServers) => parts.runtime.approve(mcpServers),
    extendMcpServers: (mcpServers) => withApps(signIns.addTo(mcpServers)),
    settings: settingsOf(parts),
  });
}

/** The same for another server. Tools of MCP servers are run by the AI SDK then: their programs are started once. */
function openLoopWith(parts: ProviderParts): OpenLoop {
  return (server) => createResponsesProvider({ ...settingsOf(parts), ...server });
}

function settingsOf({ runtime, secret, onWarning }: ProviderParts) {
  return {
    maxRounds: MAX_ROUNDS,
    historySecret: secret,
    transformRequest: runtime.transformRequest,
    onElicitation: runtime.onElicitation,
    onEvent: warnOfEvents(onWarning),
  } satisfies ResponsesProviderSettings;
}

function checkAddress({ engine, address, host }: ChatOptions): void {
  if (address !== undefined && engine === undefined) {
    throw new SettingsError('--address needs --engine: without it no other instance calls this one.');
  }
  if (engine !== undefined && address === undefined && EVERY_ADDRESS.includes(host)) {
    throw new SettingsError(
      `--host ${host} is no address that other instances can call: add --address http://NAME:PORT.`,
    );
  }
}

function givenToken({ host, engine }: ChatOptions, given: string): string | undefined {
  if (engine !== undefined && given === '') {
    throw new SettingsError('--engine needs CHAT_TOKEN: all instances take the same token.');
  }
  if (!LOOPBACK.includes(host) && given.length < SHORTEST_TOKEN) {
    throw new SettingsError(
      `--host ${host} lets others connect: set CHAT_TOKEN to ${SHORTEST_TOKEN} characters or more.`,
    );
  }
  if (given === '') return undefined;
  const problem = given.length < SHORTEST_TOKEN ? `needs ${SHORTEST_TOKEN} characters or more` : tokenProblem(given);
  if (problem !== undefined) throw new SettingsError(`CHAT_TOKEN ${problem}.`);
  return given;
}

function folderOf(path: string): string {
  if (!existsSync(path)) throw new SettingsError(`--workspace: folder ${path} not found.`);
  if (!statSync(path).isDirectory()) throw new SettingsError(`--workspace: ${path} is not a folder.`);
  // By the spelling that the disk has.
  return realpathSync.native(path);
}

function listen(server: ServerType, { port, host }: ChatOptions): Promise<number> {
  return new Promise((fulfil, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'the port is in use' : error.message;
      reject(new SettingsError(`Port ${port} of ${host} cannot be used: ${why}. Use --port 0 for a free one.`));
    });
    // A TCP server that listens has no other kind of address.
    server.listen(port, host, () => fulfil((server.address() as AddressInfo).port));
  });
}

/** What two servers write would be mixed, and what one of them knows would not be so. */
async function lockDataFolder(folder: string): Promise<FileLock> {
  try {
    return await lockFile(join(folder, 'lock'));
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    throw new SettingsError(`The data folder ${folder} is in use by the chat server with the pid ${error.pid}.`);
  }
}
