import { linesEscpos } from '#core/receipts';
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
import { locateHost } from './network-location.ts';
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
}

/** Asks a person whether receipts may be sent to a host outside of this computer and its networks. */
type ConfirmExternalHost = (host: string) => Promise<boolean>;

const NO_PRINTER = 'No receipt printer is set up on this workstation.';

/** The receipt printer of this workstation and its queue (experience 2.4). Never throws: failures are returned as the outcome's `problem`. */
export class ReceiptPrinter {
  private readonly printerFile: PrinterFile;
  private readonly queue: PrintQueue;

  constructor(options: ReceiptPrinterOptions) {
    this.printerFile = new PrinterFile(options.folder);
    this.queue = new PrintQueue((job, setup) => this.sendJob(job, setup), options.onQueueChange);
  }

  get setup(): PrinterSetup | null {
    return this.printerFile.setup;
  }

  get jobs(): QueuedPrintJob[] {
    return this.queue.jobs;
  }

  async save(setup: PrinterSetup | null, confirmExternalHost: ConfirmExternalHost): Promise<PrinterSaveOutcome> {
    const problem = setup === null ? undefined : await this.checkAddress(setup.address, confirmExternalHost);
    if (problem !== undefined) return { saved: false, problem };
    this.printerFile.save(setup);
    return { saved: true };
  }

  async test(setup: PrinterSetup, confirmExternalHost: ConfirmExternalHost): Promise<PrintOutcome> {
    const problem = await this.checkAddress(setup.address, confirmExternalHost);
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
        return this.sendBytes(linesEscpos(content.lines, columns, { codePage, cuts }), address);
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
    const location = await locateHost(host);
    if (location.kind === 'unknown') return notSent(`The printer ${host} was not found on the network.`);
    if (location.kind === 'outside' && !this.printerFile.isExternalHostAllowed(host))
      return notSent(`${host} is outside your networks. Set up the printer again.`);
    const displayAddress = port === STANDARD_PORT ? host : `${host}:${port}`;
    return sendToNetwork({ address: location.address, port, displayAddress }, bytes);
  }

  /** Returns the reason why an address is refused; undefined if it is accepted. */
  private async checkAddress(address: PrinterAddress, confirmExternalHost: ConfirmExternalHost): Promise<string | undefined> {
    const host = address.kind === 'network' ? address.host : address.kind === 'share' ? hostOfShare(address.share) : undefined;
    if (host === undefined || this.printerFile.isExternalHostAllowed(host) || (await locateHost(host)).kind !== 'outside') return undefined;
    if (!(await confirmExternalHost(host))) return `${host} is outside your networks. No receipts are sent to it.`;
    this.printerFile.allowExternalHost(host);
    return undefined;
  }
}

/** Standard port of network printers for raw jobs. */
const STANDARD_PORT = 9100;
