import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A request that changes something. */
interface ChangeRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

const REFUSED: ChangeRequest = { path: '/api/v1/setup', headers: {}, body: { amount: '1.00' } };

/** A request that changes something and gets its response only after its last character is sent. */
export interface PendingPayment {
  readonly socket: Socket;
  /** Sends the last character; returns the response when the connection is closed after it. */
  complete(): Promise<string>;
}

/** Starts a payment request, by default one that a server refuses which is not set up yet. `host` is such as "127.0.0.1:4801". */
export async function beginPayment(host: string, { path, headers, body }: ChangeRequest = REFUSED): Promise<PendingPayment> {
  const content = JSON.stringify(body);
  const { hostname, port } = new URL(`http://${host}`);
  const socket = connect(Number(port), hostname);
  let response = '';
  socket
    .on('error', () => undefined)
    .on('data', (part: Buffer) => {
      response += part.toString();
    });
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    'connection: close',
    'content-type: application/json',
    `content-length: ${content.length}`,
    'expect: 100-continue',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const isHandled = once(socket, 'data');
  socket.write(`${head.join('\r\n')}\r\n\r\n${content.slice(0, -1)}`);
  // The server asks for the rest when it has begun to handle the request.
  await isHandled;
  response = '';
  return {
    socket,
    complete: async () => {
      socket.write(content.slice(-1));
      await closed;
      return response;
    },
  };
}
