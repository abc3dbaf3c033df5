// Before anything that makes a schema.
import './lib/without-eval.js';
import { createRoot } from 'react-dom/client';
import { App } from './components/app.js';
import { NoToken } from './components/no-token.js';
import { followTheme } from './lib/theme.js';
import { hasToken, takeToken } from './lib/token.js';

takeToken();
followTheme();
// The printed address in the bar of a page that is open: the browser loads nothing anew.
addEventListener('hashchange', () => {
  if (takeToken()) location.reload();
});
const place = document.getElementById('page');
if (place !== null) createRoot(place).render(hasToken() ? <App /> : <NoToken />);
