import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const BODY = '{"amount": "1.00"}';

/** A request that changes something and gets its response only after its last character is sent. */
export interface PendingPayment {
  readonly socket: Socket;
  /** Sends the last character; resolves when the connection is closed after the response. */
  complete(): Promise<void>;
}

/** Starts a payment request at a server that is not set up yet. `host` is such as "127.0.0.1:4801". */
export async function beginPayment(host: string): Promise<PendingPayment> {
  const { hostname, port } = new URL(`http://${host}`);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  const head = [
    'POST /api/v1/setup HTTP/1.1',
    `host: ${host}`,
    'connection: close',
    'content-type: application/json',
    `content-length: ${BODY.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${BODY.slice(0, -1)}`);
  // The server has seen the first part when it answers a later request.
  await fetch(`http://${host}/health`);
  return {
    socket,
    complete: async () => {
      socket.write(BODY.slice(-1));
      await closed;
    },
  };
}
