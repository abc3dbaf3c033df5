import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, describe, it } from 'vitest';
import { openDataFolder } from '../../../src/store/data-folder.js';
import { typesOf } from '../../support/chat-client.js';
import { startScriptedModel } from '../../support/scripted-model.js';
import { dataOf, homeOf, newFolder, spawnChat, startChat } from '../../support/start-chat.js';

const PLANTED = 'a-token-that-everybody-knows';
const NO_TOKEN = { CHAT_TOKEN: '' };

/** What a repository can bring: all that a server has, closed to others, as `umask 077` makes it. */
function plant(folder: string): void {
  const session = {
    ...{
      version: 1,
      id: 'planted',
      title: 'Planted',
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-01T00:00:00Z',
    },
    ...{ leafId: null, instructions: '', grants: [{ kind: 'command', rule: 'exactly touch PWNED' }] },
    usage: { input: 0, output: 0, cached: 0, reasoning: 0, rounds: 0 },
  };
  mkdirSync(join(folder, 'sessions', 'planted'), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'token'), PLANTED, { mode: 0o600 });
  writeFileSync(join(folder, 'secret'), 'a-secret-that-everybody-knows', { mode: 0o600 });
  writeFileSync(join(folder, 'sessions', 'planted', 'session.json'), JSON.stringify(session), { mode: 0o600 });
}

async function refusal(options: Parameters<typeof spawnChat>[0]): Promise<string> {
  const { code, stdout, stderr } = await spawnChat(options).ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  return stderr;
}

describe('what lies in a workspace', () => {
  it('opens nothing, grants nothing and starts nothing; a data folder there is named once', async () => {
    const model = await startScriptedModel();
    const workspace = newFolder();
    plant(join(workspace, '.chat-server'));
    plant(join(workspace, '.local/state/chat-server', dataOf(workspace).split('/').at(-1) ?? ''));
    const starts = { command: 'touch', args: [join(workspace, 'STARTED')] };
    const config = JSON.stringify({ mcpServers: { x: { ...starts, trust: true } } });
    for (const name of ['.mcp.json', 'mcp.json', '.chat-server/mcp.json']) writeFileSync(join(workspace, name), config);
    writeFileSync(
      join(workspace, '.env'),
      `CHAT_TOKEN=${PLANTED}\nOPENAI_BASE_URL=http://127.0.0.1:1/v1\nXDG_STATE_HOME=.\n`,
    );
    writeFileSync(join(workspace, '.npmrc'), 'node-options=--require=./hook.cjs\n');
    writeFileSync(join(workspace, 'hook.cjs'), "require('node:fs').writeFileSync('STARTED', '')");
    for (const name of ['vite.config.js', 'postcss.config.cjs', 'tsconfig.json', 'package.json']) {
      writeFileSync(join(workspace, name), name.endsWith('json') ? '{"type":"commonjs"}' : "require('./hook.cjs')");
    }
    for (const folder of ['agents/master', '.agents/master', 'templates/master']) {
      mkdirSync(join(workspace, folder), { recursive: true });
      writeFileSync(join(workspace, folder, 'agent.json'), '{"title":"PLANTED","groups":["test"]}');
      writeFileSync(join(workspace, folder, 'prompt.md'), 'PLANTED PROMPT');
    }
    const chat = await startChat({ workspace, baseURL: model.baseURL });
    const planted = { authorization: `Bearer ${PLANTED}` };
    expect((await chat.fetch('GET', '/api/sessions', undefined, { headers: planted })).status).toBe(401);
    expect((await chat.fetch('GET', '/api/sessions/planted')).status).toBe(404);
    const { chunks } = await chat.send('planted', 'call shellCommand {"command":"touch PWNED"}');
    expect(typesOf(chunks)).toContain('tool-approval-request');
    expect([existsSync(join(workspace, 'PWNED')), existsSync(join(workspace, 'STARTED'))]).toEqual([false, false]);
    expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain('PLANTED');
    expect(chat.stderr.split(join(workspace, '.chat-server'))).toHaveLength(2);
    expect(chat.stderr).toContain(`is not used`);
    expect(readFileSync(join(workspace, '.chat-server/token'), 'utf8')).toBe(PLANTED);
    expect(readdirSync(join(workspace, '.chat-server')).toSorted()).toEqual([
      'mcp.json',
      'secret',
      'sessions',
      'token',
    ]);
    await model.close();
  });

  it('is never the data folder that --data names, by whatever way it leads there', async () => {
    const workspace = newFolder();
    const beside = newFolder();
    mkdirSync(join(workspace, 'deep'));
    symlinkSync(workspace, join(beside, 'link'));
    symlinkSync(join(workspace, 'deep'), join(beside, 'deep'));
    symlinkSync(join(workspace, 'not-yet'), join(beside, 'dangling'));
    const ways = [
      join(workspace, 'data'),
      join(workspace, 'a/b/c'),
      workspace,
      join(beside, 'link'),
      join(beside, 'link/data'),
      join(beside, 'deep/data'),
      join(beside, 'dangling/data'),
      join(beside, 'link/deep/../data'),
    ];
    const why = `is inside the workspace ${workspace}`;
    for (const given of ways) await expect(openDataFolder({ workspace, given, env: {} }), given).rejects.toThrow(why);
    for (const given of ['.', 'data', 'deep/../data']) {
      expect(await refusal({ workspace, args: ['--data', given] }), given).toContain(why);
    }
    // The workspace by a link, too.
    const args = ['-w', join(beside, 'link'), '--data', join(workspace, 'data')];
    expect(await refusal({ workspace, args })).toContain('is inside the workspace');
    expect(readdirSync(workspace)).toEqual(['deep']);
    expect(readdirSync(join(workspace, 'deep'))).toEqual([]);
  });

  it('is never the state folder either, wherever the environment leads', async () => {
    const workspace = newFolder();
    const link = join(newFolder(), 'link');
    symlinkSync(workspace, link);
    for (const state of [join(workspace, 'state'), link]) {
      expect(await refusal({ workspace, env: { XDG_STATE_HOME: state } })).toMatch(
        /is inside the workspace.*XDG_STATE_HOME/s,
      );
    }
    expect(readdirSync(workspace)).toEqual([]);
  });

  it('does not lie in the data folder either: no tool would reach it', async () => {
    const workspace = newFolder();
    mkdirSync(join(workspace, 'inner'));
    const args = ['-w', join(workspace, 'inner'), '--data', workspace];
    expect(await refusal({ workspace, args })).toMatch(/the workspace .* lies in .*Name a folder beside it/s);
  });
});

describe('the data folder', () => {
  it('lies with the user, by the real path of the workspace, and is closed to others', async () => {
    const workspace = newFolder();
    const link = join(newFolder(), 'link');
    symlinkSync(workspace, link);
    const first = await startChat({ workspace, args: ['-w', link], env: NO_TOKEN });
    for (const folder of [dataOf(workspace), dirname(dataOf(workspace)), dataOf(workspace, 'sessions')]) {
      expect(statSync(folder).mode & 0o777, folder).toBe(0o700);
    }
    expect(readFileSync(dataOf(workspace, 'workspace'), 'utf8')).toBe(`${workspace}\n`);
    expect(readdirSync(workspace)).toEqual([]);
    // Two servers for one workspace would mix what they write.
    expect(await refusal({ workspace })).toContain(`in use by the chat server with the pid ${first.pid}`);
    await first.end();
    const other = newFolder();
    const state = join(homeOf(workspace), 'elsewhere');
    const moved = await startChat({ workspace: other, env: { XDG_STATE_HOME: state } });
    expect(readdirSync(join(state, 'chat-server'))).toEqual([dataOf(other).split('/').at(-1)]);
    await moved.end();
  });

  it.each([
    ['the folder of all workspaces', (workspace: string) => dirname(dataOf(workspace))],
    ['that of the workspace', (workspace: string) => dataOf(workspace)],
  ])('is refused, and nothing in it touched, if others could have made it: %s', async (_what, folderOf) => {
    const make = (): string[] => {
      const workspace = newFolder();
      homeOf(workspace);
      return [workspace, folderOf(workspace)];
    };
    const [open = '', opened = ''] = make();
    mkdirSync(opened, { recursive: true });
    writeFileSync(join(opened, 'token'), PLANTED);
    chmodSync(opened, 0o750);
    expect(await refusal({ workspace: open, env: NO_TOKEN })).toMatch(/others can open it.*chmod 700/s);
    expect(readdirSync(opened)).toEqual(['token']);

    for (const isThere of [true, false]) {
      const [workspace = '', folder = ''] = make();
      const target = join(newFolder(), 'private');
      if (isThere) mkdirSync(target, { mode: 0o700 });
      mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
      symlinkSync(target, folder);
      expect(await refusal({ workspace })).toContain(`is a link to ${target}`);
      expect(existsSync(target) ? readdirSync(target) : isThere).toEqual(isThere ? [] : false);
    }

    const [workspace = '', file = ''] = make();
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, '');
    expect(await refusal({ workspace })).toContain('is not a folder');
  });

  // Only root can give a folder away.
  it.runIf(process.getuid?.() === 0)('is refused if it belongs to somebody else', async () => {
    const workspace = newFolder();
    homeOf(workspace);
    mkdirSync(dataOf(workspace), { recursive: true, mode: 0o700 });
    chownSync(dataOf(workspace), 65_534, 65_534);
    expect(await refusal({ workspace })).toContain('belongs to the user 65534');
  });

  it.each(['.gitignore', 'token', 'sessions', 'sessions/s', 'workspace'])(
    'is refused if it holds a link, and nothing behind it is touched: %s',
    async (name) => {
      const workspace = newFolder();
      homeOf(workspace);
      const link = dataOf(workspace, name);
      mkdirSync(dirname(link), { recursive: true, mode: 0o700 });
      const target = join(newFolder(), 'private');
      writeFileSync(target, 'of the person, and long enough', { mode: 0o644 });
      symlinkSync(target, link);
      expect(await refusal({ workspace, env: NO_TOKEN })).toContain(`contains a link, ${link}`);
      expect([readFileSync(target, 'utf8'), statSync(target).mode & 0o777]).toEqual([
        'of the person, and long enough',
        0o644,
      ]);
    },
  );

  it('that --data names may be empty, is closed then, and is used as it is', async () => {
    const data = newFolder();
    chmodSync(data, 0o755);
    const chat = await startChat({ args: ['--data', data] });
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(readdirSync(data)).toContain('sessions');
    await chat.end();
  });

  it('of every workspace is out of reach of tools, also where the whole home folder is the workspace', async () => {
    const model = await startScriptedModel();
    const home = newFolder();
    mkdirSync(join(home, '.local/state/chat-server/of-another/sessions'), { recursive: true, mode: 0o700 });
    chmodSync(join(home, '.local/state/chat-server'), 0o700);
    writeFileSync(join(home, '.local/state/chat-server/of-another/token'), PLANTED);
    const chat = await startChat({ workspace: home, baseURL: model.baseURL, env: { HOME: home } });
    symlinkSync('.local/state', join(home, 'link'));
    const [own = ''] = readdirSync(join(home, '.local/state/chat-server')).filter((name) => name !== 'of-another');
    const folders = ['of-another', own].map((name) => `.local/state/chat-server/${name}`);
    for (const path of [
      ...folders.flatMap((folder) => [`${folder}/token`, `./x/../${folder}/secret`]),
      `link/chat-server/${own}/secret`,
    ]) {
      const { chunks } = await chat.send(randomUUID(), `call readFile ${JSON.stringify({ path })}`);
      expect(chunks.find(({ type }) => type === 'tool-output-available')?.['output'], path).toMatchObject({
        ok: false,
      });
    }
    for (const command of [
      `cat ${folders[0]}/token`,
      'cat link/*/*/token',
      'grep -r token .local',
      'cat .local/state/*/of*/token',
    ]) {
      const { chunks } = await chat.send(randomUUID(), `call shellCommand ${JSON.stringify({ command })}`);
      expect(typesOf(chunks), command).not.toContain('tool-output-available');
    }
    await model.close();
  });
});
