import { defineConfig } from 'tsup';
import { ENTRIES } from './rolldown.config.js';

/** Declarations only, and for CJS only: `rolldown.config.ts` builds what runs, and hands the same declarations to ESM. */
export default defineConfig({ entry: ENTRIES, format: 'cjs', dts: { only: true } });
