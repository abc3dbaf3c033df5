// Asks every server that can be had here, keeps what was seen beside this file, and writes the table of docs/tested-servers.md.
//   npm run compatibility -- [--install] [file …]
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagnose } from '../support/run-doctor.js';
import { PEER_VERSIONS, PEERS, type Row, ROWS } from './start.js';
import { type Kept, pathOf, readKept, tableOf, withTable } from './table.js';

const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
if (process.argv.includes('--install')) install();
for (const row of ROWS.filter(({ file }) => wanted.length === 0 || wanted.includes(file))) await update(row);
const page = 'docs/tested-servers.md';
writeFileSync(page, withTable(readFileSync(page, 'utf8'), tableOf(readKept())));

function install(): void {
  mkdirSync(PEERS, { recursive: true });
  writeFileSync(join(PEERS, 'package.json'), JSON.stringify({ private: true, dependencies: PEER_VERSIONS }));
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: PEERS, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

async function update({ file, title, start }: Row): Promise<void> {
  const server = await start();
  if (typeof server === 'string') return say(`${title}: as it was; ${server}`);
  try {
    const { looksLike, result, profile, points } = await diagnose(server.baseURL, server.args);
    const kept: Kept = {
      title,
      looksLike,
      result,
      profile: profile?.name ?? null,
      points: points.map(({ name, verdict, detail }) => ({ name, verdict, detail: steady(detail) })),
    };
    writeFileSync(pathOf(file), `${JSON.stringify(kept, undefined, 2)}\n`);
    say(`${title}: ${result}`);
  } finally {
    await server.stop();
  }
}

/** Times are others each time. */
function steady(detail: string): string {
  return detail.replaceAll(/\d+ ms/g, 'N ms').replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
