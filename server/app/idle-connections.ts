import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Interval at which idle connections are closed while the server stops. */
const SWEEP_MS = 100;

/**
 * Closes idle connections repeatedly while a server stops. A connection that is busy when the server starts to close becomes idle only after its last
 * response, and would stay open until its client closes it. Node does not count a connection as idle before its first request: browsers open some in advance.
 */
export function closeIdleConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let sweeping: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    sweeping = setInterval(() => {
      app.server.closeIdleConnections();
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP_MS).unref();
  });
  app.addHook('onClose', async () => clearInterval(sweeping));
}
