// What Next.js does with app/page.tsx by itself.
import { createRoot } from 'react-dom/client';
import Page from './app/page';

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<Page />);
