import { app, BrowserWindow, dialog, type WebContents } from 'electron';
import {
  CHANNELS,
  PAPER_ACTIONS,
  PAPERS,
  type PaperContent,
  type PaperJob,
  type PaperLine,
  type PrinterSetup,
  type PrintJob,
} from '../bridge/index.ts';
import { isCount, isName, listPrinters, printReceipt, problemOf, ReceiptPrinter, setupFrom } from '../printing/index.ts';
import { type Answer, requireThat } from './calls.ts';

const HTML_BYTES_MAX = 256 * 1024;
const ESCPOS_BYTES_MAX = 64 * 1024;
const PRINTER_NAME_MAX = 256;
const COPIES_MAX = 9;
const TITLE_MAX = 60;
const NOTE_MAX = 400;
const LINES_MAX = 300;
const LINE_MAX = 200;

/** Handles the bridge's calls on printing, and reports each change of the queue to the last page that asked. */
export function answerPrinting(answer: Answer): void {
  let page: WebContents | undefined;
  const printer = new ReceiptPrinter({
    folder: app.getPath('userData'),
    tell: (queue) => {
      if (page !== undefined && !page.isDestroyed()) page.send(CHANNELS.paperQueue, queue);
    },
  });
  answer(CHANNELS.printReceipt, (input) => printReceipt(printJobIn(input)));
  answer(CHANNELS.listPrinters, (input, sender) => {
    requireThat(input.length === 0, 'listPrinters takes nothing');
    return listPrinters(sender);
  });
  answer(CHANNELS.readPrinter, (input) => {
    requireThat(input.length === 0, 'readPrinter takes nothing');
    return printer.setup;
  });
  answer(CHANNELS.savePrinter, ([setup, ...more], sender) => {
    requireThat(more.length === 0, 'savePrinter takes a printer or null');
    return printer.save(setup === null ? null : setupIn(setup), (host) => mayGoOutside(host, sender));
  });
  answer(CHANNELS.testPrinter, ([setup, ...more], sender) => {
    requireThat(more.length === 0, 'testPrinter takes a printer');
    return printer.test(setupIn(setup), (host) => mayGoOutside(host, sender));
  });
  answer(CHANNELS.sendPaper, (input, sender) => {
    page = sender;
    return printer.send(paperJobIn(input));
  });
  answer(CHANNELS.readPaperQueue, (input, sender) => {
    requireThat(input.length === 0, 'readPaperQueue takes nothing');
    page = sender;
    return printer.jobs;
  });
  answer(CHANNELS.actOnPaper, ([id, action, ...more]) => {
    const known = PAPER_ACTIONS.find((one) => one === action);
    requireThat(isCount(id, 1, Number.MAX_SAFE_INTEGER) && more.length === 0, 'actOnPaper takes the id of a job and an action');
    requireThat(known !== undefined, `action is one of ${PAPER_ACTIONS.join(', ')}`);
    return printer.act(id, known);
  });
}

/** Asks in the page's window, where a question does not block the API on any system. */
async function mayGoOutside(host: string, page: WebContents): Promise<boolean> {
  const window = BrowserWindow.fromWebContents(page);
  if (window === null) return false;
  const PRINT = 1;
  const question = {
    message: `Print to ${host}?`,
    detail:
      'It is outside of this computer and its networks. Receipts would go there over the internet, readable for whoever is in between.',
    buttons: ['Cancel', 'Print there'],
  };
  const { response } = await dialog.showMessageBox(window, { type: 'warning', ...question, defaultId: 0, cancelId: 0 });
  return response === PRINT;
}

function setupIn(given: unknown): PrinterSetup {
  const problem = problemOf(given);
  requireThat(problem === undefined, problem ?? '');
  return setupFrom(given as PrinterSetup);
}

/** Copies the known members of a job, so that other data of a page goes no further. */
function printJobIn(input: unknown[]): PrintJob {
  const [job] = input;
  requireThat(input.length === 1 && typeof job === 'object' && job !== null, 'a print job is an object');
  const { html, width, printer, copies, silent, usesOwnPage = false } = job as Record<keyof PrintJob, unknown>;
  const paper = PAPERS.find((known) => known === width);
  requireThat(isDocument(html), 'html is a document of at most 256 KiB');
  requireThat(paper !== undefined, `width is one of ${PAPERS.join(', ')}`);
  requireThat(printer === undefined || isPrinterName(printer), 'printer is the name of a printer');
  requireThat(isCount(copies, 1, COPIES_MAX), 'copies is 1 to 9');
  requireThat(typeof silent === 'boolean', 'silent is true or false');
  requireThat(typeof usesOwnPage === 'boolean', 'usesOwnPage is true or false');
  return { html, width: paper, copies, silent, ...(usesOwnPage ? { usesOwnPage } : {}), ...(printer === undefined ? {} : { printer }) };
}

function paperJobIn(input: unknown[]): PaperJob {
  const [job] = input;
  requireThat(input.length === 1 && typeof job === 'object' && job !== null, 'a job is an object');
  const { key, title, content, copies, follows, isUrgent, note } = job as Record<keyof PaperJob, unknown>;
  requireThat(typeof key === 'string' && /^[\w-]{8,64}$/.test(key), 'key is 8 to 64 letters, digits and dashes');
  requireThat(isName(title, TITLE_MAX), `title has 1 to ${TITLE_MAX} characters`);
  requireThat(isCount(copies, 1, COPIES_MAX), 'copies is 1 to 9');
  requireThat(typeof follows === 'boolean' && typeof isUrgent === 'boolean', 'follows and isUrgent are true or false');
  requireThat(typeof note === 'string' && note.length <= NOTE_MAX, `note has at most ${NOTE_MAX} characters`);
  return { key, title, content: contentIn(content), copies, follows, isUrgent, note };
}

function contentIn(given: unknown): PaperContent {
  requireThat(typeof given === 'object' && given !== null, 'content is an object');
  const { kind, base64, lines, html, width } = given as Record<string, unknown>;
  if (kind === 'escpos') {
    const isBase64 = typeof base64 === 'string' && base64 !== '' && base64.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
    requireThat(isBase64 && Buffer.byteLength(base64, 'base64') <= ESCPOS_BYTES_MAX, 'base64 is at most 64 KiB of bytes');
    return { kind, base64 };
  }
  if (kind === 'lines') {
    requireThat(Array.isArray(lines) && lines.length >= 1 && lines.length <= LINES_MAX, `lines are 1 to ${LINES_MAX}`);
    return { kind, lines: lines.map(lineIn) };
  }
  const paper = PAPERS.find((known) => known === width);
  requireThat(kind === 'html', 'content is of the kind escpos, lines or html');
  requireThat(isDocument(html), 'html is a document of at most 256 KiB');
  requireThat(paper !== undefined, `width is one of ${PAPERS.join(', ')}`);
  return { kind, html, width: paper };
}

function lineIn(given: unknown): PaperLine {
  const { text, isLoud } = (typeof given === 'object' && given !== null ? given : {}) as Record<keyof PaperLine, unknown>;
  requireThat(typeof text === 'string' && text.length <= LINE_MAX, `a line has at most ${LINE_MAX} characters`);
  requireThat(typeof isLoud === 'boolean', 'isLoud is true or false');
  return { text, isLoud };
}

function isDocument(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= HTML_BYTES_MAX;
}

function isPrinterName(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= PRINTER_NAME_MAX && !/\p{Cc}/u.test(value);
}
