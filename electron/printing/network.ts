import { connect, type Socket } from 'node:net';
import { notSent, possiblySent, SENT, type SendResult } from './send-result.ts';

interface NetworkTimeouts {
  /** Time limit for the connection, in milliseconds. */
  readonly connectMs: number;
  /** Time without progress after which a printer has stopped, because of missing paper or an open lid. */
  readonly stallMs: number;
  /** Time after the last byte in which a printer that keeps the connection open may still report an error. */
  readonly lingerMs: number;
}

const TIMEOUTS: NetworkTimeouts = { connectMs: 5000, stallMs: 20_000, lingerMs: 1500 };

const UNREACHABLE: Readonly<Record<string, (displayAddress: string) => string>> = {
  ECONNREFUSED: (displayAddress) => `No printer accepts jobs at ${displayAddress}. Is the printer on, and is the port correct?`,
  EHOSTUNREACH: (displayAddress) => `${displayAddress} cannot be reached. Is the printer on and connected to the network?`,
  ENETUNREACH: (displayAddress) => `${displayAddress} cannot be reached: this computer has no connection to its network.`,
  ETIMEDOUT: (displayAddress) => `${displayAddress} does not answer. Is the printer on and connected to the network?`,
  EACCES: (displayAddress) => `This computer does not allow a connection to ${displayAddress}.`,
};

/** Sends bytes unchanged to a network printer. `address` is connected to; `displayAddress` is shown in messages. */
export function sendToNetwork(
  { address, port, displayAddress }: { readonly address: string; readonly port: number; readonly displayAddress: string },
  bytes: Buffer,
  timeouts: NetworkTimeouts = TIMEOUTS,
): Promise<SendResult> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    let isConnected = false;
    const conclude = (result: SendResult) => {
      socket.destroy();
      resolve(result);
    };
    // Status data of the printer is read and dropped; otherwise its side of the connection would fill up.
    socket.resume();
    socket.setTimeout(timeouts.connectMs, () => conclude(timedOut(socket, isConnected, displayAddress)));
    socket.once('connect', () => {
      isConnected = true;
      socket.setTimeout(timeouts.stallMs);
      socket.end(bytes);
    });
    socket.once('finish', () => socket.setTimeout(timeouts.lingerMs));
    socket.once('end', () =>
      socket.writableFinished ? conclude(SENT) : conclude(possiblySent(`${displayAddress} closed the connection too early.`)),
    );
    socket.once('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      const explain = UNREACHABLE[code];
      if (isConnected) conclude(possiblySent(`The connection to ${displayAddress} was lost.`));
      else conclude(notSent(explain ? explain(displayAddress) : `${displayAddress} cannot be reached (${message}).`));
    });
  });
}

function timedOut(socket: Socket, isConnected: boolean, displayAddress: string): SendResult {
  if (!isConnected) return notSent(`${displayAddress} does not answer. Is the printer on and connected to the network?`);
  // The printer has received everything. Many printers keep the connection open.
  if (socket.writableFinished) return SENT;
  return possiblySent(`${displayAddress} no longer accepts data. Does the printer have paper, and is the lid closed?`);
}
