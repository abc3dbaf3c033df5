// Streams megabytes of text to a consumer that keeps nothing, and prints how much the heap has grown by the last delta.
import { textContenders } from '../support/contenders.mjs';
import { memoryFetch } from '../support/memory-fetch.mjs';
import { shapeOf, textDelta, textLead, toSse } from '../support/wire.mjs';

const [name, megabytes, deltaLength] = process.argv.slice(2);
const length = Number(deltaLength);
const count = Math.ceil((Number(megabytes) * 1e6) / length);
const PER_CHUNK = 16;

const shape = shapeOf('openai-one-tool/2.sse');
const encoder = new TextEncoder();

/** Made as it is read, and never the same text twice: neither bytes nor texts may be shared. */
function* chunks() {
  yield encoder.encode(textLead(shape).map(toSse).join(''));
  for (let sent = 0; sent < count; sent += PER_CHUNK) {
    const deltas = Array.from({ length: Math.min(PER_CHUNK, count - sent) }, (_, index) => deltaAt(sent + index));
    yield encoder.encode(deltas.map((delta) => toSse(textDelta(shape, delta))).join(''));
  }
}

const deltaAt = (index) => `${index} `.padEnd(length, 'duck ');

const heapUsed = () => {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};

const [contender] = textContenders({ fetch: memoryFetch(() => chunks()), names: [name] });
const before = heapUsed();
let seen = 0;
let grown;
// The stream breaks off behind the last delta, so every contender ends with an error.
await contender
  .read((delta) => {
    seen += delta.length;
    if (seen === count * length) grown = heapUsed() - before;
  })
  .catch(() => {});
if (grown === undefined) throw new Error(`${name} gave ${seen} characters of ${count * length}`);
console.log(JSON.stringify({ grown, text: seen }));
process.exit(0);
