import type { Page } from '@playwright/test';
import type { WebContentsPrintOptions } from 'electron';
import { record } from './record.ts';

const MICRONS_PER_INCH = 25_400;
const SIDE_MICRONS_MIN = 353;
/** Page size in the settings of the double's printers. */
const PRINTER_PAGE_SIZE = { width: 72_000, height: 200_000 };

/** Electron's `print`: throws on the options on which Electron 45 throws, renders the page as a printer does, and ends as `record.printResult` says. */
export function printToQueue(
  opened: Promise<Page>,
  options: WebContentsPrintOptions,
  done: (success: boolean, reason: string) => void,
): void {
  const { deviceName } = options;
  const pageSize = options.usePrinterDefaultPageSize ? PRINTER_PAGE_SIZE : options.pageSize;
  if (typeof pageSize !== 'object')
    throw new Error('The Electron double needs a page size in microns, because Electron uses A4 without one.');
  if (pageSize.width < SIDE_MICRONS_MIN || pageSize.height < SIDE_MICRONS_MIN) {
    throw new Error('height and width properties must be minimum 352 microns.');
  }
  if (options.margins?.marginType !== 'none') throw new Error('The Electron double prints only pages without margins.');
  if (deviceName !== undefined && !record.printers.some(({ name }) => name === deviceName)) {
    setImmediate(done, false, 'Invalid deviceName provided');
    return;
  }
  void renderPdf(opened, pageSize).then((pdf) => {
    record.printed.push({ options, pdf });
    if (record.printResult !== 'no response')
      done(record.printResult === 'taken', record.printResult === 'taken' ? '' : record.printResult);
  });
}

async function renderPdf(opened: Promise<Page>, { width, height }: { width: number; height: number }): Promise<string> {
  const page = await opened;
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.printToPDF', {
    paperWidth: width / MICRONS_PER_INCH,
    paperHeight: height / MICRONS_PER_INCH,
    marginTop: 0,
    marginBottom: 0,
    marginLeft: 0,
    marginRight: 0,
    printBackground: true,
  });
  await devtools.detach();
  return Buffer.from(data, 'base64').toString('latin1');
}
