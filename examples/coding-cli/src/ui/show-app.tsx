import { render } from 'ink';
import { App } from './app.js';
import { Controller } from './controller.js';
import { press } from './key-bindings.js';
import { editText } from './external-editor.js';
import { readKeys } from './keys.js';
import type { InteractiveOptions } from './options.js';
import { Terminal } from './terminal.js';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** Not everything could be written to disk. */
const NOT_KEPT = 1;
const FRAMES_PER_SECOND = 60;
/** What was typed too early is erased; it is read all the same. */
const START_OF_LINE = '\r\u001B[2K';

/** Draws the app on the terminal of this process, until the person leaves or a signal comes. */
export async function showApp(options: InteractiveOptions): Promise<number> {
  let leave: (exitCode: number) => void = () => {};
  const left = new Promise<number>((resolve) => {
    leave = resolve;
  });
  const terminal = new Terminal(process.stdout, () => controller.leave(SIGNALS.SIGHUP));
  const size = (): { columns: number; height: number } => ({ columns: terminal.columns, height: terminal.height });
  const copy = (text: string): void => {
    terminal.write(`\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  };
  const write = (sequence: string): void => void (sequence !== '' && terminal.write(sequence));
  const edit = async (text: string): Promise<string> => {
    stopKeys();
    try {
      return await editText(text, process.env);
    } finally {
      stopKeys = startKeys();
    }
  };
  const controller = new Controller({ ...options, size, copy, edit, write, onLeave: leave });
  const startKeys = (): (() => void) => readKeys(process.stdin, terminal, (key) => press(controller, key));
  const stopListening = listen((code) => {
    // Ctrl-C is for the editor that has the terminal.
    if (controller.isHeld && code === SIGNALS.SIGINT) return;
    // A second signal does not wait for what is being closed. A terminal that is closed says so more than once.
    if (controller.isLeaving && code !== SIGNALS.SIGHUP) process.exit(code);
    controller.leave(code);
  });
  terminal.on('resize', () => controller.resized());
  // Before anything is drawn: until then the terminal itself shows what is typed, wherever its cursor is.
  let stopKeys = startKeys();
  terminal.write(START_OF_LINE);
  controller.start(options.prompt);
  const ink = render(<App controller={controller} hasColor={options.color} height={() => terminal.height} />, {
    stdout: terminal as unknown as NodeJS.WriteStream,
    exitOnCtrlC: false,
    maxFps: FRAMES_PER_SECOND,
  });
  const exitCode = await left;
  stopKeys();
  ink.unmount();
  terminal.release();
  await controller.engine.close();
  stopListening();
  const { engine, model } = controller;
  // Where nothing was said there is nothing to go on with.
  if (model.turns > 0 || engine.session.resumed) terminal.write(`coder resume ${engine.session.session_id}\n`);
  return exitCode === 0 && !engine.isKept ? NOT_KEPT : exitCode;
}

/** Signals, and a terminal that goes away. */
function listen(onEnd: (exitCode: number) => void): () => void {
  const listeners = Object.entries(SIGNALS).map(([signal, code]) => [signal, () => onEnd(code)] as const);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  const onGone = (): void => onEnd(SIGNALS.SIGHUP);
  process.stdin.on('end', onGone).on('error', onGone);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
    process.stdin.off('end', onGone);
  };
}
