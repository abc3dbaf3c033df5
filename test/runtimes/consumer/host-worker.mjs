// Workers: modules with a default export.
import { runJob } from './job.mjs';

export default {
  async fetch(request) {
    return Response.json(await runJob(await request.json()));
  },
};
