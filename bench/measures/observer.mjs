import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expectSame, PROMPT, readCounting, readModel } from '../support/contenders.mjs';
import { memoryFetch } from '../support/memory-fetch.mjs';
import { atMost, row } from '../support/row.mjs';
import { cpuTime, interleave } from '../support/statistics.mjs';
import { textAnswer, toChunks, words } from '../support/wire.mjs';

const HOME = fileURLToPath(new URL('..', import.meta.url));
const CALLS_OBSERVER = 'if (observer !== undefined) ignoreErrors(() => observer(event()));';
const CALLS = 20;
const DELTAS = 1_000;
const [UNSET, SET, WITHOUT] = ['responses-loop', 'with onEvent', 'without observer code'];

/** Whether a provider that nobody watches pays for being watchable. */
export async function measure({ rounds }) {
  const scratch = await mkdtemp(join(HOME, 'node_modules/.bench-'));
  try {
    return [await compare(scratch, rounds)];
  } finally {
    await rm(scratch, { recursive: true });
  }
}

async function compare(scratch, rounds) {
  const deltas = words(DELTAS);
  const text = deltas.join('');
  const chunks = toChunks(textAnswer(deltas), 2);
  const settings = { fetch: memoryFetch(() => chunks), apiKey: 'sk-bench', baseURL: 'http://127.0.0.1:9/v1' };
  const plain = await bundled(join(scratch, 'plain.mjs'), []);
  const deaf = await bundled(join(scratch, 'deaf.mjs'), [NO_OBSERVER]);
  let events = 0;
  const onEvent = () => {
    events += 1;
  };
  const contenders = [
    contender(UNSET, plain(settings)),
    contender(SET, plain({ ...settings, onEvent })),
    contender(WITHOUT, deaf(settings)),
  ];
  await expectSame(contenders, text);
  if (events === 0) throw new Error('Nothing was observed.');
  const samples = await interleave(contenders, {
    rounds: rounds(40),
    warmUp: 5,
    sample: (one) =>
      cpuTime(async () => {
        for (let call = 0; call < CALLS; call += 1) await readCounting(one, text.length);
      }),
  });
  const medians = samples.medians(1_000 * CALLS);
  const others = `with onEvent: ${medians[SET].toFixed(2)}, without observer code: ${medians[WITHOUT].toFixed(2)}`;
  return row(`a call with ${DELTAS} deltas, without onEvent (${others})`, 'ms CPU', { [UNSET]: medians[UNSET] }, [
    atMost(samples.ratio(UNSET, WITHOUT), 1.03, '× the time without observer code'),
  ]);
}

function contender(name, provider) {
  const model = provider('gpt-5.1');
  return { name, read: (onText) => readModel(model, { prompt: PROMPT }, onText) };
}

/** Made of the sources, so that a module can be taken out; both are bundled alike. */
async function bundled(outfile, plugins) {
  await build({
    entryPoints: [fileURLToPath(new URL('../../src/v3.ts', import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    external: ['#mcp-stdio'],
    plugins,
  });
  const { createResponsesProvider } = await import(pathToFileURL(outfile).href);
  return createResponsesProvider;
}

const NO_OBSERVER = {
  name: 'no observer',
  setup(esbuild) {
    esbuild.onLoad({ filter: /src[\\/]observe[\\/]notify\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const deaf = text.replace(CALLS_OBSERVER, '');
      if (deaf === text)
        throw new Error('observe/notify.ts calls observers in another way: say how in CALLS_OBSERVER.');
      return { contents: deaf, loader: 'ts' };
    });
  },
};
