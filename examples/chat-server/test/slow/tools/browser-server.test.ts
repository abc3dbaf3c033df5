import { expect, it, onTestFinished } from 'vitest';
import { approvalsIn, textOf } from '../../support/chat-client.js';
import { startScriptedModel } from '../../support/scripted-model.js';
import { newFolder, type StartOptions, startChat } from '../../support/start-chat.js';
import { describeInChromium } from '../browser/support/browser.js';

interface ListedTool {
  readonly id: string;
  readonly missing?: string;
}

async function rig(env: StartOptions['env'] = {}) {
  const model = await startScriptedModel();
  const chat = await startChat({ baseURL: model.baseURL, workspace: newFolder(), env });
  onTestFinished(async () => {
    await chat.end();
    await model.close();
  });
  const listed = async () => (await chat.api<ListedTool[]>('GET', '/api/tools')).json;
  const offered = (): string => JSON.stringify(model.requests.at(-1)?.body['tools']);
  return { chat, listed, offered };
}

it('is not offered where no Chromium is, and the list of tools says why', async () => {
  const { chat, listed, offered } = await rig({ CHROMIUM_PATH: '/nowhere/chromium' });
  const { chunks } = await chat.send('a', 'call browserOpen {"url":"https://a.invalid/"}');
  expect(approvalsIn(chunks)).toEqual([]);
  expect(offered()).toContain('openUrl');
  expect(offered()).not.toContain('"name":"browser');
  const missing = (await listed()).filter((tool) => tool.missing !== undefined);
  expect(missing.map(({ id }) => id)).toEqual([
    ...['browserOpen', 'browserSnapshot', 'browserAct', 'browserExtract', 'browserWait'],
  ]);
  expect(missing[0]?.missing).toContain('CHROMIUM_PATH names /nowhere/chromium, which is not a program');
});

describeInChromium('the browser of a server', () => {
  it('asks by origin, and reaches neither this server nor anything else that is private', async () => {
    const { chat, offered } = await rig();
    const url = `http://127.0.0.1:${chat.port}/#token=x`;
    const asked = await chat.send('a', `call browserOpen ${JSON.stringify({ url })}`);
    expect(offered()).toContain('browserAct');
    expect(asked.chunks.find(({ type }) => type === 'tool-approval-request')).toMatchObject({
      approvalDescriptor: { rule: `browser: http://127.0.0.1:${chat.port}`, always: true },
    });
    const [id = ''] = approvalsIn(asked.chunks);
    const answered = await chat.answer('a', { id, approved: true });
    expect(textOf(answered.chunks)).toContain('127.0.0.1 is no public address');
    const refused = await chat.send('a', 'call browserAct {"origin":"http://127.0.0.1","ref":"s1e1","action":"click"}');
    expect(approvalsIn(refused.chunks)).toEqual([]);
    expect(textOf(refused.chunks)).toContain('not of the last snapshot');
  });
});
