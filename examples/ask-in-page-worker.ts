import { POST, postAnswer } from './ask-in-page';

/** One Durable Object per chat, so that both routes of the chat run in the same object. */
export class Chat {
  fetch(request: Request): Promise<Response> {
    return new URL(request.url).pathname === '/api/chat' ? POST(request) : postAnswer(request);
  }
}

interface Env {
  CHAT: { getByName(name: string): Chat };
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const chat = searchParams.get('chat');
    const isRoute = request.method === 'POST' && ['/api/chat', '/api/answer'].includes(pathname);
    if (!isRoute || chat === null) return new Response('Not found', { status: 404 });
    return env.CHAT.getByName(chat).fetch(request);
  },
};
