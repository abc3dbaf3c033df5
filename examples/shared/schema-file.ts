import { readFileSync } from 'node:fs';
import type { JsonSchema } from './answer-schema.js';
import { SettingsError } from './settings-error.js';

/** Reads the file that a flag names. @throws SettingsError with the flag, if it holds no JSON object. */
export function readSchemaFile(path: string, flag: string): JsonSchema {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonSchema;
  } catch (error) {
    throw new SettingsError(`${flag}: ${path} cannot be read: ${(error as Error).message}`);
  }
  throw new SettingsError(`${flag}: ${path} has to hold a JSON schema, which is an object.`);
}
