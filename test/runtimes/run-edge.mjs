import { createRequire } from 'node:module';
import { EdgeRuntime } from 'edge-runtime';
import { runBundles } from './bundle.mjs';

const { version } = createRequire(import.meta.url)('edge-runtime/package.json');

/** Vercel's: a context of this Node with web APIs only. */
export const edgeRuntime = {
  open: async () => ({
    version: `edge-runtime ${version}`,
    run: (consumer, job) =>
      runBundles(consumer, 'edge', async (script) => {
        const runtime = new EdgeRuntime({ initialCode: script });
        const response = await runtime.dispatchFetch('http://edge/', { method: 'POST', body: JSON.stringify(job) });
        return response.json();
      }),
  }),
};
