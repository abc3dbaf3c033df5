// Before anything that makes a schema.
import './lib/without-eval.js';
import { createRoot } from 'react-dom/client';
import { App } from './components/app.js';

const place = document.getElementById('page');
if (place !== null) createRoot(place).render(<App />);
