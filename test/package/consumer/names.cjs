const main = require('responses-loop');
const testing = require('responses-loop/testing');

console.log(JSON.stringify({ main: Object.keys(main), testing: Object.keys(testing) }));
