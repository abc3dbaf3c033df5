import { builtinModules } from 'node:module';
import { build } from 'esbuild';

/** The program, and what a bundler for the runtime sets. */
const TARGETS = {
  workerd: { entry: 'host-worker.mjs', format: 'esm', conditions: ['workerd', 'worker', 'browser'] },
  edge: { entry: 'host-edge.mjs', format: 'iife', conditions: ['edge-light', 'worker', 'browser'] },
  page: { entry: 'host-page.mjs', format: 'iife', conditions: ['browser'] },
};

/** Some bundlers set `node` whatever the target is: everything has to work all the same. */
const VARIANTS = [
  { title: '', added: [], stdio: 'mcp-stdio-stub.js' },
  { title: 'bundled as if for Node: ', added: ['node'], stdio: 'mcp-stdio-node.js' },
];

/** Runs the job from a bundle as it should be, and from one that was made for Node by mistake. */
export async function runBundles({ folder, alias }, target, run) {
  const results = [];
  for (const { title, added, stdio } of VARIANTS) {
    const { script, inputs } = await bundle(folder, { ...TARGETS[target], added, alias });
    const found = inputs.map((path) => path.split('/').at(-1)).filter((name) => name.startsWith('mcp-stdio-'));
    const isForNode = added.length > 0;
    results.push(
      { name: `${title}the bundle holds ${stdio}`, ok: found.join() === stdio, error: found.join() },
      ...(await run(script, { isForNode })).map((result) => ({ ...result, name: `${title}${result.name}` })),
    );
  }
  return results;
}

async function bundle(folder, { entry, format, conditions, added, alias = {} }) {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${folder}/${entry}`],
    absWorkingDir: folder,
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
    target: 'es2022',
    platform: 'browser',
    format,
    conditions: [...conditions, ...added],
    external: ['node:*', ...builtinModules],
    alias,
  });
  return { script: outputFiles[0].text, inputs: Object.keys(metafile.inputs) };
}
