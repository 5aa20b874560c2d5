import { linesEscpos } from '#core/billing/receipts';
import type { ForbiddenTarget } from '#core/platform/outbound';
import type {
  PrinterAddress,
  PrinterSaveOutcome,
  PrinterSetup,
  PrintJob,
  PrintJobAction,
  PrintOutcome,
  QueuedPrintJob,
} from '../bridge/printing.ts';
import { sendToNetwork } from './network.ts';
import { isPrinterPort, locate } from './network-location.ts';
import { PrintQueue } from './print-queue.ts';
import { PrinterFile } from './printer-setup.ts';
import { notSent, possiblySent, SENT, type SendResult } from './send-result.ts';
import { hostOfShare, sendToQueue, sendToShare } from './spooler.ts';
import { printReceipt } from './system-printing.ts';
import { testPageBytes, testPageDocument } from './test-page.ts';

export { copySetup, isCount, isName, validateSetup } from './printer-setup.ts';
export { listPrinters, printReceipt } from './system-printing.ts';

interface ReceiptPrinterOptions {
  /** Folder of the printer settings. */
  readonly folder: string;
  /** Called on each change of the queue. */
  onQueueChange(queue: QueuedPrintJob[]): void;
  /** Returns the addresses of Paydesk and its database, which are never printed to. */
  ownAddresses(): readonly ForbiddenTarget[];
}

/** Reason to ask a person: the host is outside of this computer and its networks, or printers do not use the port. */
export type Risk = 'outside' | 'port';

/** Asks a person whether receipts may be sent to a destination. */
type ConfirmDestination = (destination: string, risk: Risk) => Promise<boolean>;

const NO_PRINTER = 'No receipt printer is set up on this workstation.';

/** The receipt printer of this workstation and its queue. Never throws: failures are returned as the outcome's `problem`. */
export class ReceiptPrinter {
  private readonly printerFile: PrinterFile;
  private readonly queue: PrintQueue;
  private readonly ownAddresses: () => readonly ForbiddenTarget[];

  constructor(options: ReceiptPrinterOptions) {
    this.printerFile = new PrinterFile(options.folder);
    this.ownAddresses = () => options.ownAddresses();
    this.queue = new PrintQueue((job, setup) => this.sendJob(job, setup), options.onQueueChange);
  }

  get setup(): PrinterSetup | null {
    return this.printerFile.setup;
  }

  get jobs(): QueuedPrintJob[] {
    return this.queue.jobs;
  }

  async save(setup: PrinterSetup | null, confirm: ConfirmDestination): Promise<PrinterSaveOutcome> {
    const problem = setup === null ? undefined : await this.checkAddress(setup.address, confirm);
    if (problem !== undefined) return { saved: false, problem };
    this.printerFile.save(setup);
    return { saved: true };
  }

  async test(setup: PrinterSetup, confirm: ConfirmDestination): Promise<PrintOutcome> {
    const problem = await this.checkAddress(setup.address, confirm);
    if (problem !== undefined) return { sent: false, problem };
    const result =
      setup.address.kind === 'system'
        ? await this.sendDocument(testPageDocument(setup), setup)
        : await this.sendBytes(testPageBytes(setup), setup.address);
    return result.sent ? { sent: true } : { sent: false, problem: result.problem };
  }

  send(job: PrintJob): Promise<PrintOutcome> {
    const { setup } = this.printerFile;
    return setup === null ? Promise.resolve({ sent: false, problem: NO_PRINTER }) : this.queue.add(job, setup);
  }

  act(id: number, action: PrintJobAction): boolean {
    return this.queue.act(id, action);
  }

  private async sendJob({ content }: PrintJob, setup: PrinterSetup): Promise<SendResult> {
    const { address, columns, codePage, cuts } = setup;
    if (address.kind === 'system') {
      return content.kind === 'html'
        ? this.sendDocument(content.html, setup)
        : notSent(`${setup.name} accepts documents only. Set up the printer again.`);
    }
    switch (content.kind) {
      case 'escpos':
        return this.sendBytes(Buffer.from(content.base64, 'base64'), address);
      case 'lines':
        return this.sendBytes(linesEscpos(content.lines, columns, { codePage, cuts, qr: content.qr ?? null }), address);
      case 'html':
        return notSent(`${setup.name} does not accept documents. Set up the printer again.`);
    }
  }

  private async sendDocument(html: string, { address, paper }: PrinterSetup): Promise<SendResult> {
    if (address.kind !== 'system') return notSent(NO_PRINTER);
    const { printer, usesOwnPage } = address;
    const { sent, problem = '' } = await printReceipt({ html, width: paper, printer, copies: 1, silent: true, usesOwnPage });
    return sent ? SENT : notSent(problem);
  }

  private async sendBytes(bytes: Buffer, address: Exclude<PrinterAddress, { kind: 'system' }>): Promise<SendResult> {
    try {
      switch (address.kind) {
        case 'network':
          return await this.sendToHost(bytes, address);
        case 'queue':
          return await sendToQueue(address.queue, bytes);
        case 'share':
          return await sendToShare(address.share, bytes);
      }
    } catch (cause) {
      return possiblySent(cause instanceof Error ? cause.message : String(cause));
    }
  }

  /** Sends bytes to a network printer. The host is resolved and checked again, because its address may have changed since it was saved. */
  private async sendToHost(bytes: Buffer, { host, port }: { host: string; port: number }): Promise<SendResult> {
    const location = await locate(host, port, this.ownAddresses());
    if (location.kind === 'unknown') return notSent(`The printer ${host} was not found on the network.`);
    const destination = destinationOf(host, port);
    if (location.kind === 'paydesk') return notSent(ownPortText(destination));
    const risk = riskOf(location.kind, port);
    if (risk !== null && !this.printerFile.isAllowed(destination)) return notSent(REFUSALS[risk].unsent(destination));
    return sendToNetwork({ address: location.address, port, displayAddress: destination }, bytes);
  }

  /** Returns the reason why an address is refused; undefined if it is accepted. */
  private async checkAddress(address: PrinterAddress, confirm: ConfirmDestination): Promise<string | undefined> {
    const host = address.kind === 'network' ? address.host : address.kind === 'share' ? hostOfShare(address.share) : undefined;
    if (host === undefined) return undefined;
    const port = address.kind === 'network' ? address.port : null;
    const destination = port === null ? host : destinationOf(host, port);
    const { kind } = await locate(host, port, this.ownAddresses());
    if (kind === 'paydesk') return ownPortText(destination);
    const risk = riskOf(kind, port);
    if (risk === null || this.printerFile.isAllowed(destination)) return undefined;
    if (!(await confirm(destination, risk))) return REFUSALS[risk].unsaved(destination);
    this.printerFile.allow(destination);
    return undefined;
  }
}

/** Returns the name of a destination, for people and for the list of allowed ones. */
function destinationOf(host: string, port: number): string {
  if (port === STANDARD_PORT) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

const ownPortText = (destination: string) => `${destination} is an address of Paydesk or its database. No receipts are sent to it.`;

const REFUSALS: Readonly<Record<Risk, Readonly<Record<'unsaved' | 'unsent', (destination: string) => string>>>> = {
  outside: {
    unsaved: (destination) => `${destination} is outside your networks. No receipts are sent to it.`,
    unsent: (destination) => `${destination} is outside your networks. Set up the printer again.`,
  },
  port: {
    unsaved: (destination) => `${destination} has a port that printers do not use. No receipts are sent to it.`,
    unsent: (destination) => `${destination} has a port that printers do not use. Set up the printer again.`,
  },
};

/** Returns the reason to ask a person about a destination; null if there is none. */
function riskOf(kind: 'own' | 'outside' | 'unknown', port: number | null): Risk | null {
  if (kind === 'outside') return 'outside';
  return port === null || isPrinterPort(port) ? null : 'port';
}

/** Standard port of network printers for raw jobs. */
const STANDARD_PORT = 9100;
