import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/**
 * Behavior of a network printer with a job: it takes the job; breaks the connection after the first bytes; stops reading; or keeps its side
 * open forever.
 */
type PrinterBehavior = 'takes' | 'breaks' | 'stalls' | 'lingers';

/** A network printer that keeps the bytes of each job. */
export interface FakePrinter extends AsyncDisposable {
  readonly port: number;
  /** The bytes of each job, in the order in which the jobs ended. */
  readonly jobs: Buffer[];
  behavior: PrinterBehavior;
}

/** Starts a printer on a port of this computer, by default any free one. */
export async function startFakePrinter(requestedPort = 0): Promise<FakePrinter> {
  const jobs: Buffer[] = [];
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    open.add(socket);
    const parts: Buffer[] = [];
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    if (printer.behavior === 'stalls') return;
    socket.on('data', (part) => {
      parts.push(part);
      if (printer.behavior === 'breaks') socket.resetAndDestroy();
    });
    socket.on('end', () => {
      jobs.push(Buffer.concat(parts));
      if (printer.behavior === 'takes') socket.end();
    });
    socket.resume();
  });
  await once(server.listen(requestedPort, '127.0.0.1'), 'listening');
  const printer: FakePrinter = {
    port: (server.address() as AddressInfo).port,
    jobs,
    behavior: 'takes',
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return printer;
}

const ESC = 0x1b;
const GS = 0x1d;
const FS = 0x1c;

/** Numbers of arguments of the commands in receipts and test pages. */
const ARGUMENTS: Readonly<Record<string, number>> = {
  'ESC @': 0,
  'FS .': 0,
  'ESC M': 1,
  'ESC E': 1,
  'ESC t': 1,
  'ESC a': 1,
  'ESC p': 3,
  'GS V': 1,
};

/**
 * Interprets bytes like an ESC/POS printer and returns lines and commands. @throws Error for an unknown command, because it would swallow
 * the bytes that follow.
 */
export function readEscpos(bytes: Buffer): { lines: Buffer[]; commands: string[] } {
  const lines: Buffer[] = [];
  const commands: string[] = [];
  let line: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes.readUInt8(at);
    if (byte === ESC || byte === GS || byte === FS) {
      const name = `${byte === ESC ? 'ESC' : byte === GS ? 'GS' : 'FS'} ${String.fromCharCode(bytes.readUInt8(at + 1))}`;
      // A code contains its own length.
      const length = name === 'GS (' ? 3 + bytes.readUInt16LE(at + 3) : ARGUMENTS[name];
      if (length === undefined) throw new Error(`the command ${name} is none of ours`);
      commands.push([name, ...(name === 'GS (' ? [] : bytes.subarray(at + 2, at + 2 + length))].join(' '));
      at += 1 + length;
    } else if (byte === 0x0a) {
      lines.push(Buffer.from(line));
      line = [];
    } else if (byte !== 0x0d) {
      if (byte < 0x20) throw new Error(`the control byte ${byte} is printed`);
      line.push(byte);
    }
  }
  return { lines, commands };
}
