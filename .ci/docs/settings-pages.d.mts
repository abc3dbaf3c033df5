export const SETTINGS_PAGES: readonly string[];
