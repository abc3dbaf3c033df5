import { configureGlobal } from 'fast-check';

const SEED = process.env['FC_SEED'] ?? '1';

// The same commit says the same in every run. `FC_SEED=7` draws other examples, `FC_SEED=random` new ones each time.
if (SEED !== 'random') configureGlobal({ seed: Number(SEED) });
