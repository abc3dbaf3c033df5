import * as testing from 'responses-loop/testing';
import * as main from 'responses-loop';

console.log(JSON.stringify({ main: Object.keys(main), testing: Object.keys(testing) }));
