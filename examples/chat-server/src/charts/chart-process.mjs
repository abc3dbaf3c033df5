// A process of `run-chart.ts`: reads a specification, draws it, and ends.
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

register({ tsconfig: fileURLToPath(new URL('../../../tsconfig.package.json', import.meta.url)) });

process.once('message', (spec) => void answerTo(spec));

async function answerTo(spec) {
  let answer;
  try {
    const { drawChart } = await import('./draw-chart.ts');
    answer = { svg: await drawChart(spec) };
  } catch (error) {
    answer = { error: String(error?.message ?? error), isBroken: error instanceof TypeError };
  }
  process.send(answer, () => process.exit(0));
}
