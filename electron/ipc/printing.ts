import { app, BrowserWindow, dialog, type WebContents } from 'electron';
import type { ForbiddenTarget } from '#core/platform/outbound';
import {
  CHANNELS,
  PAPER_SIZES,
  PRINT_JOB_ACTIONS,
  type PrintContent,
  type PrinterSetup,
  type PrintJob,
  type PrintLine,
  type SystemPrintJob,
} from '../bridge/index.ts';
import { t } from '../language/index.ts';
import { copySetup, isCount, isName, listPrinters, printReceipt, ReceiptPrinter, type Risk, validateSetup } from '../printing/index.ts';
import { type RegisterHandler, requireThat } from './handler-registry.ts';

const HTML_BYTES_MAX = 256 * 1024;
const ESCPOS_BYTES_MAX = 64 * 1024;
const PRINTER_NAME_MAX = 256;
const COPIES_MAX = 9;
const TITLE_MAX = 60;
const METADATA_MAX = 400;
const LINES_MAX = 300;
const QR_MAX = 100;
const LINE_MAX = 200;

/** Registers the handlers of the printing calls, and reports each change of the queue to the page that used it last. */
export function registerPrintingHandlers(register: RegisterHandler, ownAddresses: () => readonly ForbiddenTarget[]): void {
  let page: WebContents | undefined;
  const printer = new ReceiptPrinter({
    folder: app.getPath('userData'),
    ownAddresses,
    onQueueChange: (queue) => {
      if (page !== undefined && !page.isDestroyed()) page.send(CHANNELS.printQueue, queue);
    },
  });
  register(CHANNELS.printReceipt, (input) => printReceipt(parseSystemPrintJob(input)));
  register(CHANNELS.listPrinters, (input, sender) => {
    requireThat(input.length === 0, 'listPrinters takes no arguments');
    return listPrinters(sender);
  });
  register(CHANNELS.readPrinter, (input) => {
    requireThat(input.length === 0, 'readPrinter takes no arguments');
    return printer.setup;
  });
  register(CHANNELS.savePrinter, ([setup, ...rest], sender) => {
    requireThat(rest.length === 0, 'savePrinter takes a printer or null');
    return printer.save(setup === null ? null : parseSetup(setup), (destination, risk) => confirmDestination(destination, risk, sender));
  });
  register(CHANNELS.testPrinter, ([setup, ...rest], sender) => {
    requireThat(rest.length === 0, 'testPrinter takes a printer');
    return printer.test(parseSetup(setup), (destination, risk) => confirmDestination(destination, risk, sender));
  });
  register(CHANNELS.queuePrintJob, (input, sender) => {
    page = sender;
    return printer.send(parsePrintJob(input));
  });
  register(CHANNELS.readPrintQueue, (input, sender) => {
    requireThat(input.length === 0, 'readPrintQueue takes no arguments');
    page = sender;
    return printer.jobs;
  });
  register(CHANNELS.actOnPrintJob, ([id, action, ...rest]) => {
    const knownAction = PRINT_JOB_ACTIONS.find((one) => one === action);
    requireThat(isCount(id, 1, Number.MAX_SAFE_INTEGER) && rest.length === 0, 'actOnPrintJob takes the id of a job and an action');
    requireThat(knownAction !== undefined, `action is one of ${PRINT_JOB_ACTIONS.join(', ')}`);
    return printer.act(id, knownAction);
  });
}

/** Asks a person in the page's window, where a dialog does not block the API on any system. */
async function confirmDestination(destination: string, risk: Risk, page: WebContents): Promise<boolean> {
  const window = BrowserWindow.fromWebContents(page);
  if (window === null) return false;
  const PRINT_BUTTON = 1;
  const question = {
    message: t('Print to {{host}}?', { host: destination }),
    detail:
      risk === 'outside'
        ? t(
            'This address is outside this computer and its networks. Receipts would be sent unencrypted, and others could read them on the way.',
          )
        : t(
            'Printers do not usually use this port. If another program listens there, it would receive the receipts as commands. Continue only if the manual of your printer names this port.',
          ),
    buttons: [t('Cancel'), t('Print to this address')],
  };
  const { response } = await dialog.showMessageBox(window, { type: 'warning', ...question, defaultId: 0, cancelId: 0 });
  return response === PRINT_BUTTON;
}

function parseSetup(value: unknown): PrinterSetup {
  const problem = validateSetup(value);
  requireThat(problem === undefined, problem ?? '');
  return copySetup(value as PrinterSetup);
}

/** Checks a job and copies its known members, so that no other data of the page is passed on. */
function parseSystemPrintJob(input: unknown[]): SystemPrintJob {
  const [job] = input;
  requireThat(input.length === 1 && typeof job === 'object' && job !== null, 'a print job is an object');
  const { html, width, printer, copies, silent, usesOwnPage = false } = job as Record<keyof SystemPrintJob, unknown>;
  const paper = PAPER_SIZES.find((known) => known === width);
  requireThat(isDocument(html), 'html is a document of at most 256 KiB');
  requireThat(paper !== undefined, `width is one of ${PAPER_SIZES.join(', ')}`);
  requireThat(printer === undefined || isPrinterName(printer), 'printer is the name of a printer');
  requireThat(isCount(copies, 1, COPIES_MAX), 'copies is 1 to 9');
  requireThat(typeof silent === 'boolean', 'silent is true or false');
  requireThat(typeof usesOwnPage === 'boolean', 'usesOwnPage is true or false');
  return { html, width: paper, copies, silent, ...(usesOwnPage ? { usesOwnPage } : {}), ...(printer === undefined ? {} : { printer }) };
}

function parsePrintJob(input: unknown[]): PrintJob {
  const [job] = input;
  requireThat(input.length === 1 && typeof job === 'object' && job !== null, 'a job is an object');
  const { key, title, content, copies, isFollowUp, isUrgent, metadata } = job as Record<keyof PrintJob, unknown>;
  requireThat(typeof key === 'string' && /^[\w-]{8,64}$/.test(key), 'key is 8 to 64 letters, digits and dashes');
  requireThat(isName(title, TITLE_MAX), `title has 1 to ${TITLE_MAX} characters`);
  requireThat(isCount(copies, 1, COPIES_MAX), 'copies is 1 to 9');
  requireThat(typeof isFollowUp === 'boolean' && typeof isUrgent === 'boolean', 'isFollowUp and isUrgent are true or false');
  requireThat(typeof metadata === 'string' && metadata.length <= METADATA_MAX, `metadata has at most ${METADATA_MAX} characters`);
  return { key, title, content: parseContent(content), copies, isFollowUp, isUrgent, metadata };
}

function parseContent(value: unknown): PrintContent {
  requireThat(typeof value === 'object' && value !== null, 'content is an object');
  const { kind, base64, lines, qr, html, width } = value as Record<string, unknown>;
  if (kind === 'escpos') {
    const isBase64 = typeof base64 === 'string' && base64 !== '' && base64.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
    requireThat(isBase64 && Buffer.byteLength(base64, 'base64') <= ESCPOS_BYTES_MAX, 'base64 is at most 64 KiB of bytes');
    return { kind, base64 };
  }
  if (kind === 'lines') {
    requireThat(Array.isArray(lines) && lines.length >= 1 && lines.length <= LINES_MAX, `lines are 1 to ${LINES_MAX}`);
    requireThat(qr === undefined || (typeof qr === 'string' && qr.length <= QR_MAX), `qr has at most ${QR_MAX} characters`);
    return { kind, lines: lines.map(parseLine), ...(qr !== undefined && { qr }) };
  }
  const paper = PAPER_SIZES.find((known) => known === width);
  requireThat(kind === 'html', 'content is of the kind escpos, lines or html');
  requireThat(isDocument(html), 'html is a document of at most 256 KiB');
  requireThat(paper !== undefined, `width is one of ${PAPER_SIZES.join(', ')}`);
  return { kind, html, width: paper };
}

function parseLine(value: unknown): PrintLine {
  const { text, isBold } = (typeof value === 'object' && value !== null ? value : {}) as Record<keyof PrintLine, unknown>;
  requireThat(typeof text === 'string' && text.length <= LINE_MAX, `a line has at most ${LINE_MAX} characters`);
  requireThat(typeof isBold === 'boolean', 'isBold is true or false');
  return { text, isBold };
}

function isDocument(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= HTML_BYTES_MAX;
}

function isPrinterName(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= PRINTER_NAME_MAX && !/\p{Cc}/u.test(value);
}
