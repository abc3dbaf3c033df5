import { splitEverywhere } from './split-everywhere.js';

await splitEverywhere('hand-written');
