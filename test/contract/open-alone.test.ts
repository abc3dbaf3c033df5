import { describe, it } from 'vitest';
import { OPEN_ALONE } from './open-alone.js';

// Where one of them passes, it is mended: the row becomes a test of its own.
describe('what the API gives and we lose, whatever the stock provider does', () => {
  it.fails.each(OPEN_ALONE.map((row) => [`${row.open}: ${row.what}`, row] as const))('%s', async (_name, { holds }) => {
    await holds();
  });
});
