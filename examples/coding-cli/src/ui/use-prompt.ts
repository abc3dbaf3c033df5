import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import { spellText } from 'responses-loop/question';
import { said } from './call-rows.js';
import { writtenArguments, type WrittenPrompt } from './completion/mcp.js';
import type { Controller } from './controller.js';
import { insert, lineOf } from './line-editor.js';
import { pastedText } from './plain-text.js';
import { row, type Row, wrapWhole } from './rows.js';

/** Shows what a server would have said, whole, and puts it into the input: the person sends it, or does not. */
export async function usePrompt(controller: Controller, written: WrittenPrompt): Promise<void> {
  const { engine, model, pastes } = controller;
  const { server, name, rest } = written;
  const prompt = (await engine.view.mcp.prompts()).find((one) => one.server === server && one.name === name);
  if (prompt === undefined)
    return model.notice('warning', `The MCP server ${server} has no prompt ${name}, or is not ready: see /mcp.`);
  const given = writtenArguments(rest, prompt);
  const missing = prompt.arguments.filter((one) => one.isRequired && (given[one.name] ?? '') === '');
  if (missing.length > 0) {
    controller.line = lineOf(`/${server}:${name} ${rest}${missing[0]?.name ?? ''}=`);
    return model.notice('warning', `/${server}:${name} needs ${missing.map((one) => `${one.name}=…`).join(' ')}`);
  }
  try {
    const text = await engine.view.mcp.promptText({ server, name, arguments: given });
    model.print('tool', promptRows(server, text, model.columns));
    controller.line = insert(pastes.shorten(pastedText(text)))(controller.line);
    controller.hint.show("Press Enter to send the server's text, or edit it first");
  } catch (error) {
    model.notice('warning', `${server}: ${spelledLine(error instanceof Error ? error.message : String(error))}`);
  }
}

function promptRows(server: string, text: string, columns: number): Row[] {
  const first: Row = [{ text: '? ', color: 'cyan' }];
  const head: Row = [
    ...said('MCP server '),
    { text: `${spelledLine(server)} `, bold: true },
    ...said('wrote this; nothing is sent yet:'),
  ];
  return [...wrapWhole(head, columns, { first }), ...wrapWhole(row(spellText(text)), columns, { first: row('│ ') })];
}
