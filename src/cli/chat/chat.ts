import { resolve } from 'node:path';
import { recordEvents } from '../../node/record-events.js';
import { Redactor } from '../../observe/redact.js';
import { followAbort, raceAbort } from '../../util/abort.js';
import { createResponsesProvider, type ResponsesProviderV4 } from '../../v4.js';
import { type Command, type Terminal, UsageError } from '../command.js';
import { firstModel } from '../first-model.js';
import { readAll } from '../read-all.js';
import { askPerson, denyAll } from './approve-calls.js';
import { Conversation } from './conversation.js';
import { Dialog } from './dialog.js';
import { help, readOptions } from './read-options.js';
import { Screen } from './screen.js';

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const screen = new Screen(terminal);
  const options = await readOptions(args, terminal, (text) => screen.warn(text));
  const { server, eventsFile, mcpServers, transport, price } = options;
  screen.price = price;
  const redactor = Redactor.of(() => options.mcpSecrets).long;
  screen.hide = (text) => redactor.text(text);
  const recorder = eventsFile === undefined ? undefined : recordEvents(resolve(terminal.cwd, eventsFile));
  const person = { approve: denyAll(screen) };
  const { baseURL, apiKeys, headers } = server;
  const provider = createResponsesProvider({
    ...{ baseURL, apiKey: apiKeys, headers, mcpServers, transport, price },
    approve: options.runsUnasked ? undefined : (call) => person.approve(call),
    onEvent: (event) => {
      recorder?.(event);
      if (event.type === 'mcp-error') screen.warn(event.message);
    },
  });
  try {
    const model = server.model ?? (await firstModel(provider.endpoint('').url, server, terminal.signal));
    const conversation = new Conversation(provider(model), options.system);
    if (terminal.stdin.isTTY !== true) return await answerOnce(conversation, screen, terminal);
    const dialog = new Dialog(terminal);
    person.approve = askPerson(dialog, screen);
    screen.note(`${model} at ${provider.endpoint(model).url}; /tools, /clear, /exit`);
    await converse({ dialog, conversation, screen, provider, signal: terminal.signal }).finally(() => dialog.close());
    return terminal.signal.aborted ? 130 : 0;
  } finally {
    await provider.close();
    recorder?.close();
  }
}

async function answerOnce(conversation: Conversation, screen: Screen, terminal: Terminal): Promise<number> {
  const question = (await readAll(terminal)).trim();
  if (question === '') throw new UsageError('Standard input is empty: pipe a question into it.');
  await conversation.say(question, screen, terminal.signal);
  terminal.signal.throwIfAborted();
  return screen.hasFailed ? 1 : 0;
}

interface Chat {
  readonly dialog: Dialog;
  readonly conversation: Conversation;
  readonly screen: Screen;
  readonly provider: ResponsesProviderV4;
  readonly signal: AbortSignal;
}

async function converse(chat: Chat): Promise<void> {
  const { dialog, conversation, screen } = chat;
  for (let line = await dialog.next('> '); line !== undefined; line = await dialog.next('> ')) {
    const said = line.trim();
    if (said === '/exit') return;
    if (said === '/clear') {
      conversation.clear();
      screen.forget();
    } else if (said === '/tools') await stoppable(chat, (signal) => listTools(chat, signal));
    else if (said.startsWith('/')) screen.note('There are /tools, /clear and /exit.');
    else if (said !== '') await stoppable(chat, (signal) => conversation.say(said, screen, signal));
  }
}

/** Runs a task that Ctrl-C stops without ending the chat. */
async function stoppable(
  { dialog, screen, signal }: Chat,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { controller, release } = followAbort(signal);
  dialog.onInterrupt = () => controller.abort();
  await work(controller.signal);
  if (controller.signal.aborted) screen.note('(stopped)');
  dialog.onInterrupt = undefined;
  release();
}

async function listTools({ provider, screen }: Chat, signal: AbortSignal): Promise<void> {
  try {
    const tools = await raceAbort(provider.listTools(), signal);
    if (tools.length === 0) screen.note('No tools. Add some with --mcp-config FILE.');
    for (const { name, source, readOnly } of tools) screen.note(`${name} (${source}${readOnly ? ', read-only' : ''})`);
  } catch (error) {
    if (!signal.aborted) screen.fail(error);
  }
}

export const chat: Command = { help, run };
