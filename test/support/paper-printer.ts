import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What a printer in the network does with a job: takes it; breaks the connection after the first bytes; stops reading; or keeps its end open for ever. */
export type Manner = 'takes' | 'breaks' | 'stalls' | 'lingers';

/** A printer in the network that keeps the bytes of each job. */
export interface PaperPrinter extends AsyncDisposable {
  readonly port: number;
  /** The bytes of each job, in the order in which the jobs ended. */
  readonly jobs: Buffer[];
  manner: Manner;
}

/** Starts a printer on a port of this machine, any unless given. */
export async function startPaperPrinter(wanted = 0): Promise<PaperPrinter> {
  const jobs: Buffer[] = [];
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    open.add(socket);
    const parts: Buffer[] = [];
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    if (printer.manner === 'stalls') return;
    socket.on('data', (part) => {
      parts.push(part);
      if (printer.manner === 'breaks') socket.resetAndDestroy();
    });
    socket.on('end', () => {
      jobs.push(Buffer.concat(parts));
      if (printer.manner === 'takes') socket.end();
    });
    socket.resume();
  });
  await once(server.listen(wanted, '127.0.0.1'), 'listening');
  const printer: PaperPrinter = {
    port: (server.address() as AddressInfo).port,
    jobs,
    manner: 'takes',
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

/** Arguments of the commands that receipts and test pages are made of. */
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

/** What a printer of the ESC/POS family makes of bytes: its lines, and the commands. An unknown command throws, as it would eat what follows. */
export function readEscpos(bytes: Buffer): { lines: Buffer[]; commands: string[] } {
  const lines: Buffer[] = [];
  const commands: string[] = [];
  let line: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes.readUInt8(at);
    if (byte === ESC || byte === GS || byte === FS) {
      const name = `${byte === ESC ? 'ESC' : byte === GS ? 'GS' : 'FS'} ${String.fromCharCode(bytes.readUInt8(at + 1))}`;
      // A code brings its own length.
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
