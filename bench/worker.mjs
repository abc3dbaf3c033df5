// Measures one thing in a process of its own and prints its rows as JSON.
process.env.AI_SDK_LOG_WARNINGS = 'false';
globalThis.AI_SDK_LOG_WARNINGS = false;

const [name, mode] = process.argv.slice(2);
const isQuick = mode === '--quick';
const { measure } = await import(`./measures/${name}.mjs`);
const rows = await measure({ isQuick, rounds: (count) => (isQuick ? Math.max(3, Math.ceil(count / 5)) : count) });
process.stdout.write(`${JSON.stringify(rows)}\n`, () => process.exit(0));
