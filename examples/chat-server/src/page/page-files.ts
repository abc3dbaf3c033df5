import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file of the page, read once: a page that is built anew meanwhile takes nothing away from one that is served. */
export interface PageFile {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** Its name says what is in it, so that it never changes. */
  readonly isLasting: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** By the path a browser asks for. */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const assets = join(folder, 'assets');
  const files = readdirSync(assets).map((name) => [`/assets/${name}`, readPageFile(join(assets, name), true)] as const);
  // Asked for anew each time, since their names do not change with what is in them.
  const plain = [
    ['/', readPageFile(join(folder, 'index.html'), false)],
    ['/theme.js', readPageFile(join(folder, 'theme.js'), false)],
  ] as const;
  return new Map([...files, ...plain]);
}

function readPageFile(path: string, isLasting: boolean): PageFile {
  const body = new Uint8Array(readFileSync(path));
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  return { type, body, gzip: new Uint8Array(gzipSync(body)), isLasting };
}
