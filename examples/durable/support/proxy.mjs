// Hands connections to those workers that are there, in turn: what a load balancer is elsewhere.
import { connect, createServer } from 'node:net';

export async function startProxy(ports) {
  let turn = 0;
  const server = createServer((client) => {
    const tries = ports.map((_, index) => ports[(turn + index) % ports.length]);
    turn += 1;
    forward(client, tries);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port, close: () => server.close() };
}

function forward(client, [port, ...others]) {
  client.on('error', () => {});
  if (port === undefined) return client.destroy();
  const upstream = connect(port, '127.0.0.1');
  upstream.once('connect', () => {
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  upstream.on('error', () => {
    if (upstream.readyState !== 'open' && upstream.bytesRead === 0) forward(client, others);
    else client.destroy();
  });
  return undefined;
}
