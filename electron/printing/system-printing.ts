import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserWindow, type WebContents, type WebContentsPrintOptions } from 'electron';
import type { PaperSize, Printer, PrintOutcome, SystemPrintJob } from '../bridge/printing.ts';
import { WEB_PREFERENCES } from '../security.ts';

const MICRONS_PER_MM = 1000;
const MICRONS_PER_CSS_PX = 25_400 / 96;
const ROLL_WIDTH_MM = { '58mm': 58, '80mm': 80 } as const;
const LETTER = { width: 215_900, height: 279_400 };

/** Largest page length; longer content continues on more pages. Drivers of roll printers support three to four meters. */
const ROLL_LENGTH_MM_MAX = 2000;

/** Time limits for the system to accept a job: without a dialog, and with one that a person answers. */
const SILENT_TIMEOUT_MS = 60_000;
const DIALOG_TIMEOUT_MS = 10 * 60_000;

const CONCURRENT_JOBS_MAX = 4;
let runningJobs = 0;

/**
 * Prints a receipt from a hidden window, in which no script runs. On a roll the page is as long as the receipt, unless `usesOwnPage` is set,
 * because some drivers accept only their own page size. Never throws: a failure is the outcome's `problem`.
 */
export async function printReceipt(job: SystemPrintJob): Promise<PrintOutcome> {
  if (runningJobs >= CONCURRENT_JOBS_MAX) return { sent: false, problem: 'Earlier receipts are still waiting for their printers.' };
  const window = new BrowserWindow({ show: false, webPreferences: { ...WEB_PREFERENCES, javascript: false } });
  runningJobs += 1;
  try {
    window.webContents.on('will-frame-navigate', (event) => event.preventDefault());
    await window.loadURL(`data:text/html;charset=utf-8;base64,${Buffer.from(job.html).toString('base64')}`);
    return await send(window.webContents, {
      ...(await pageOptions(window.webContents, job)),
      silent: job.silent,
      copies: job.copies,
      margins: { marginType: 'none' },
      printBackground: true,
      ...(job.printer === undefined ? {} : { deviceName: job.printer }),
    });
  } catch (cause) {
    return { sent: false, problem: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    runningJobs -= 1;
    window.destroy();
  }
}

/** Returns the page options. A size is required: Electron prints on A4 for an invalid one, and throws without any. */
async function pageOptions(contents: WebContents, { width, usesOwnPage = false }: SystemPrintJob): Promise<WebContentsPrintOptions> {
  if (usesOwnPage) return { usePrinterDefaultPageSize: true };
  return { pageSize: width === 'letter' ? LETTER : await measureRollPage(contents, width) };
}

/** Returns the printers of the operating system. */
export async function listPrinters(contents: WebContents): Promise<Printer[]> {
  const printers = await contents.getPrintersAsync();
  return printers.map(({ name, displayName, description }) => ({ name, displayName, description }));
}

/**
 * Returns a page with the width of the roll and the length of the content, in microns. The length is measured with the debugger, because
 * the page runs no script and a hidden window has another size.
 */
async function measureRollPage(contents: WebContents, paper: Exclude<PaperSize, 'letter'>): Promise<{ width: number; height: number }> {
  const width = ROLL_WIDTH_MM[paper] * MICRONS_PER_MM;
  contents.debugger.attach('1.3');
  try {
    const viewport = { width: Math.floor(width / MICRONS_PER_CSS_PX), height: 1, deviceScaleFactor: 1, mobile: false };
    await contents.debugger.sendCommand('Emulation.setEmulatedMedia', { media: 'print' });
    await contents.debugger.sendCommand('Emulation.setDeviceMetricsOverride', viewport);
    const { cssContentSize } = (await contents.debugger.sendCommand('Page.getLayoutMetrics')) as { cssContentSize: { height: number } };
    const height = Math.ceil((cssContentSize.height + 1) * MICRONS_PER_CSS_PX);
    // Drivers rotate a page that is wider than long, so it is at least square.
    return { width, height: Math.min(Math.max(height, width), ROLL_LENGTH_MM_MAX * MICRONS_PER_MM) };
  } finally {
    contents.debugger.detach();
  }
}

async function send(contents: WebContents, options: WebContentsPrintOptions): Promise<PrintOutcome> {
  const outcome = new Promise<PrintOutcome>((resolve) => {
    contents.print(options, (sent, reason) => resolve(sent ? { sent } : { sent, problem: reason || 'The printer refused the receipt.' }));
  });
  const timedOut: PrintOutcome = { sent: false, problem: 'The printer did not answer. Check whether it printed before you try again.' };
  const timer = new AbortController();
  const timeoutMs = options.silent ? SILENT_TIMEOUT_MS : DIALOG_TIMEOUT_MS;
  const timeout = sleep(timeoutMs, timedOut, { signal: timer.signal }).catch(() => timedOut);
  return Promise.race([outcome, timeout]).finally(() => timer.abort());
}
