// Prints the milliseconds that importing a package takes when `ai` is loaded already.
import 'ai';

const before = performance.now();
await import(process.argv[2]);
console.log(performance.now() - before);
process.exit(0);
