import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { readSchemaFile } from 'responses-loop-example-shared/schema-file.js';
import { readImage } from '../attach/image-file.js';
import { ownCommandOf } from '../custom/own-command-of.js';
import type { Engine } from '../engine/engine.js';
import type { EventData } from '../protocol/events.js';
import { SessionLockedError } from '../rollout/lock.js';
import { CommandError, EXIT, type ExitCode } from './exit-codes.js';
import { printLocked } from './locked-events.js';
import { openEngine } from './open-engine.js';
import type { GlobalOptions, SessionChoice } from './options.js';
import { say, write, writeJsonLine } from './say.js';
import { onStopSignals } from './signals.js';
import { onPipeClosed } from './stdout-gone.js';
import { linesOfSources } from '../web-search/sources.js';
import { isProblem, showBeside } from './show-beside.js';

export interface ExecOptions extends GlobalOptions, SessionChoice {
  readonly json?: boolean;
  readonly outputLastMessage?: string;
  readonly outputSchema?: string;
  readonly image?: readonly string[];
}

/** One task, without anybody to ask. */
export async function exec(given: string, options: ExecOptions): Promise<ExitCode> {
  const text = given === '-' ? await readAll(process.stdin) : given;
  if (text.trim() === '') throw new CommandError(EXIT.usage, 'There is nothing to do: the prompt is empty.');
  const { resume, last, outputSchema } = options;
  const schema = outputSchema === undefined ? undefined : readSchemaFile(outputSchema, '--output-schema');
  const images = await Promise.all((options.image ?? []).map(imagePath));
  let engine: Engine;
  try {
    engine = await openEngine(options, { isHeadless: true, resume, last, outputSchema: schema });
  } catch (error) {
    if (options.json === true && error instanceof SessionLockedError) printLocked(error);
    throw error;
  }
  const gone = onPipeClosed(() => void engine.close());
  const signals = onStopSignals((signal) => {
    if (signal !== 'SIGINT') return void engine.close();
    engine.submit({ id: 's2', op: { type: 'interrupt' } });
  });
  try {
    const own = ownCommandOf(text, engine.view.commands());
    if (own !== undefined && images.length > 0) {
      await engine.close();
      throw new CommandError(EXIT.usage, `--image: /${own.name} is one of your own commands, which take no images.`);
    }
    const op = own ?? { type: 'user_input' as const, text, ...(images.length > 0 && { images }) };
    engine.submit({ id: 's1', op });
    const code = await follow(engine, options, gone.signal);
    if (gone.signal.aborted) return EXIT.pipeClosed;
    if (signals.code !== undefined) return signals.code;
    return engine.isKept || (code !== EXIT.done && code !== EXIT.denied) ? code : EXIT.taskFailed;
  } finally {
    signals.end();
    gone.end();
  }
}

/** Prints what comes until the task is over. */
async function follow(engine: Engine, options: ExecOptions, gone: AbortSignal): Promise<ExitCode> {
  let code: ExitCode = EXIT.taskFailed;
  let answer = '';
  for await (const event of engine.events) {
    if (options.json === true) await writeJsonLine(event, gone);
    else if (options.quiet !== true || isProblem(event.msg)) showBeside(event.msg);
    const { type, data } = event.msg;
    if (type === 'agent_message') answer = data.text;
    if (type === 'sources' && options.outputSchema === undefined)
      answer = [answer, '', ...linesOfSources(data.sources)].join('\n');
    if (type === 'task_complete') code = data.denials > 0 ? EXIT.denied : EXIT.done;
    if (type === 'turn_aborted') code = ABORTED[data.reason];
    if (type === 'task_complete' || type === 'turn_aborted') void engine.close();
  }
  // At the limit of turns the model was made to answer.
  const isAnswered = code === EXIT.done || code === EXIT.denied || code === EXIT.turnLimit;
  return isAnswered && !(await giveAnswer(answer, options)) ? EXIT.taskFailed : code;
}

type AbortReason = EventData<'turn_aborted'>['reason'];

const ABORTED: Readonly<Record<AbortReason, ExitCode>> = {
  user: EXIT.interrupted,
  shutdown: EXIT.terminated,
  max_turns: EXIT.turnLimit,
  error: EXIT.taskFailed,
};

/** Whether it could be given. */
async function giveAnswer(text: string, { json, outputLastMessage: file }: ExecOptions): Promise<boolean> {
  if (json !== true) write(`${text}\n`);
  if (file === undefined) return true;
  try {
    await writeFile(file, text);
    return true;
  } catch (error) {
    say(`coder: --output-last-message: ${(error as Error).message}`);
    return false;
  }
}

/** What is no image is a mistake of usage. */
async function imagePath(path: string): Promise<string> {
  await readImage(path).catch((error: unknown) => {
    throw new CommandError(EXIT.usage, `--image: ${(error as Error).message}`);
  });
  return resolve(path);
}
