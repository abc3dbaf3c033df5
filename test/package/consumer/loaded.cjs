// Prints every file that `require(name)` loads.
require(process.argv[2]);
console.log(JSON.stringify(Object.keys(require.cache).filter((path) => path !== __filename)));
