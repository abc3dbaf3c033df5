import * as main from 'responses-loop';
import * as ai5 from 'responses-loop/ai5';
import * as ai6 from 'responses-loop/ai6';
import * as ai7 from 'responses-loop/ai7';
import * as testing from 'responses-loop/testing';
import * as v3 from 'responses-loop/v3';
import * as v4 from 'responses-loop/v4';

const names = Object.entries({ main, testing, v3, v4, ai5, ai6, ai7 }).map(([name, entry]) => [
  name,
  Object.keys(entry),
]);
console.log(JSON.stringify(Object.fromEntries(names)));
