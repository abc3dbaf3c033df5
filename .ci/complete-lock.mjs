// Run after `npm install` changed the lock file on a machine whose registry mirror lacks other platforms' binaries.
// npm then leaves those optional packages out, and `npm ci` refuses the lock file ("Missing: … from lock file").
// Their versions are pinned by the packages that want them, so they can be written down without being fetched.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const OS = /\b(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)\b/;
const CPU = /\b(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|wasm32|x64)\b/;
const LIBC = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const added = [];
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    const os = OS.exec(name)?.[0];
    const cpu = CPU.exec(name)?.[0];
    if (lock.packages[path] !== undefined || !/^\d/.test(version) || os === undefined) continue;
    const libc = LIBC[/(gnu|musl)(eabihf)?$/.exec(name)?.[0]];
    lock.packages[path] = {
      version,
      ...(cpu === undefined ? {} : { cpu: [cpu] }),
      ...(parent.dev === true ? { dev: true } : {}),
      ...(os === 'linux' && libc !== undefined ? { libc: [libc] } : {}),
      optional: true,
      os: [os],
    };
    added.push(name);
  }
}

if (added.length > 0) {
  writeFileSync('package-lock.json', `${JSON.stringify(lock, undefined, 2)}\n`);
  // npm puts the entries in its own order.
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { stdio: 'inherit' });
}
console.log(`${added.length} packages added to package-lock.json`);
