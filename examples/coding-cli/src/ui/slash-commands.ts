import { spelledHunks, spelledLine } from 'responses-loop-example-shared/call-view.js';
import { ownCommandOf } from '../custom/own-command-of.js';
import { hunkRows } from './call-rows.js';
import type { Controller } from './controller.js';
import type { CommandHelp } from './completion/choices.js';
import { EMPTY_LINE, lineOf } from './line-editor.js';
import { costText } from './status-rows.js';
import { row, type Row, wrapText, wrapWhole } from './rows.js';
import { plainLine } from './plain-text.js';
import { writtenPrompt } from './completion/mcp.js';
import { mcp } from './mcp-command.js';
import { usePrompt } from './use-prompt.js';

interface SlashCommand {
  readonly help: string;
  run(controller: Controller, argument: string): void | Promise<void>;
}

const KEYS = [
  ['Enter', 'send; Ctrl-J or \\ Enter starts a new line'],
  ['@', 'name a file, or a resource of an MCP server'],
  ['!', 'run a command yourself; the model reads its output'],
  ['↑ ↓', 'earlier messages; first, take back a message that waits'],
  ['Ctrl-R', 'search your earlier messages'],
  ['Ctrl-V', 'insert the image from the clipboard; you can also drop or name a file'],
  ['Ctrl-G', 'write the message in $VISUAL or $EDITOR; so does Ctrl-X Ctrl-E'],
  ['Shift-Tab', 'switch modes: initial mode, more questions, plan first'],
  ['Ctrl-O', 'print the last folded output in full'],
  ['Esc Esc', 'go back to an earlier message, if nothing runs'],
  ['Esc, Ctrl-C', 'interrupt; Ctrl-C twice, or Ctrl-D on an empty line, exits'],
] as const;

const COMMANDS: Readonly<Record<string, SlashCommand>> = {
  help: { help: 'commands and keys', run: showHelp },
  status: { help: 'model, approval, sandbox, tokens, session', run: showStatus },
  permissions: { help: 'what is allowed; `/permissions remove RULE`', run: permissions },
  plan: { help: 'only read, and present a plan first; `/plan off` ends it', run: plan },
  compact: {
    help: 'summarize the conversation, to make room',
    run: (controller) => void controller.submit({ type: 'compact' }),
  },
  undo: { help: 'restore the files of the last turn', run: (controller) => void controller.submit({ type: 'undo' }) },
  diff: { help: 'what this session has changed', run: showDiff },
  mcp: { help: 'MCP servers: their state; `/mcp login`, `logout SERVER`, `reconnect`', run: mcp },
  model: { help: 'the model; `/model NAME` switches', run: changeModel },
  resume: { help: 'continue an earlier session of this folder', run: resume },
  back: { help: 'go back to an earlier message, as another session', run: back },
  new: { help: 'start a new session', run: (controller) => controller.change({}) },
  clear: { help: 'the same as /new', run: (controller) => controller.change({}) },
  cost: { help: 'tokens of this session, and what they cost by `price`', run: showTokens },
  context: { help: 'tokens in the context of the model', run: showTokens },
  copy: { help: 'copy the last answer', run: copyAnswer },
  theme: { help: 'where the colors come from', run: ({ model }) => model.notice('info', THEME) },
  init: { help: 'let the model write AGENTS.md', run: (controller) => controller.say(INIT) },
  quit: { help: 'exit', run: (controller) => controller.leave(0) },
};

const THEME =
  'The colors are those of your terminal, dark or light: its settings change them. --no-color or NO_COLOR switches them off.';
const NAMES = Object.keys(COMMANDS);
/** Their values are chosen in a list. */
const WITH_VALUES: ReadonlySet<string> = new Set(['model', 'resume', 'back']);

export const COMMAND_HELP: readonly CommandHelp[] = NAMES.map((name) => ({
  name,
  help: COMMANDS[name]?.help ?? '',
  hasValue: WITH_VALUES.has(name),
}));

/** Does what the line says, if it is a command. A path at the beginning of a sentence is none. */
export function runCommand(controller: Controller, text: string): boolean {
  const [, name = '', argument = ''] = /^\/([\w-]*)(?:\s+(.*))?$/s.exec(text) ?? [];
  if (!text.startsWith('/') || /^\/[^\s/]*\//.test(text)) return false;
  const prompt = writtenPrompt(text);
  if (prompt !== undefined) {
    void usePrompt(controller, prompt).finally(() => controller.refresh());
    return true;
  }
  const command = COMMANDS[name];
  const own = command === undefined ? ownCommandOf(text, controller.engine.view.commands()) : undefined;
  if (own !== undefined) {
    controller.submit(own);
    return true;
  }
  if (command === undefined) {
    controller.model.notice(
      'warning',
      `Unknown command ${plainLine(text.split(/\s/)[0] ?? '')}. Type /help for a list.`,
    );
    return true;
  }
  void Promise.resolve(command.run(controller, argument.trim())).finally(() => controller.refresh());
  return true;
}

function showHelp({ model }: Controller): void {
  const commands = NAMES.map((name) => [`/${name}`, COMMANDS[name]?.help ?? ''] as const);
  model.print('notice', [...pairs(commands, model.columns), [], ...pairs(KEYS, model.columns)]);
}

export function showKeys({ model }: Controller): void {
  model.print('notice', pairs(KEYS, model.columns));
}

/** The conversation goes on from before a message, which is in the input again; the session as it was can be resumed. */
async function back(controller: Controller, argument: string): Promise<void> {
  const { model, engine } = controller;
  const [, digits = '', files] = /^(\d+)(?: (keep|restore))?$/.exec(argument) ?? [];
  const message = engine.view.messages().find(({ turn }) => String(turn) === digits);
  if (message === undefined) {
    controller.line = lineOf('/back ');
    if (argument !== '') model.notice('warning', `There is no message ${plainLine(argument)}.`);
    return;
  }
  if (controller.isBusy) return model.notice('warning', 'Something still runs: Esc interrupts it.');
  if (files === undefined && engine.view.changedSince(message.turn).length > 0) {
    controller.line = lineOf(`/back ${digits} `);
    return;
  }
  if (files === 'restore') {
    controller.submit({ type: 'undo', from_turn: message.turn });
    await engine.whenIdle();
  }
  await controller.change({ beforeTurn: message.turn, line: lineOf(message.text) });
}

function showStatus({ model, engine }: Controller): void {
  const { facts } = model;
  if (facts === undefined) return;
  const lines: readonly (readonly [string, string])[] = [
    ['answers', facts.provider],
    ['model', facts.model],
    ['folder', facts.cwd],
    ['mode', facts.mode],
    ['approval', facts.approval],
    ['sandbox', facts.sandbox],
    ['commands', isolationText(facts.isolation)],
    ['tools', facts.tools.join(', ')],
    ...tokenLines({ model, engine }),
    ['session', facts.session_id],
    ['kept in', facts.rollout_path],
  ];
  model.print('notice', pairs(lines, model.columns));
}

async function showTokens({ model, engine }: Controller): Promise<void> {
  const window = await engine.view.contextWindow();
  const held = window === undefined ? 'not known: set contextWindow' : `${window.toLocaleString('en')} tokens`;
  model.print('notice', pairs([...tokenLines({ model, engine }), ['window', held]], model.columns));
}

function tokenLines({ model: { usage, price }, engine }: Pick<Controller, 'model' | 'engine'>): [string, string][] {
  const count = (tokens: number): string => tokens.toLocaleString('en');
  const tokens =
    usage === undefined
      ? 'none yet'
      : `${count(usage.total)}: ${count(usage.input)} in (${count(usage.cached_input)} cached), ${count(usage.output)} out`;
  const cost = costText(usage, price);
  return [
    ['tokens', tokens],
    ['context', `${count(engine.view.contextTokens)} tokens in the last request`],
    ...(cost === undefined ? [] : [['cost', cost.replace('cost ', '')] satisfies [string, string]]),
  ];
}

const INIT =
  'Look at this repository and write AGENTS.md in its root, for agents that work here: how it is built, tested and checked, how its folders are laid out, and its conventions. Keep it short. If the file exists, improve it.';

function copyAnswer({ model, copy }: Controller): void {
  if (model.lastAnswer === '') return model.notice('info', 'There is no answer to copy yet.');
  copy(model.lastAnswer);
  model.notice('info', 'Copied the last answer, if this terminal lets programs write its clipboard (OSC 52).');
}

async function permissions({ model, engine }: Controller, argument: string): Promise<void> {
  const [, removed] = /^remove\s+(.+)$/s.exec(argument) ?? [];
  if (removed !== undefined) {
    const isRemoved = await engine.view.removeRule(removed);
    model.notice(isRemoved ? 'info' : 'warning', isRemoved ? `Removed: ${removed}` : `There is no rule “${removed}”.`);
    return;
  }
  model.print('notice', pairs([['commands', isolationText(model.facts?.isolation ?? 'off')]], model.columns));
  const rules = engine.view.rules();
  if (rules.length === 0) {
    model.notice('info', 'No rules yet. Anything not known to be read-only needs your approval.');
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

/** Words behind it are what to plan. */
function plan(controller: Controller, text: string): void {
  controller.submit({ type: 'set_mode', mode: text === 'off' ? 'work' : 'plan' });
  if (text !== '' && text !== 'off') controller.say(text);
}

function isolationText(isolation: string): string {
  return isolation.startsWith('off')
    ? `isolation ${isolation}: rules are enforced by coder only; --sandbox auto or required adds the operating system's`
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

function changeModel(controller: Controller, model: string): void | Promise<void> {
  if (model !== '') return controller.change({ model });
  controller.line = lineOf('/model ');
  controller.model.notice('info', `${controller.engine.session.provider}. Switch with /model NAME.`);
}

function resume(controller: Controller, prefix: string): void | Promise<void> {
  const { choices, engine } = controller;
  const others = choices.sessions().filter(({ id }) => id !== engine.session.session_id);
  const found = others.find(({ id }) => prefix !== '' && id.startsWith(prefix));
  if (found !== undefined) return controller.change({ resume: found.id });
  controller.line = others.length === 0 ? EMPTY_LINE : lineOf('/resume ');
  const none =
    others.length === 0 ? 'There is no other session of this folder yet.' : `No session begins with “${prefix}”.`;
  if (prefix !== '' || others.length === 0) controller.model.notice('info', none);
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
