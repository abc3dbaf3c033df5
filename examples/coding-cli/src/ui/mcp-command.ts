import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import type { EventData } from '../protocol/events.js';
import type { Controller } from './controller.js';
import { lineOf } from './line-editor.js';
import { type Row, wrapText, wrapWhole } from './rows.js';

const SIGN_IN_MS = 300_000;

type Action = (controller: Controller, server: string) => void | Promise<void>;

/** What is done with a server; it takes effect with the next session, which is this conversation with its servers opened again. */
const ACTIONS: Readonly<Record<string, Action>> = {
  login: async (controller, server) => {
    const signal = AbortSignal.timeout(SIGN_IN_MS);
    const done = await controller.signIns.signIn(server, { signal, say: (text) => showPage(controller, text) });
    controller.model.notice('info', done);
    await reconnect(controller);
  },
  logout: async (controller, server) => {
    controller.model.notice('info', await controller.signIns.signOut(server));
    await reconnect(controller);
  },
  reconnect: (controller) => reconnect(controller),
};

export async function mcp(controller: Controller, argument: string): Promise<void> {
  const { model, engine } = controller;
  const [name = '', server = ''] = argument.split(/\s+/);
  if (name === '') return showServers(controller);
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  const isKnown = engine.view.mcpServers.some((one) => one.server === server);
  if (action === undefined || (name !== 'reconnect' && !isKnown)) {
    controller.line = lineOf('/mcp ');
    return model.notice('warning', 'Write /mcp, /mcp login SERVER, /mcp logout SERVER or /mcp reconnect.');
  }
  try {
    await action(controller, server);
  } catch (error) {
    model.notice('warning', spelledLine(error instanceof Error ? error.message : String(error)));
  }
}

async function reconnect(controller: Controller): Promise<void> {
  const { model, engine, isBusy } = controller;
  if (isBusy)
    return model.notice('info', 'Something still runs: /mcp reconnect, once it is over, opens the servers again.');
  await controller.change({ model: engine.session.model });
}

/** The address is one link, however many rows it takes. */
function showPage(controller: Controller, text: string): void {
  const { model } = controller;
  const rows = text.split('\n').flatMap((line): Row[] => {
    const shown = spelledLine(line);
    return wrapWhole([{ text: shown, ...(URL.canParse(line) && { link: new URL(line).href }) }], model.columns);
  });
  model.print('notice', rows);
  controller.refresh();
}

function showServers({ model, engine }: Controller): void {
  const { mcpServers } = engine.view;
  if (mcpServers.length === 0) {
    const none = 'No MCP servers yet: --mcp-config names a file with them, and they start with the first task.';
    return model.notice('info', none);
  }
  const rows = mcpServers.flatMap((status) => {
    const first: Row = [{ text: `  ${spelledLine(status.server).padEnd(12)} `, bold: true }];
    return wrapText(spelledLine(stateOf(status)), model.columns, {}, { first, others: [{ text: ' '.repeat(15) }] });
  });
  model.print('notice', rows);
}

function stateOf({ state, tools, message }: EventData<'mcp_status'>): string {
  const parts = [state, tools === undefined ? undefined : `${tools} tools`, message];
  return parts.filter((part) => part !== undefined).join(' · ');
}
