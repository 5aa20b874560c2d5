import { linesEscpos } from '#core/receipts';
import type { PaperAction, PaperJob, PrinterAddress, PrinterSaved, PrinterSetup, PrintOutcome, QueuedPaper } from '../bridge/printing.ts';
import { type Delivery, inDoubt, notSent, SENT } from './delivery.ts';
import { printReceipt } from './html.ts';
import { sendToNetwork } from './network.ts';
import { PrintQueue } from './queue.ts';
import { reachOf } from './reach.ts';
import { PrinterFile } from './setup.ts';
import { sendToQueue, sendToShare, shareHost } from './spooler.ts';
import { testPageBytes, testPageDocument } from './test-page.ts';

export { listPrinters, printReceipt } from './html.ts';
export { isCount, isName, problemOf, setupFrom } from './setup.ts';

interface PrintingPort {
  /** Folder of the printer settings. */
  readonly folder: string;
  /** Called on each change of the queue. */
  tell(queue: QueuedPaper[]): void;
}

/** Asks a person whether receipts may be sent to a host outside of this computer and its networks. */
type MayGoOutside = (host: string) => Promise<boolean>;

const NO_PRINTER = 'No receipt printer is set up on this workstation.';

/** The receipt printer of this workstation and its queue (experience 2.4). Never throws: what goes wrong is an outcome in words. */
export class ReceiptPrinter {
  private readonly file: PrinterFile;
  private readonly queue: PrintQueue;

  constructor(port: PrintingPort) {
    this.file = new PrinterFile(port.folder);
    this.queue = new PrintQueue((job, setup) => this.deliver(job, setup), port.tell);
  }

  get setup(): PrinterSetup | null {
    return this.file.setup;
  }

  get jobs(): QueuedPaper[] {
    return this.queue.jobs;
  }

  async save(setup: PrinterSetup | null, mayGoOutside: MayGoOutside): Promise<PrinterSaved> {
    const problem = setup === null ? undefined : await this.admit(setup.address, mayGoOutside);
    if (problem !== undefined) return { saved: false, problem };
    this.file.save(setup);
    return { saved: true };
  }

  async test(setup: PrinterSetup, mayGoOutside: MayGoOutside): Promise<PrintOutcome> {
    const problem = await this.admit(setup.address, mayGoOutside);
    if (problem !== undefined) return { sent: false, problem };
    const delivery =
      setup.address.kind === 'system'
        ? await this.sendDocument(testPageDocument(setup), setup)
        : await this.sendBytes(testPageBytes(setup), setup.address);
    return delivery.sent ? { sent: true } : { sent: false, problem: delivery.problem };
  }

  send(job: PaperJob): Promise<PrintOutcome> {
    const { setup } = this.file;
    return setup === null ? Promise.resolve({ sent: false, problem: NO_PRINTER }) : this.queue.add(job, setup);
  }

  act(id: number, action: PaperAction): boolean {
    return this.queue.act(id, action);
  }

  private async deliver({ content }: PaperJob, setup: PrinterSetup): Promise<Delivery> {
    const { address, columns, codePage, cuts } = setup;
    if (address.kind === 'system') {
      return content.kind === 'html'
        ? this.sendDocument(content.html, setup)
        : notSent(`${setup.name} takes documents only: set it up anew.`);
    }
    switch (content.kind) {
      case 'escpos':
        return this.sendBytes(Buffer.from(content.base64, 'base64'), address);
      case 'lines':
        return this.sendBytes(linesEscpos(content.lines, columns, { codePage, cuts }), address);
      case 'html':
        return notSent(`${setup.name} takes no documents: set it up anew.`);
    }
  }

  private async sendDocument(html: string, { address, paper }: PrinterSetup): Promise<Delivery> {
    if (address.kind !== 'system') return notSent(NO_PRINTER);
    const { printer, usesOwnPage } = address;
    const { sent, problem = '' } = await printReceipt({ html, width: paper, printer, copies: 1, silent: true, usesOwnPage });
    return sent ? SENT : notSent(problem);
  }

  private async sendBytes(bytes: Buffer, address: Exclude<PrinterAddress, { kind: 'system' }>): Promise<Delivery> {
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
      return inDoubt(cause instanceof Error ? cause.message : String(cause));
    }
  }

  /** A name may lead elsewhere since it was saved. */
  private async sendToHost(bytes: Buffer, { host, port }: { host: string; port: number }): Promise<Delivery> {
    const reach = await reachOf(host);
    if (reach.kind === 'unknown') return notSent(`No printer of the name ${host} is found in the network.`);
    if (reach.kind === 'outside' && !this.file.isAllowed(host))
      return notSent(`${host} is outside of your networks: set the printer up anew.`);
    const place = port === STANDARD_PORT ? host : `${host}:${port}`;
    return sendToNetwork({ address: reach.address, port, place }, bytes);
  }

  /** Returns the reason why an address is refused; undefined if it is accepted. */
  private async admit(address: PrinterAddress, mayGoOutside: MayGoOutside): Promise<string | undefined> {
    const host = address.kind === 'network' ? address.host : address.kind === 'share' ? shareHost(address.share) : undefined;
    if (host === undefined || this.file.isAllowed(host) || (await reachOf(host)).kind !== 'outside') return undefined;
    if (!(await mayGoOutside(host))) return `${host} is outside of your networks. Receipts do not go there.`;
    this.file.allow(host);
    return undefined;
  }
}

/** Standard port of network printers for raw jobs. */
const STANDARD_PORT = 9100;
