import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A foreign server, which must never be reached, with a page that must not use the bridge. */
export interface ForeignServer extends AsyncDisposable {
  /** Host and port, such as "127.0.0.1:4999". */
  readonly host: string;
  /** Paths that were requested. */
  readonly requestedPaths: string[];
}

/** Starts a foreign server on a free port. */
export async function startForeignServer(): Promise<ForeignServer> {
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Foreign page</title>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    requestedPaths,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
