// Writes the tables of settings in docs/configuration.md anew, from the comments beside the types: npm run docs:settings
import { readFileSync, writeFileSync } from 'node:fs';
import { readSettings } from './support/read-settings.js';
import { withSettingsTables } from './support/settings-tables.js';

const PAGE = 'docs/configuration.md';
const page = readFileSync(PAGE, 'utf8');
const written = withSettingsTables(page, readSettings());
writeFileSync(PAGE, written);
console.log(written === page ? `${PAGE} is up to date.` : `${PAGE} was written.`);
