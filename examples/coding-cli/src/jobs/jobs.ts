/** What runs in a thread of its own: see `run.ts`. */
export { viewFile } from '../files/read-lines.js';
export { changeText } from './change-text.js';
export { findFiles } from './find-files.js';
export { listTree } from './list-tree.js';
export { patchFile } from './patch-file.js';
