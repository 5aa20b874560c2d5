import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const BODY = '{"amount": "1.00"}';

/** A request that changes something and is not answered before its last character has come. */
export interface Payment {
  readonly socket: Socket;
  /** Has it answered; done once the connection is closed. */
  answer(): Promise<void>;
}

/** Begins one at a server that is not set up yet. `host` is as "127.0.0.1:4801". */
export async function beginPayment(host: string): Promise<Payment> {
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
  // What was sent before is seen before.
  await fetch(`http://${host}/health`);
  return {
    socket,
    answer: async () => {
      socket.write(BODY.slice(-1));
      await closed;
    },
  };
}
