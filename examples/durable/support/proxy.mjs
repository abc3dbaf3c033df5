// Hands connections to those workers that are there, in turn: what a load balancer is elsewhere.
import { connect, createServer } from 'node:net';

export async function startProxy(ports, at = 0) {
  let turn = 0;
  const server = createServer((client) => {
    const tries = ports.map((_, index) => ports[(turn + index) % ports.length]);
    // After the one that takes it: those that are gone have no turn.
    forward(client, tries, (port) => (turn = ports.indexOf(port) + 1));
  });
  await new Promise((resolve) => server.listen(at, '127.0.0.1', resolve));
  return { port: server.address().port, close: () => server.close() };
}

function forward(client, [port, ...others], onTaken) {
  client.on('error', () => {});
  if (port === undefined) return client.destroy();
  const upstream = connect(port, '127.0.0.1');
  upstream.once('connect', () => {
    onTaken(port);
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  upstream.on('error', () => {
    if (upstream.readyState !== 'open' && upstream.bytesRead === 0) forward(client, others, onTaken);
    else client.destroy();
  });
  return undefined;
}
