import { fileURLToPath } from 'node:url';
import { type AliasOptions, build } from 'vite';

/** Bundles the page, as Next.js does by itself. Default: to where `server/serve.ts` looks for it. */
export async function buildPage(outDir = 'node_modules/.cache/page', alias: AliasOptions = {}): Promise<void> {
  await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    // One copy of each, even if a package brings another one.
    resolve: { alias, dedupe: ['ai', 'react', 'react-dom'] },
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: { outDir, emptyOutDir: true, reportCompressedSize: false },
  });
}
