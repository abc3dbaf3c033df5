/** A flag, a variable or a file says something that cannot be right. Its message is a sentence for the person who set it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
