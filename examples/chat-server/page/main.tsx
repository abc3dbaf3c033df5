import { createRoot } from 'react-dom/client';
import { config } from 'zod/v4/core';
import { App } from './components/app.js';

// It would try whether code can be made of text, which the policy of the page forbids and the console shows.
config({ jitless: true });

const place = document.getElementById('page');
if (place !== null) createRoot(place).render(<App />);
