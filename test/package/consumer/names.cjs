const entries = {
  main: require('responses-loop'),
  testing: require('responses-loop/testing'),
  v3: require('responses-loop/v3'),
  v4: require('responses-loop/v4'),
  ai5: require('responses-loop/ai5'),
  ai6: require('responses-loop/ai6'),
  ai7: require('responses-loop/ai7'),
};
const names = Object.entries(entries).map(([name, entry]) => [name, Object.keys(entry)]);
console.log(JSON.stringify(Object.fromEntries(names)));
