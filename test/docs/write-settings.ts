// Writes the tables of settings in docs anew, from the comments beside the types: npm run docs:settings
import { writeFileSync } from 'node:fs';
import { SETTINGS } from './support/pages.js';
import { readSettings } from './support/read-settings.js';
import { withSettingsTables } from './support/settings-tables.js';

const before = new Map(SETTINGS.map(({ path, text }) => [path, text]));
for (const { path, text } of withSettingsTables(SETTINGS, readSettings())) {
  writeFileSync(path, text);
  console.log(before.get(path) === text ? `${path} is up to date.` : `${path} was written.`);
}
