import { useEffect, useState } from 'react';
import type { About } from '../../src/routes/catalog.js';
import { api } from './api.js';

/** Folder, mode and model, as soon as the server has told them. */
export function useAbout(): About | undefined {
  const [about, setAbout] = useState<About>();
  useEffect(() => {
    // Without it the page works; what is wrong is said where a chat is read.
    void api<About>('GET', '/api/about').then(setAbout, () => undefined);
  }, []);
  return about;
}
