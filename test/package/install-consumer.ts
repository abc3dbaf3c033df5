import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A project outside the repository that has installed the packed tarball, all versions of `ai`, and TypeScript. */
    consumer: string;
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Packs what would be published and installs it as a user would, into a folder that is thrown away. */
export default function installConsumer(project: TestProject): () => void {
  const consumer = mkdtempSync(join(tmpdir(), 'responses-loop-consumer-'));
  const remove = (): void => rmSync(consumer, { recursive: true, force: true });
  try {
    // The tarball that `runtimes`, `frameworks` and `shape` have, too; `npm run test:packed` has built already.
    execFileSync(process.execPath, ['.ci/pack.mjs'], { cwd: root, stdio: 'inherit' });
    cpSync(join(root, 'node_modules/.cache/package.tgz'), join(consumer, 'responses-loop.tgz'));
    writeFileSync(join(consumer, 'package.json'), JSON.stringify(consumerManifest('responses-loop.tgz'), undefined, 2));
    // Our lock file as a starting point: the versions tested here, mostly from npm's cache.
    cpSync(join(root, 'package-lock.json'), join(consumer, 'package-lock.json'));
    cpSync(join(root, 'test/package/consumer'), consumer, { recursive: true });
    npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], consumer);
  } catch (error) {
    remove();
    throw error;
  }
  project.provide('consumer', consumer);
  return remove;
}

function consumerManifest(tarball: string): object {
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string } | undefined>;
  };
  const versionOf = (name: string): string => locked.packages[`node_modules/${name}`]?.version ?? '*';
  const others = ['ai', 'typescript', '@types/node'].map((name) => [name, versionOf(name)]);
  const sdks = JSON.parse(readFileSync(join(root, 'test/sdks/package.json'), 'utf8')) as {
    dependencies: Record<string, string | undefined>;
  };
  const later = ['ai-6', 'ai-7'].map((alias) => [alias, sdks.dependencies[alias]]);
  return {
    name: 'consumer',
    private: true,
    dependencies: { 'responses-loop': `file:./${tarball}`, ...Object.fromEntries([...others, ...later]) },
  };
}

function npm(args: readonly string[], cwd: string): void {
  const options = { cwd, stdio: 'pipe', encoding: 'utf8', shell: process.platform === 'win32' } as const;
  try {
    execFileSync('npm', args, options);
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    throw new Error(`npm ${args.join(' ')} failed:\n${output}`, { cause: error });
  }
}
