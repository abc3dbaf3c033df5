import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedRequest } from 'responses-loop/testing';
import { bash, type OpenCoder, scripted, text } from './open-coder.js';

const PROBE = new URL('heap-probe.mjs', import.meta.url).href;
/** Characters of a turn: what the model says, and what its command prints. */
const SAID = 'words and more words '.repeat(150);
const PRINTED = 8_000;
/** The conversation becomes full, and is made shorter, about every sixth turn. */
const WINDOW = 20_000;

/** Variables of a program whose held bytes can be asked for. */
export function heapEnv(folder: string) {
  return { NODE_OPTIONS: `--import ${PROBE}`, HEAP_FILE: join(folder, 'heap'), CODER_CONTEXT_WINDOW: String(WINDOW) };
}

/** Bytes that the program holds once garbage is collected. */
export async function heldBytes({ terminal }: OpenCoder, folder: string): Promise<number> {
  const file = join(folder, 'heap');
  rmSync(file, { force: true });
  terminal.kill('SIGUSR2');
  await terminal.until(() => existsSync(file) && readFileSync(file, 'utf8') !== '', 'the bytes that are held');
  return Number(readFileSync(file, 'utf8'));
}

/** A model that runs a command in each turn and says much; it counts tokens, and summarizes if it is asked to. */
export function talkativeModel() {
  return scripted((_, { input }) => {
    const total = Math.ceil(JSON.stringify(input).length / 4);
    const usage = { input_tokens: total - 100, output_tokens: 100, total_tokens: total };
    return { ...answerTo(input), usage };
  });
}

function answerTo(input: ScriptedRequest['input']) {
  const last = JSON.stringify(input.at(-1));
  if (last.includes('Summarize our conversation')) return text('They go on and on.');
  if (input.at(-1)?.['type'] !== 'function_call_output') return bash(`head -c ${PRINTED} long.txt`);
  const [, turn = ''] = /go (\d+)/.exec(JSON.stringify(input.findLast((item) => item['role'] === 'user'))) ?? [];
  return text(`${SAID} Answer-${turn}.`);
}

/** Says `go N` for each turn from one to another, and waits for each answer. */
export async function talk({ terminal }: OpenCoder, from: number, to: number): Promise<void> {
  for (let turn = from; turn <= to; turn += 1) {
    terminal.write(`go ${turn}`);
    await terminal.shows((screen) => screen.includes(`› go ${turn}`));
    terminal.write('\r');
    await terminal.shows((screen) => screen.includes(`Answer-${turn}.`) && screen.includes('Ask anything'));
  }
}
