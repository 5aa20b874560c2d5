import { type IpcMainInvokeEvent, ipcMain } from 'electron';
import { CHANNELS, type Notice, PAPERS, type PrintJob } from './bridge.ts';
import { showNotice } from './notices.ts';
import { listPrinters, printReceipt } from './printing.ts';
import { isOurs } from './trusted-url.ts';

const HTML_BYTES_MAX = 256 * 1024;
const PRINTER_NAME_MAX = 256;
const COPIES_MAX = 9;
const TITLE_MAX = 80;
const BODY_MAX = 200;

/** Answers the bridge's calls; `open` brings a screen to the front. Each is refused unless it comes from the main frame of a page of ours with input of the documented shape. */
export function handleIpc(baseUrl: string, open: (path: string) => void): void {
  ipcMain.handle(CHANNELS.printReceipt, (event, ...input: unknown[]) => {
    requireOurPage(event, baseUrl);
    return printReceipt(printJobIn(input));
  });
  ipcMain.handle(CHANNELS.listPrinters, (event, ...input: unknown[]) => {
    requireOurPage(event, baseUrl);
    requireThat(input.length === 0, 'listPrinters takes nothing');
    return listPrinters(event.sender);
  });
  ipcMain.handle(CHANNELS.notify, (event, ...input: unknown[]) => {
    requireOurPage(event, baseUrl);
    const notice = noticeIn(input);
    showNotice(notice, () => open(notice.open));
  });
}

function requireOurPage(event: IpcMainInvokeEvent, baseUrl: string): void {
  const frame = event.senderFrame;
  // A sandboxed frame has our address and a null origin.
  const isOurPage = frame !== null && frame.parent === null && isOurs(frame.url, baseUrl) && frame.origin === new URL(baseUrl).origin;
  requireThat(isOurPage, 'only our own page may ask this');
}

/** Makes a job anew from its known members, so that nothing else a page sends goes further. */
function printJobIn(input: unknown[]): PrintJob {
  const [job] = input;
  requireThat(input.length === 1 && typeof job === 'object' && job !== null, 'a print job is an object');
  const { html, width, printer, copies, silent } = job as Record<keyof PrintJob, unknown>;
  const paper = PAPERS.find((known) => known === width);
  requireThat(
    typeof html === 'string' && html !== '' && Buffer.byteLength(html) <= HTML_BYTES_MAX,
    'html is a document of at most 256 KiB',
  );
  requireThat(paper !== undefined, `width is one of ${PAPERS.join(', ')}`);
  requireThat(printer === undefined || isPrinterName(printer), 'printer is the name of a printer');
  requireThat(typeof copies === 'number' && Number.isInteger(copies) && copies >= 1 && copies <= COPIES_MAX, 'copies is 1 to 9');
  requireThat(typeof silent === 'boolean', 'silent is true or false');
  return { html, width: paper, copies, silent, ...(printer === undefined ? {} : { printer }) };
}

function noticeIn(input: unknown[]): Notice {
  const [notice] = input;
  requireThat(input.length === 1 && typeof notice === 'object' && notice !== null, 'a notice is an object');
  const { title, body, open } = notice as Record<keyof Notice, unknown>;
  requireThat(typeof title === 'string' && title !== '' && title.length <= TITLE_MAX, `title has 1 to ${TITLE_MAX} characters`);
  requireThat(typeof body === 'string' && body.length <= BODY_MAX, `body has at most ${BODY_MAX} characters`);
  requireThat(typeof open === 'string' && /^\/[a-z-]+(\/[\w-]+)?$/.test(open), 'open is a path of a screen');
  return { title, body, open };
}

function isPrinterName(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= PRINTER_NAME_MAX && !/\p{Cc}/u.test(value);
}

function requireThat(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new TypeError(`Refused: ${rule}.`);
}
