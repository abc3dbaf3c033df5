import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAKElEQVR4nO3NsQ0AAAzCMP5/un0CNkuZ41wybXsHAAAAAAAAAAAAxR4yw/wuPL6QkAAAAABJRU5ErkJggg==';

/** A red square of 32 by 32 points. */
export const RED_PICTURE = `data:image/png;base64,${PNG}`;

const PDF =
  '%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF';

/** One empty page. */
export const SMALL_PDF = `data:application/pdf;base64,${btoa(PDF)}`;

interface ServedPicture {
  readonly url: string;
  readonly isFetched: () => boolean;
  readonly close: () => Promise<void>;
}

/** Serves the picture on a local port, to see whether the server fetches it. */
export async function servePicture(): Promise<ServedPicture> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(PNG, 'base64'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/red.png`,
    isFetched: () => requests > 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
