import assert from 'node:assert/strict';

const TIME_LIMIT_MS = 30_000;

/** Runs what is checked, one after the other, and prints what came of each. The process then ends, with a code that says it. */
export async function scenarios(checks) {
  let failed = 0;
  for (const [name, check] of Object.entries(checks)) {
    try {
      const said = await withinTime(check());
      console.log(`ok      ${name}${said === undefined ? '' : `: ${said}`}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}: ${error.stack}`);
    }
  }
  return failed;
}

/** The answer of a model that quotes what it was sent. */
export function says(answer, expected) {
  assert.equal(answer.trim(), expected);
  return answer.trim();
}

export const OURS = 'Echo: duck';
export const MIXED = 'Echo: duck, sunny in Oslo';
export const MIXED_HISTORY = 'echo = Echo: duck, weather = sunny in Oslo';

function withinTime(work) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It has not ended within ${TIME_LIMIT_MS} ms.`)), TIME_LIMIT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
