import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PrintOutcome, SystemPrintJob } from '#bridge';
import { FULL } from '../support/tier.ts';
import { PAGE_WITHOUT_SCRIPT, showPage } from './common-tests.ts';
import { asShell, type DoubleShell, launchDouble, WITHOUT_SCREENS } from './shell.ts';

const POINTS_PER_MM = 72 / 25.4;

let shell: DoubleShell;

beforeAll(async () => {
  shell = await launchDouble();
  await showPage(asShell(shell), PAGE_WITHOUT_SCRIPT);
});
afterAll(() => shell.stop());
afterEach(() =>
  shell.evaluate(({ record }) => {
    record.printed = [];
    record.printResult = 'taken';
  }, undefined),
);

const LINE_MM = 10;
const receipt = (lines: number) =>
  `<!doctype html><style>body { margin: 0 } p { margin: 0; height: ${LINE_MM}mm }</style>${'<p>1 x Coffee 3.50</p>'.repeat(lines)}`;

function print(job: Partial<SystemPrintJob>): Promise<PrintOutcome> {
  return shell.inPage(`paydesk.printReceipt(${JSON.stringify({ html: receipt(20), width: '80mm', copies: 1, silent: true, ...job })})`);
}

async function printed() {
  const jobs = await shell.evaluate(({ record }) => record.printed, undefined);
  return jobs.map(({ options, pdf }) => {
    const boxes = [...pdf.matchAll(/\/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]/g)];
    return { options, pages: boxes.map(([, width, height]) => [Number(width) / POINTS_PER_MM, Number(height) / POINTS_PER_MM] as const) };
  });
}

test.each([
  ['58mm', 58, 58_000],
  ['80mm', 80, 80_000],
] as const)('prints a receipt on a %s roll as one page as wide as the roll and as long as the content', async (width, widthMm, microns) => {
  expect(await print({ width, html: receipt(20) })).toEqual({ sent: true });
  const [job] = await printed();
  expect(job?.options).toMatchObject({ pageSize: { width: microns }, margins: { marginType: 'none' }, silent: true, copies: 1 });
  expect(job?.options).not.toHaveProperty('usePrinterDefaultPageSize');
  expect(job?.pages).toHaveLength(1);
  expect(job?.pages[0]?.[0]).toBeCloseTo(widthMm, 0);
  expect(job?.pages[0]?.[1]).toBeGreaterThan(20 * LINE_MM);
  expect(job?.pages[0]?.[1]).toBeLessThan(20 * LINE_MM + 2);
});

test('does not rotate a receipt that is wider than long', async () => {
  await print({ html: receipt(1) });
  expect((await printed())[0]?.options.pageSize).toEqual({ width: 80_000, height: 80_000 });
});

test('prints a receipt that exceeds the page length on several pages', async () => {
  await print({ html: receipt(300) });
  const [job] = await printed();
  expect(job?.options.pageSize).toEqual({ width: 80_000, height: 2_000_000 });
  expect(job?.pages.length).toBe(2);
});

test('prints US letter with its size in microns', async () => {
  await print({ width: 'letter' });
  const [job] = await printed();
  expect(job?.options.pageSize).toEqual({ width: 215_900, height: 279_400 });
  expect(job?.pages).toHaveLength(1);
});

test('uses the requested printer, copies and dialog', async () => {
  expect(await print({ printer: 'Front_Desk', copies: 3, silent: false })).toEqual({ sent: true });
  expect(await print({})).toEqual({ sent: true });
  const [named, plain] = await printed();
  expect(named?.options).toMatchObject({ deviceName: 'Front_Desk', copies: 3, silent: false });
  expect(plain?.options).not.toHaveProperty('deviceName');
});

test('runs no script of a receipt and loads nothing from a network', async () => {
  const html = `<!doctype html><p>1</p><script>document.body.innerHTML = '<p style="height: 500mm">'</script><img src="http://127.0.0.1:9/pixel"><meta http-equiv="refresh" content="0;url=/health">`;
  expect(await print({ html })).toEqual({ sent: true });
  expect((await printed())[0]?.options.pageSize).toEqual({ width: 80_000, height: 80_000 });
  expect(new Set(await shell.evaluate(({ record }) => record.loadsRefused, undefined))).toEqual(new Set(['http://127.0.0.1:9/pixel']));
});

test('returns the reason of the printer as the problem', async () => {
  expect(await print({ printer: 'Nowhere' })).toEqual({ sent: false, problem: 'Invalid deviceName provided' });
  await shell.evaluate(({ record }) => {
    record.printResult = 'Print job failed';
  }, undefined);
  expect(await print({})).toEqual({ sent: false, problem: 'Print job failed' });
});

test('refuses further receipts while four wait for a stuck printer', async () => {
  await shell.evaluate(({ record }) => {
    record.printResult = 'no response';
  }, undefined);
  await shell.inPage(
    `void Array.from({ length: 4 }, () => paydesk.printReceipt(${JSON.stringify({ html: '<p>1', width: 'letter', copies: 1, silent: true })})), 1`,
  );
  expect(await print({})).toEqual({ sent: false, problem: 'Earlier receipts are still waiting for their printers.' });
});

test('closes the hidden window of a printed receipt', FULL, async () => {
  const fresh = await launchDouble([WITHOUT_SCREENS]);
  try {
    const job = JSON.stringify({ html: receipt(2), width: '58mm', copies: 1, silent: true });
    await fresh.inPage(`paydesk.printReceipt(${job})`);
    expect(await fresh.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, undefined)).toBe(1);
  } finally {
    await fresh.stop();
  }
});
