// What is done to the loops. Each scenario answers with a row of the table.
import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from './watch.mjs';

/** About what a loop takes when nothing disturbs it. */
const LOOP_MS = 900;
const LIMIT_MS = 120_000;

/** Loops one after another, and one kill at a random moment of each; a client watches, and loses its connection too. */
export async function killEach(stage, count) {
  const loops = names('kill', count);
  await stage.workers.start(0);
  const answers = new Map();
  const broken = [];
  let lost = 0;
  for (const loop of loops) {
    const watching = startWatching(stage, loop);
    await stage.submit(loop);
    await sleep(Math.random() * LOOP_MS);
    await stage.workers.kill(0);
    await stage.workers.start(0);
    answers.set(loop, await stage.result(loop, LIMIT_MS));
    lost += await compare(watching, loop, answers.get(loop), broken);
  }
  await stage.workers.kill(0);
  const row = stage.judge(loops, answers);
  return { what: 'one kill per loop', kills: count, ...row, broken: [...row.broken, ...broken], lost };
}

/** Two workers, many loops at once, and kills of either. */
export async function killCrowd(stage, count, kills) {
  const loops = names('crowd', count);
  await Promise.all([stage.workers.start(0), stage.workers.start(1)]);
  await Promise.all(loops.map((loop) => stage.submit(loop)));
  const answers = collect(stage, loops);
  for (let at = 0; at < kills; at += 1) {
    await sleep(200 + Math.random() * 600);
    const index = Math.random() < 0.5 ? 0 : 1;
    await stage.workers.kill(index);
    await stage.workers.start(index);
  }
  const row = stage.judge(loops, await answers);
  await Promise.all([stage.workers.kill(0), stage.workers.kill(1)]);
  return { what: `${count} loops on two workers`, kills, ...row };
}

/** One of two workers is killed and stays away. */
export async function neverBack(stage, count) {
  const loops = names('gone', count);
  await Promise.all([stage.workers.start(0), stage.workers.start(1)]);
  await Promise.all(loops.map((loop) => stage.submit(loop)));
  const answers = collect(stage, loops);
  await sleep(LOOP_MS / 2);
  await stage.workers.kill(1);
  await stage.takeOver(1);
  const row = stage.judge(loops, await answers);
  await stage.workers.kill(0);
  return { what: 'a worker dies for good', kills: 1, ...row };
}

/** The engine's own server is killed under loops and comes back. */
export async function restartServer(stage, count) {
  const loops = names('server', count);
  await stage.workers.start(0);
  await Promise.all(loops.map((loop) => stage.submit(loop)));
  await sleep(LOOP_MS / 2);
  await stage.restartServer();
  const row = stage.judge(loops, await collect(stage, loops));
  await stage.workers.kill(0);
  return { what: "the engine's server is killed and restarted", kills: 1, ...row };
}

/** Loops are cancelled at random moments: they end as cancelled, and nothing follows. */
export async function cancel(stage, count) {
  const loops = names('cancel', count);
  await stage.workers.start(0);
  const broken = [];
  let cancelled = 0;
  let finished = 0;
  for (const loop of loops) {
    await stage.submit(loop);
    await sleep(50 + Math.random() * LOOP_MS * 0.7);
    await stage.cancel(loop);
    const before = stage.seen(loop);
    const answer = await stage.result(loop, LIMIT_MS);
    await sleep(400);
    const after = stage.seen(loop);
    if (answer.cancelled) cancelled += 1;
    // It was faster.
    if (answer.cancelled || answer.text !== undefined) finished += 1;
    else broken.push(`${loop} did not end as cancelled: ${JSON.stringify(answer).slice(0, 200)}`);
    // What ran when the engine was asked may end; a step that was under way may have had another one behind it.
    if (answer.cancelled && after.requests - before.requests > 1)
      broken.push(`${loop}: ${after.requests - before.requests} requests after it was cancelled`);
    if (answer.cancelled && after.runs - before.runs > 2)
      broken.push(`${loop}: ${after.runs - before.runs} runs after it was cancelled`);
  }
  await stage.workers.kill(0);
  const row = stage.judge([], new Map());
  return {
    what: `loops are cancelled at random moments (${cancelled} of ${count} were still running when cancelled)`,
    kills: 0,
    ...row,
    loops: count,
    finished,
    broken,
  };
}

async function collect(stage, loops) {
  return new Map(await Promise.all(loops.map(async (loop) => [loop, await stage.result(loop, LIMIT_MS)])));
}

function startWatching(stage, loop) {
  const ends = new AbortController();
  const leaves = () => Math.random() < 0.02;
  const message = watch(stage.workers.partsUrls.slice(0, 1), loop, { signal: ends.signal, leaves });
  message.catch(() => {});
  return { message, ends };
}

/** What the client has in the end is what the loop answered. */
async function compare({ message, ends }, loop, answer, broken) {
  const timer = setTimeout(() => ends.abort(new Error('the client never saw the end')), 10_000);
  try {
    const { text, calls, lost } = await message;
    const isSame =
      text === answer.text &&
      JSON.stringify(calls.toSorted()) === JSON.stringify(answer.calls.map(({ callId }) => callId).toSorted());
    if (!isSame)
      broken.push(`${loop}: the client has ${JSON.stringify({ text, calls })}, the loop ${JSON.stringify(answer)}`);
    return lost;
  } catch (error) {
    broken.push(`${loop}: ${error.message}`);
    return 0;
  } finally {
    clearTimeout(timer);
  }
}

let series = 0;

/** Never the same twice: an engine knows its loops by their names. */
function names(kind, count) {
  series += 1;
  return Array.from({ length: count }, (_, at) => `${kind}${series}-${at}`);
}
