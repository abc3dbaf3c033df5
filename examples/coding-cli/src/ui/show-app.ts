import { format } from 'node:util';
import { Controller } from './controller.js';
import { editText } from './external-editor.js';
import { frameRows } from './frame-rows.js';
import { press } from './key-bindings.js';
import { type Key, readKeys, waitingKeysRead } from './keys.js';
import type { InteractiveOptions } from './options.js';
import { Painter } from './painter.js';
import { Terminal } from './terminal.js';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** Not everything could be written to disk. */
const NOT_KEPT = 1;
/** What was typed too early is erased; it is read all the same. */
const START_OF_LINE = '\r\u001B[2K';

/**
 * The screen, until the person leaves or a signal ends it. Closes the engine, and leaves the terminal as it was, with the
 * line that brings the session back.
 *
 * @returns the exit code: 0, or 128 and the number of the signal.
 */
export async function showApp(options: InteractiveOptions): Promise<number> {
  let leave: (exitCode: number) => void = () => {};
  const left = new Promise<number>((resolve) => {
    leave = resolve;
  });
  const terminal = new Terminal(process.stdout, () => controller.leave(SIGNALS.SIGHUP));
  const copy = (text: string): void => {
    terminal.write(`\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  };
  const edit = async (text: string): Promise<string> => {
    stopKeys();
    try {
      return await editText(text, process.env);
    } finally {
      stopKeys = startKeys();
    }
  };
  const controller = new Controller({
    ...options,
    size: () => terminal.size,
    copy,
    edit,
    write: terminal.write,
    onLeave: leave,
  });
  const waiting: Key[] = [];
  let onKey = (key: Key): void => void waiting.push(key);
  const startKeys = (): (() => void) => readKeys(process.stdin, terminal, (key) => onKey(key));
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
  // Whoever sees the frame and types is not early.
  await waitingKeysRead();
  terminal.write(START_OF_LINE);
  const stopDrawing = drawChanges(controller, terminal, options.color);
  const freeConsole = takeConsole((text) => controller.model.notice('warning', text));
  controller.start(options.prompt);
  onKey = (key) => press(controller, key);
  waiting.forEach(onKey);
  const exitCode = await left;
  stopKeys();
  stopDrawing();
  freeConsole();
  terminal.release();
  await controller.engine.close();
  stopListening();
  const { engine, model } = controller;
  // Where nothing was said there is nothing to go on with.
  if (model.turns > 0 || engine.session.resumed) terminal.write(`coder resume ${engine.session.session_id}\n`);
  return exitCode === 0 && !engine.isKept ? NOT_KEPT : exitCode;
}

/** Draws once for all that changes in one go, such as keys that come together. Returns what draws the last time. */
function drawChanges(controller: Controller, terminal: Terminal, hasColor: boolean): () => void {
  const painter = new Painter(terminal, { hasColor });
  let isDue = false;
  const draw = (): void => {
    isDue = false;
    if (controller.isHeld) return;
    const { asked } = controller;
    const { live, bottom, status } = frameRows(controller, { height: terminal.size.height, now: Date.now() });
    painter.paint(controller.model.takeRows(), controller.isLeaving ? [] : [...live, ...bottom, status]);
    controller.answers.drawn(asked);
  };
  const stop = controller.subscribe(() => {
    if (!isDue) queueMicrotask(draw);
    isDue = true;
  });
  return () => {
    stop();
    draw();
  };
}

/** What a library says would stand in the middle of the frame. */
function takeConsole(print: (text: string) => void): () => void {
  const own = { ...console };
  const say = (...parts: unknown[]): void => print(format(...parts));
  Object.assign(console, { log: say, info: say, warn: say, error: say });
  return () => void Object.assign(console, own);
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
