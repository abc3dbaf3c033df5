import { POST } from '../app/api/chat/route';

export default {
  fetch(request: Request): Response | Promise<Response> {
    const isChat = request.method === 'POST' && new URL(request.url).pathname === '/api/chat';
    return isChat ? POST(request) : new Response('Not found', { status: 404 });
  },
};
