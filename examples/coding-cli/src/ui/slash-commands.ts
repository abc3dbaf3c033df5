import type { EventData } from '../protocol/events.js';
import { spelledHunks, spelledLine } from 'responses-loop-example-shared/call-view.js';
import { hunkRows } from './call-rows.js';
import type { Controller } from './controller.js';
import { type Line, lineOf } from './line-editor.js';
import { row, type Row, wrapText, wrapWhole } from './rows.js';
import { plainLine } from './plain-text.js';

interface SlashCommand {
  readonly help: string;
  run(controller: Controller, argument: string): void | Promise<void>;
}

const KEYS = [
  ['Enter', 'sends; Ctrl-J or \\ Enter begins a new line'],
  ['↑ ↓', 'what you said before'],
  ['Esc, Ctrl-C', 'interrupts; Ctrl-C twice, or Ctrl-D on an empty line, leaves'],
] as const;

const COMMANDS: Readonly<Record<string, SlashCommand>> = {
  help: { help: 'commands and keys', run: showHelp },
  status: { help: 'model, approval, sandbox, tokens, session', run: showStatus },
  permissions: { help: 'what is allowed; `/permissions remove RULE`', run: permissions },
  compact: {
    help: 'sums up the conversation, to make room',
    run: (controller) => void controller.submit({ type: 'compact' }),
  },
  undo: { help: 'puts back the files of the last turn', run: (controller) => void controller.submit({ type: 'undo' }) },
  diff: { help: 'what this session has changed', run: showDiff },
  mcp: { help: 'MCP servers', run: showMcp },
  model: { help: 'who answers; `/model NAME` goes on with another', run: changeModel },
  new: { help: 'a new session', run: (controller) => controller.change({}) },
  quit: { help: 'leaves', run: (controller) => controller.leave(0) },
};

const NAMES = Object.keys(COMMANDS);

/** Does what the line says, if it is a command. A path at the beginning of a sentence is none. */
export function runCommand(controller: Controller, text: string): boolean {
  const [, name = '', argument = ''] = /^\/([\w-]*)(?:\s+(.*))?$/s.exec(text) ?? [];
  if (!text.startsWith('/') || /^\/[^\s/]*\//.test(text)) return false;
  const command = COMMANDS[name];
  if (command === undefined) {
    controller.model.notice(
      'warning',
      `There is no command ${plainLine(text.split(/\s/)[0] ?? '')}: /help lists them.`,
    );
    return true;
  }
  void Promise.resolve(command.run(controller, argument.trim())).finally(() => controller.refresh());
  return true;
}

/** The commands that a line may become, while it is written. */
export function suggestedCommands({ text }: Line): readonly (readonly [name: string, help: string])[] {
  if (!/^\/[a-z]*$/.test(text)) return [];
  return NAMES.filter((name) => name.startsWith(text.slice(1))).map((name) => [name, COMMANDS[name]?.help ?? '']);
}

export function completeCommand(line: Line): Line {
  const [first] = suggestedCommands(line);
  return first === undefined ? line : lineOf(`/${first[0]} `);
}

function showHelp({ model }: Controller): void {
  const commands = NAMES.map((name) => [`/${name}`, COMMANDS[name]?.help ?? ''] as const);
  model.print('notice', [...pairs(commands, model.columns), [], ...pairs(KEYS, model.columns)]);
}

function showStatus({ model, engine }: Controller): void {
  const { facts, usage } = model;
  if (facts === undefined) return;
  const tokens =
    usage === undefined
      ? 'none yet'
      : `${usage.total.toLocaleString('en')}: ${usage.input.toLocaleString('en')} in (${usage.cached_input.toLocaleString('en')} cached), ${usage.output.toLocaleString('en')} out`;
  const lines: readonly (readonly [string, string])[] = [
    ['answers', facts.provider],
    ['model', facts.model],
    ['folder', facts.cwd],
    ['approval', facts.approval],
    ['sandbox', facts.sandbox],
    ['commands', isolationText(facts.isolation)],
    ['tools', facts.tools.join(', ')],
    ['tokens', tokens],
    ['context', `${engine.view.contextTokens.toLocaleString('en')} tokens in the last request`],
    ['session', facts.session_id],
    ['kept in', facts.rollout_path],
  ];
  model.print('notice', pairs(lines, model.columns));
}

async function permissions({ model, engine }: Controller, argument: string): Promise<void> {
  const [, removed] = /^remove\s+(.+)$/s.exec(argument) ?? [];
  if (removed !== undefined) {
    const isRemoved = await engine.view.removeRule(removed);
    model.notice(
      isRemoved ? 'info' : 'warning',
      isRemoved ? `Taken back: ${removed}` : `There is no rule “${removed}”.`,
    );
    return;
  }
  model.print('notice', pairs([['commands', isolationText(model.facts?.isolation ?? 'off')]], model.columns));
  const rules = engine.view.rules();
  if (rules.length === 0) {
    model.notice(
      'info',
      'No rules: what is not known to be harmless is asked about. `s` and `a` in a question make one.',
    );
    return;
  }
  const scopes = { session: 'this session', always: 'always here', settings: 'settings' } as const;
  model.print(
    'notice',
    pairs(
      rules.map(({ text, scope }) => [scopes[scope], text]),
      model.columns,
    ),
  );
}

function isolationText(isolation: string): string {
  return isolation.startsWith('off')
    ? `isolation ${isolation}. Nothing of the operating system holds commands back (--sandbox auto, required)`
    : isolation;
}

async function showDiff({ model, engine }: Controller): Promise<void> {
  const files = await engine.view.differences();
  if (files.length === 0) {
    model.notice('info', 'No file was changed by the file tools. What commands have changed is not seen here.');
    return;
  }
  const { columns } = model;
  const rows = files.flatMap(({ name, hunks }) => [
    ...wrapWhole(row(spelledLine(name), { bold: true }), columns),
    ...hunkRows(spelledHunks(hunks), columns, row('  ')),
  ]);
  model.print('notice', rows);
}

function showMcp({ model, engine }: Controller): void {
  if (engine.view.mcpServers.length === 0) {
    model.notice(
      'info',
      'No MCP servers yet: --mcp-config names a file with them, and they start with the first task.',
    );
    return;
  }
  model.print(
    'notice',
    pairs(
      engine.view.mcpServers.map((status) => [status.server, stateOf(status)]),
      model.columns,
    ),
  );
}

function stateOf({ state, tools, message }: EventData<'mcp_status'>): string {
  const parts = [state, tools === undefined ? undefined : `${tools} tools`, message];
  return parts.filter((part) => part !== undefined).join(' · ');
}

function changeModel(controller: Controller, model: string): void | Promise<void> {
  if (model !== '') return controller.change({ model });
  controller.model.notice('info', `${controller.engine.session.provider}. /model NAME goes on with another.`);
}

/** A name and what it says, wrapped beside it. */
function pairs(entries: readonly (readonly [name: string, text: string])[], columns: number): Row[] {
  return entries.flatMap(([name, text]) =>
    wrapText(
      spelledLine(text),
      columns,
      {},
      { first: [{ text: `  ${name.padEnd(12)} `, bold: true }], others: row(' '.repeat(15)) },
    ),
  );
}
