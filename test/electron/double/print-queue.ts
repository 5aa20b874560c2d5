import type { Page } from '@playwright/test';
import type { WebContentsPrintOptions } from 'electron';
import { record } from './record.ts';

const MICRONS_PER_INCH = 25_400;
const SIDE_MICRONS_MIN = 353;
/** What the double's printers are set to. */
const PRINTERS_OWN = { width: 72_000, height: 200_000 };

/** Electron's `print`: throws on options that Electron 45 throws on, lays the page out as a printer would, and takes the job or not as the record says. */
export function printToQueue(
  opened: Promise<Page>,
  options: WebContentsPrintOptions,
  done: (success: boolean, reason: string) => void,
): void {
  const { deviceName } = options;
  const pageSize = options.usePrinterDefaultPageSize ? PRINTERS_OWN : options.pageSize;
  if (typeof pageSize !== 'object') throw new Error('the double prints on sizes in microns, since Electron takes A4 for none');
  if (pageSize.width < SIDE_MICRONS_MIN || pageSize.height < SIDE_MICRONS_MIN) {
    throw new Error('height and width properties must be minimum 352 microns.');
  }
  if (options.margins?.marginType !== 'none') throw new Error('the double knows pages without margins only');
  if (deviceName !== undefined && !record.printers.some(({ name }) => name === deviceName)) {
    setImmediate(done, false, 'Invalid deviceName provided');
    return;
  }
  void layOut(opened, pageSize).then((pdf) => {
    record.printed.push({ options, pdf });
    if (record.printing !== 'silence') done(record.printing === 'taken', record.printing === 'taken' ? '' : record.printing);
  });
}

async function layOut(opened: Promise<Page>, { width, height }: { width: number; height: number }): Promise<string> {
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
