import { useCallback, useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** `public/theme.js` reads it before the page is painted. */
const KEPT = 'theme';
const listeners = new Set<() => void>();

/** The theme that was chosen in this browser, and how another one is chosen. Other tabs follow. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, keptTheme);
  const choose = useCallback((chosen: Theme): void => {
    if (chosen === 'system') localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, chosen);
    showTheme();
  }, []);
  return [theme, choose];
}

/** Follows a choice in another tab. */
export function followTheme(): void {
  addEventListener('storage', ({ key }) => {
    if (key === KEPT || key === null) showTheme();
  });
}

function showTheme(): void {
  const theme = keptTheme();
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  for (const listener of listeners) listener();
}

function keptTheme(): Theme {
  const kept = localStorage.getItem(KEPT);
  return THEMES.find((theme) => theme === kept) ?? 'system';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
