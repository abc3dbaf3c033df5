import { Miniflare, supportedCompatibilityDate } from 'miniflare';
import { version } from 'workerd';
import { runBundles } from './bundle.mjs';

/** Cloudflare's runtime itself; miniflare only starts it. */
export const workerd = {
  open: async () => ({
    version: `workerd ${version}`,
    run: (consumer, job) =>
      runBundles(consumer, 'workerd', async (script, { isForNode }) => {
        const miniflare = new Miniflare({
          modules: [{ type: 'ESModule', path: 'worker.mjs', contents: script }],
          compatibilityDate: supportedCompatibilityDate,
          // Without it workerd refuses any script that names a module of Node.
          compatibilityFlags: isForNode ? ['nodejs_compat'] : [],
        });
        try {
          const response = await miniflare.dispatchFetch('http://worker/', {
            method: 'POST',
            body: JSON.stringify(job),
          });
          return await response.json();
        } finally {
          await miniflare.dispose();
        }
      }),
  }),
};
