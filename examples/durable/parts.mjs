// Serves the parts of running loops over HTTP, with markers between rounds, for clients that come and go.
import { createServer } from 'node:http';

/**
 * The parts of the loops that this process runs. A marker `{ round: n }` goes out before the first part of round n: by then
 * all before it is recorded, and comes again just so after a crash. What follows the last marker may come in other words.
 */
export class PartHub {
  #loops = new Map();

  /** An attempt begins; what an earlier one in this process had sent is forgotten. */
  begin(loop) {
    const feed = { frames: [], marks: [], listeners: new Set(), responseId: undefined };
    this.#loops.get(loop)?.listeners.forEach((end) => end.destroy());
    this.#loops.set(loop, feed);
    return {
      part: (part) => {
        if (part.type === 'response-metadata' && part.id !== feed.responseId) {
          feed.responseId = part.id;
          push(feed, { round: feed.marks.push(feed.frames.length) - 1 });
        }
        if (part.type !== 'stream-start') push(feed, { part });
      },
      end: () => push(feed, { end: true }),
    };
  }

  /** `GET /<loop>?round=<n>`: from that marker on, as it comes. 404 where the loop is not here. */
  serve(port) {
    const server = createServer((request, response) => {
      const url = new URL(request.url, 'http://localhost');
      const feed = this.#loops.get(url.pathname.slice(1));
      if (feed === undefined) return response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      const from = Number(url.searchParams.get('round') ?? 0);
      let at = from === 0 ? 0 : undefined;
      const send = () => {
        at ??= feed.marks[from];
        if (at === undefined) return;
        for (; at < feed.frames.length; at += 1) response.write(`data: ${JSON.stringify(feed.frames[at])}\n\n`);
        if (feed.frames.at(-1).end) response.end();
      };
      const listener = { send, destroy: () => response.destroy() };
      feed.listeners.add(listener);
      response.on('close', () => feed.listeners.delete(listener));
      if (feed.frames.length > 0) send();
    });
    return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  }
}

function push(feed, frame) {
  feed.frames.push(frame);
  for (const { send } of feed.listeners) send();
}
