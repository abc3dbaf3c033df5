// A `fetch` without a network, the same for every contender.
const encoder = new TextEncoder();
const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_bench' };

/**
 * `answer` gives the chunks of the next answer. The request is turned into bytes of its own, as every `fetch` has to.
 * With `breathe` each chunk comes in a turn of the event loop of its own, so that calls take turns as they do on a network.
 */
export function memoryFetch(answer, { breathe = false } = {}) {
  return (_url, { body }) => {
    const sent = typeof body === 'string' ? encoder.encode(body) : body.slice();
    return Promise.resolve(new Response(bodyOf(answer(sent), breathe), { headers: HEADERS }));
  };
}

function bodyOf(chunks, breathe) {
  const iterator = chunks[Symbol.iterator]();
  const give = (controller) => {
    const next = iterator.next();
    if (next.done) controller.close();
    else controller.enqueue(next.value);
  };
  let isLeft = false;
  const later = (controller) =>
    new Promise((resolve) => {
      setImmediate(() => {
        if (!isLeft) give(controller);
        resolve();
      });
    });
  return new ReadableStream({
    pull: breathe ? later : give,
    cancel: () => {
      isLeft = true;
    },
  });
}
