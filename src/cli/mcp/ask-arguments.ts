import type { ToolArguments } from '../../core/tool.js';
import type { LoopTool } from '../../tools/loop-tool.js';
import { checkArguments } from '../../tools/schema/check-arguments.js';
import { showControls } from '../../util/control-characters.js';
import { parseJson } from '../../util/json.js';
import { Dialog } from '../chat/dialog.js';
import type { Terminal } from '../command.js';
import { type Parameter, parameterLine, parametersOf } from './parameters.js';

/** Whether the user can be asked for the arguments of a call. */
export function canAsk({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks the user for each argument. Returns `undefined` if the user leaves. */
export async function askArguments({ declaration }: LoopTool, terminal: Terminal): Promise<ToolArguments | undefined> {
  const { inputSchema } = declaration;
  const parameters = parametersOf(inputSchema);
  if (parameters.length === 0) return {};
  const dialog = new Dialog(terminal);
  try {
    const given: Record<string, unknown> = {};
    for (const parameter of parameters) {
      terminal.stderr.write(showControls(`\n${parameterLine(parameter)}\n`));
      const value = await askFor(parameter, { dialog, terminal, document: inputSchema });
      if (value === LEFT) return undefined;
      if (value !== ABSENT) given[parameter.name] = value;
    }
    // Each value was parsed from JSON, or is a string.
    return given as ToolArguments;
  } finally {
    dialog.close();
  }
}

const LEFT = Symbol('left');
const ABSENT = Symbol('absent');

interface Asking {
  readonly dialog: Dialog;
  readonly terminal: Terminal;
  readonly document: unknown;
}

async function askFor(
  { name, schema, isRequired }: Parameter,
  { dialog, terminal, document }: Asking,
): Promise<unknown> {
  const prompt = showControls(`${name}${isRequired ? '' : ' (Enter leaves it out)'}: `);
  for (;;) {
    const line = await dialog.answer(prompt, terminal.signal);
    if (line === undefined) return LEFT;
    if (line === '' && !isRequired) return ABSENT;
    const { value, issue } = readValue(line, schema, document);
    if (issue === undefined) return value;
    terminal.stderr.write(showControls(`  ${issue}\n`));
  }
}

/** Reads a line as JSON if that fits, else as a string, which needs no quotes. */
export function readValue(
  line: string,
  schema: unknown,
  document: unknown,
): { readonly value?: unknown; readonly issue?: string } {
  const json = parseJson(line.trim());
  const values = json === undefined || typeof json === 'string' ? [line, json] : [json, line];
  const tried = values
    .filter((value) => value !== undefined)
    .map((value) => ({ value, issues: checkArguments(schema, value, document) }));
  const fitting = tried.find(({ issues }) => issues.length === 0);
  if (fitting !== undefined) return { value: fitting.value };
  const [{ path, message } = { path: [], message: 'does not fit' }] = tried[0]?.issues ?? [];
  return { issue: path.length === 0 ? `This ${message}.` : `${path.join('.')}: ${message}.` };
}
