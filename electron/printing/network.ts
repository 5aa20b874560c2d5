import { connect, type Socket } from 'node:net';
import { type Delivery, inDoubt, notSent, SENT } from './delivery.ts';

interface NetworkTimes {
  /** Time limit for the connection, in milliseconds. */
  readonly connectMs: number;
  /** A printer that takes nothing for so long has stopped: no paper, an open lid. */
  readonly stallMs: number;
  /** Printers that keep their end open have this long to complain. */
  readonly lingerMs: number;
}

const NETWORK_TIMES: NetworkTimes = { connectMs: 5000, stallMs: 20_000, lingerMs: 1500 };

const UNREACHABLE: Readonly<Record<string, (place: string) => string>> = {
  ECONNREFUSED: (place) => `Nothing takes print jobs at ${place}. Is the printer on, and the port right?`,
  EHOSTUNREACH: (place) => `${place} cannot be reached. Is the printer on and in the network?`,
  ENETUNREACH: (place) => `${place} cannot be reached: this computer has no way to its network.`,
  ETIMEDOUT: (place) => `${place} does not answer. Is the printer on and in the network?`,
  EACCES: (place) => `This computer does not allow a connection to ${place}.`,
};

/** Hands bytes to a printer in the network, as they are. `place` is how people know the address; `address` is what is connected to. */
export function sendToNetwork(
  { address, port, place }: { readonly address: string; readonly port: number; readonly place: string },
  bytes: Buffer,
  times: NetworkTimes = NETWORK_TIMES,
): Promise<Delivery> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    let isConnected = false;
    const conclude = (delivery: Delivery) => {
      socket.destroy();
      resolve(delivery);
    };
    // What a printer says of itself is read, or its side of the connection would fill up.
    socket.resume();
    socket.setTimeout(times.connectMs, () => conclude(timedOut(socket, isConnected, place)));
    socket.once('connect', () => {
      isConnected = true;
      socket.setTimeout(times.stallMs);
      socket.end(bytes);
    });
    socket.once('finish', () => socket.setTimeout(times.lingerMs));
    socket.once('end', () => (socket.writableFinished ? conclude(SENT) : conclude(inDoubt(`${place} hung up.`))));
    socket.once('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      const why = UNREACHABLE[code];
      if (isConnected) conclude(inDoubt(`The connection to ${place} broke.`));
      else conclude(notSent(why ? why(place) : `${place} cannot be reached (${message}).`));
    });
  });
}

function timedOut(socket: Socket, isConnected: boolean, place: string): Delivery {
  if (!isConnected) return notSent(`${place} does not answer. Is the printer on and in the network?`);
  // All is with the printer, which keeps its end open: many do.
  if (socket.writableFinished) return SENT;
  return inDoubt(`${place} has stopped taking what is sent. Is there paper, and is the lid closed?`);
}
