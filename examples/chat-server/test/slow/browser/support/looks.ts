/** What a page has to look well in. */
export const LOOKS = [
  { name: 'wide and light', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'wide and dark', viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  { name: 'narrow and light', viewport: { width: 400, height: 800 }, colorScheme: 'light' },
  { name: 'narrow and dark', viewport: { width: 400, height: 800 }, colorScheme: 'dark' },
] as const;
