import express from 'express';
import { POST } from '../app/api/chat/route';

export const app = express();

app.post('/api/chat', express.text({ type: 'application/json', limit: '4mb' }), async (request, response) => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const url = `http://${request.headers.host}${request.url}`;
  const answer = await POST(new Request(url, { method: 'POST', body: request.body, signal: gone.signal }));
  response.status(answer.status).setHeaders(answer.headers);
  for await (const chunk of answer.body ?? []) response.write(chunk);
  response.end();
});
