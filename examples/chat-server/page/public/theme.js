// Runs before anything is painted; the policy of the page allows no script within the document. See `lib/theme.ts`.
(() => {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
})();
