import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A program of `examples`, bundled as for Workers. `external`: the modules that the Worker's flags bring. */
export async function bundleWorker(entry, external = []) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../examples/${entry}`, import.meta.url))],
    bundle: true,
    write: false,
    logLevel: 'silent',
    target: 'es2022',
    platform: 'browser',
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external,
    // The root's own leads `#mcp-stdio` to the sources of the package.
    tsconfig: fileURLToPath(new URL('../../examples/tsconfig.package.json', import.meta.url)),
  });
  return outputFiles[0].text;
}
