/** The pages of `docs` that contain the tables of settings, without `.md`. */
export const SETTINGS_PAGES = ['configuration', 'keys', 'tool-settings', 'limits'];
