// A client that watches a loop: it may lose its connection at any time, and ends with the whole message all the same.
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 50;

/**
 * Reads a loop's parts from whichever process has it, until the end. What came after the last marker is dropped with the
 * connection: the round may be asked again, and then has other words and other calls.
 */
export async function watch(urls, loop, { signal, leaves = () => false }) {
  const rounds = [];
  let lost = 0;
  for (let turn = 0; !signal.aborted; turn += 1) {
    const from = Math.max(0, rounds.length - 1);
    rounds.length = from;
    const url = `${urls[turn % urls.length]}/${loop}?round=${from}`;
    const how = await readFrom(url, rounds, { signal, leaves });
    if (how === 'ended') return { ...messageOf(rounds), lost };
    if (how === 'lost') lost += 1;
    await sleep(PAUSE_MS);
  }
  throw signal.reason;
}

/** `absent`: there was nothing to read. */
async function readFrom(url, rounds, { signal, leaves }) {
  let how = 'absent';
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) return how;
    how = 'lost';
    let rest = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const frames = (rest + chunk).split('\n\n');
      rest = frames.pop();
      for (const frame of frames) {
        const { round, part, end } = JSON.parse(frame.slice('data: '.length));
        if (end) return 'ended';
        if (round !== undefined) rounds.push([]);
        else rounds.at(-1)?.push(part);
      }
      if (leaves()) return how;
    }
  } catch {
    // The process died, or is not there yet.
  }
  return how;
}

function messageOf(rounds) {
  const parts = rounds.flat();
  return {
    text: parts.flatMap(({ type, delta }) => (type === 'text-delta' ? [delta] : [])).join(''),
    calls: parts.flatMap(({ type, toolCallId }) => (type === 'tool-result' ? [toolCallId] : [])),
  };
}
