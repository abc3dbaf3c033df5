import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy between browser and server whose line can be cut, with all that runs over it, and mended. */
export interface BreakingLine {
  readonly address: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startBreakingLine(): Promise<BreakingLine> {
  let isCut = false;
  const proxy = createServer(forward);
  proxy.on('connection', (socket) => {
    if (isCut) socket.destroy();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const cut = (): void => {
    isCut = true;
    proxy.closeAllConnections();
  };
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false;
    },
    close: async () => {
      cut();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  const { url = '', method, headers } = request;
  const onward = ask(url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
