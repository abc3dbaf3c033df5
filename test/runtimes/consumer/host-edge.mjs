// Edge functions: a script that listens.
import { runJob } from './job.mjs';

addEventListener('fetch', (event) => {
  const answer = async () => Response.json(await runJob(await event.request.json()));
  event.respondWith(answer());
});
