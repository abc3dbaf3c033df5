import { chromium } from './run-chromium.mjs';
import { edgeRuntime } from './run-edge.mjs';
import { runProcess } from './run-process.mjs';
import { workerd } from './run-workerd.mjs';

/**
 * @typedef {object} Job what `consumer/job.mjs` is told
 * @typedef {object} OpenRuntime
 * @property {string} version
 * @property {string} [node] the program, if it is a Node
 * @property {(consumer: { folder: string, alias?: Record<string, string> }, job: Job) => Promise<{ name: string, ok: boolean, error?: string }[]>} run
 * @property {() => Promise<void>} [close]
 *
 * @typedef {object} Runtime
 * @property {string} name
 * @property {boolean} [isFast] needs neither a large download nor much time
 * @property {Record<string, string>} [binaries] its program in `binaries/node_modules`, by platform
 * @property {number} [node] the major, where the AI SDK cares for it
 * @property {boolean} [canStartProcesses]
 * @property {boolean} [mayCompile] code of strings
 * @property {(program?: string) => string | undefined} [missing] why it cannot be run here
 * @property {(program?: string) => Promise<OpenRuntime>} open
 */

/** @type {Runtime[]} */
export const RUNTIMES = [
  {
    name: 'node',
    isFast: true,
    node: Number(process.versions.node.split('.')[0]),
    ...asProcess('Node', []),
    open: () => openProcess('Node', process.execPath, []),
  },
  { name: 'node22', node: 22, binaries: nodeBinaries(22), ...asProcess('Node', []) },
  { name: 'node24', node: 24, binaries: nodeBinaries(24), ...asProcess('Node', []) },
  {
    name: 'bun',
    binaries: {
      'darwin-arm64': '@oven/bun-darwin-aarch64/bin/bun',
      'darwin-x64': '@oven/bun-darwin-x64/bin/bun',
      'linux-arm64': '@oven/bun-linux-aarch64/bin/bun',
      'linux-x64': '@oven/bun-linux-x64/bin/bun',
    },
    ...asProcess('Bun', []),
  },
  {
    name: 'deno',
    binaries: { 'linux-x64': '@deno/linux-x64-glibc/deno' },
    ...asProcess('Deno', ['run', '--allow-all', '--no-remote', '--no-lock']),
  },
  { name: 'workerd', isFast: true, ...workerd },
  { name: 'edge', isFast: true, ...edgeRuntime },
  { name: 'chromium', ...chromium },
];

function nodeBinaries(major) {
  return Object.fromEntries(
    ['linux-x64', 'linux-arm64'].map((platform) => [platform, `node-${major}-${platform}/bin/node`]),
  );
}

function asProcess(title, args) {
  return {
    canStartProcesses: true,
    mayCompile: true,
    open: (program) => openProcess(title, program, args),
  };
}

async function openProcess(title, program, args) {
  const said = await runProcess(program, ['--version'], { cwd: process.cwd() });
  return {
    ...(title === 'Node' ? { node: program } : {}),
    version: `${title} ${/\d+\.\d+\.\d+\S*/.exec(said)?.[0]}`,
    run: async ({ folder: cwd }, job) => {
      const output = await runProcess(program, [...args, 'host-process.mjs', JSON.stringify(job)], { cwd });
      // The AI SDK may have said something before.
      return JSON.parse(output.split('\n').at(-1));
    },
  };
}
