// The program with a browser that takes one address of loopback for the public web: a setting of code, which no flag has.
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

register({ tsconfig: fileURLToPath(new URL('../../../tsconfig.package.json', import.meta.url)) });
await import('../../src/cli/signals.ts');
const { runProgram } = await import('../../src/cli/program.ts');
globalThis.AI_SDK_LOG_WARNINGS = false;
await runProgram(process.argv.slice(2), {
  browserRules: {
    isAllowed: (address) => address === '127.0.0.1',
    lookup: async (host) => (host.endsWith('.test') ? [{ address: '127.0.0.1', family: 4 }] : []),
  },
});
setTimeout(() => process.exit(), 1_000).unref();
