import { createServer } from 'node:http';

/**
 * Serves on a free port of 127.0.0.1, for pages of any origin.
 *
 * @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>} answer
 */
export async function serve(answer) {
  const server = createServer((request, response) => {
    allowAnyOrigin(request, response);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    answer(request, response).catch((error) => response.destroy(error));
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

function allowAnyOrigin(request, response) {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
  // A star would leave `authorization` out.
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*');
  response.setHeader('access-control-expose-headers', 'mcp-session-id');
}
