import type { PrinterSetup } from '../../electron/bridge/printing.ts';
import { type FakePrinter, readEscpos, startFakePrinter } from '../support/fake-printer.ts';
import { freePort } from '../support/free-port.ts';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { InvoicesPage, newInvoice } from './pages/invoices-page.ts';
import { ReportsPage } from './pages/reports-page.ts';
import { SellPage } from './pages/sell-page.ts';
import { bridgeTo } from './shell-bridge.ts';

const setupOn = (printer: FakePrinter, more: Partial<PrinterSetup> = {}): PrinterSetup => ({
  name: 'Front desk',
  address: { kind: 'network', host: '127.0.0.1', port: printer.port },
  paper: '80mm',
  columns: 48,
  codePage: 'cp858',
  cuts: true,
  copies: { customer: 1, merchant: 1 },
  pausesToTear: true,
  drawerPin: 2,
  ...more,
});

const textOf = (bytes: Buffer | undefined) =>
  readEscpos(bytes ?? Buffer.alloc(0))
    .lines.map((line) => line.toString('latin1'))
    .join('\n');
const pulses = (printer: FakePrinter) =>
  printer.jobs.flatMap((bytes) => readEscpos(bytes).commands.filter((command) => command.startsWith('ESC p')));

test('sets up and tests a printer by keyboard only, then prints receipts automatically @full', async ({ signedIn: page, strokes }) => {
  await using printer = await startFakePrinter();
  await bridgeTo(page);
  await page.reload();
  const sell = new SellPage(page);
  await sell.open();
  await strokes.reset();
  await page.getByRole('button', { name: /^Drawer 1/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'This workstation' }).press('Enter');
  await page.getByRole('button', { name: 'Set up' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Receipt printer' });
  await dialog.getByRole('button', { name: 'Test page' }).press('Enter');
  await expect(dialog.getByLabel('Address')).toBeFocused();
  await page.keyboard.type('127.0.0.1');
  await dialog.getByLabel('Port').fill(String(printer.port));
  await dialog.getByRole('button', { name: 'Test page' }).press('Enter');
  await expect(dialog.getByText('Test page sent to Front desk.')).toBeVisible();
  expect(textOf(printer.jobs[0])).toContain('123456789012345678901234567890123456789012345678');
  await dialog.getByRole('button', { name: 'Save printer' }).press('Enter');
  const workstation = page.getByRole('dialog', { name: 'This workstation' });
  await expect(workstation.getByText(`127.0.0.1:${printer.port}, 80 mm roll, 48 columns`)).toBeVisible();
  await workstation.getByLabel('Print when approved').press('Enter');
  await page.getByRole('option', { name: 'Customer and merchant copy' }).press('Enter');
  await page.keyboard.press('Escape');
  expect(strokes.clicks()).toBe(0);

  await sell.amount.focus();
  await sell.sell({ amount: '93' });
  await expect(sell.approved).toBeVisible();
  await expect.poll(() => printer.jobs.length).toBe(3);
  await expect(page.getByText('Customer copy sent to Front desk')).toBeVisible();
  const [, customer, merchant] = printer.jobs;
  expect(textOf(customer)).toContain('93.00 USD');
  expect(textOf(customer)).not.toContain('DUPLICATE');
  expect(textOf(merchant)).toContain('Merchant copy');
  await page.keyboard.press('F8');
  await expect.poll(() => printer.jobs.length).toBe(4);
  expect(textOf(printer.jobs[3])).toContain('*** DUPLICATE ***');
  // A card receipt never opens a drawer.
  expect(pulses(printer)).toEqual([]);
});

test('an unavailable printer never delays a sale; its receipts wait, also through a reload, and print later', async ({
  signedIn: page,
}) => {
  const off = await startFakePrinter(await freePort());
  await off[Symbol.asyncDispose]();
  await bridgeTo(page, setupOn(off));
  await page.reload();
  const sell = new SellPage(page);
  await sell.open();
  for (const [index, amount] of ['94', '95'].entries()) {
    await sell.sell({ amount });
    await expect(sell.approved).toBeVisible();
    await page.keyboard.press('p');
    await expect(page.getByText(/Customer copy was not printed\. No printer accepts jobs/).first()).toBeVisible();
    await expect(page.getByRole('button', { name: `Print queue: ${index + 1} not printed` })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(sell.amount).toBeFocused();
  }
  await page.reload();
  await page.getByRole('button', { name: 'Print queue: 2 not printed' }).click();
  const queue = page.getByRole('dialog', { name: 'Print queue' });
  await expect(queue.getByText('Not sent')).toHaveCount(2);
  await using printer = await startFakePrinter(off.port);
  await queue.getByRole('button', { name: 'Retry Customer copy' }).first().click();
  await expect.poll(() => printer.jobs.length).toBe(1);
  expect(textOf(printer.jobs[0])).toContain('94.00 USD');
  await queue.getByRole('button', { name: 'Remove Customer copy' }).click();
  await expect(queue.getByText('Not sent')).toHaveCount(0);
  // The sale that was printed for an unloaded page is counted by the next page.
  await queue.getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('F9');
  await page.getByRole('row').filter({ hasText: '94.00' }).first().click();
  await page.getByRole('button', { name: 'Print receipt' }).click();
  await page.getByRole('dialog', { name: 'Receipt' }).getByRole('button', { name: 'Print customer copy' }).click();
  await expect.poll(() => printer.jobs.length).toBe(2);
  expect(textOf(printer.jobs[1])).toContain('*** DUPLICATE ***');
});

test('without a cutter, the merchant copy waits for F7 while the sale continues @full', async ({ signedIn: page }) => {
  await using printer = await startFakePrinter();
  await bridgeTo(page, setupOn(printer, { cuts: false, copies: { customer: 2, merchant: 1 } }));
  await page.reload();
  const sell = new SellPage(page);
  await sell.open();
  await sell.sell({ amount: '96' });
  await expect(sell.approved).toBeVisible();
  await page.keyboard.press('p');
  await expect(page.getByText('Next: Customer copy 2 of 2', { exact: true })).toBeVisible();
  expect(printer.jobs).toHaveLength(1);
  await page.keyboard.press('Enter');
  await expect(sell.amount).toBeFocused();
  await page.keyboard.press('F7');
  await expect.poll(() => printer.jobs.length).toBe(2);
  await expect(page.getByText('Tear off the paper, then press Next')).toBeHidden();
});

test('cash opens the drawer with or without a receipt; a check and a reprint do not @full', async ({ signedIn: page, service }) => {
  await using printer = await startFakePrinter();
  await bridgeTo(page, setupOn(printer, { drawerPin: 5 }));
  await page.reload();
  const api = await ApiSession.open(service);
  const { invoiceId, number } = await newInvoice(api);
  const invoices = new InvoicesPage(page);
  await invoices.openOne(invoiceId);
  const recorded = async (amount: string, prints: boolean, check?: string) => {
    await page.keyboard.press('$');
    await expect(invoices.amount).toBeFocused();
    await page.keyboard.type(amount);
    if (check !== undefined) {
      await invoices.drawer.getByRole('button', { name: 'Check' }).click();
      await invoices.drawer.getByLabel('Check number').fill(check);
    }
    if (prints) {
      await invoices.drawer.getByLabel('Print after recording').press('Enter');
      await page.getByRole('option', { name: 'Receipt' }).press('Enter');
    }
    await invoices.action(`Record ${amount}.00 USD${prints ? ' and print' : ''}`).press('Enter');
    await expect(invoices.amount).toBeHidden();
  };
  await recorded('5', true);
  await expect.poll(() => printer.jobs.length).toBe(1);
  expect(pulses(printer)).toEqual(['ESC p 1 50 250']);
  for (const words of [number, 'Payment received', 'Cash', '5.00 USD']) expect(textOf(printer.jobs[0])).toContain(words);
  await recorded('6', false);
  await expect.poll(() => pulses(printer)).toEqual(['ESC p 1 50 250', 'ESC p 1 50 250']);
  await recorded('7', true, '1042');
  await expect.poll(() => printer.jobs.length).toBe(3);
  expect(textOf(printer.jobs[2])).toContain('Check 1042');
  await page.getByRole('button', { name: 'Print the receipt for 5.00 USD' }).click();
  await expect.poll(() => printer.jobs.length).toBe(4);
  expect(textOf(printer.jobs[3])).toContain('*** DUPLICATE ***');
  expect(pulses(printer)).toHaveLength(2);
});

test('prints the daily close as text on a receipt printer with aligned amounts @full', async ({ signedIn: page }) => {
  await using printer = await startFakePrinter();
  await bridgeTo(page, setupOn(printer, { paper: '58mm', columns: 32 }));
  await page.reload();
  await new ReportsPage(page).open();
  await page.getByRole('button', { name: 'Print daily close' }).click();
  await expect(page.getByText('Day so far sent to Front desk')).toBeVisible();
  const lines = textOf(printer.jobs[0]).split('\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(32);
  expect(lines.find((line) => line.startsWith('Net'))).toMatch(/^Net +-?[\d,]+\.\d\d$/);
  const figures = lines.filter((line) => /\d\.\d\d$/.test(line));
  expect(new Set(figures.map((line) => line.length))).toEqual(new Set([32]));
  expect(lines.join(' ')).toContain('*** SANDBOX ***');
});

test('the printer setup, its queue and the drawer dialog are accessible in either color scheme @full', async ({
  signedIn: page,
  faults,
}) => {
  faults.expect(/409|422/);
  await using printer = await startFakePrinter();
  await bridgeTo(page, setupOn(printer, { cuts: false, copies: { customer: 2, merchant: 1 } }));
  await page.reload();
  const sell = new SellPage(page);
  await sell.open();
  await page.getByRole('button', { name: /^Drawer 1/ }).click();
  await page.getByRole('menuitem', { name: 'This workstation' }).click();
  await page.getByRole('button', { name: 'Change' }).click();
  await expectAccessible(page, 'printer');
  await page.keyboard.press('Escape');
  await sell.amount.focus();
  await sell.sell({ amount: '97' });
  await expect(sell.approved).toBeVisible();
  await page.keyboard.press('p');
  await expect(page.getByText('Tear off the paper, then press Next')).toBeVisible();
  await expectAccessible(page, 'tear-off bar');
  await page.getByRole('button', { name: 'Print queue: 1 waiting' }).click();
  await expect(page.getByRole('dialog', { name: 'Print queue' })).toBeVisible();
  await expectAccessible(page, 'print queue');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Go to anything' })).toBeFocused();
  await page.keyboard.type('cash drawer');
  await page.getByRole('option', { name: 'Open the cash drawer' }).click();
  const drawer = page.getByRole('dialog', { name: /^Open .* without a sale$/ });
  await drawer.getByRole('button', { name: 'Open drawer' }).click();
  await expect(drawer.getByText('Enter a reason. It is needed when the cash is counted.')).toBeVisible();
  await expectAccessible(page, 'drawer');
  await drawer.getByLabel('Reason').fill('Change for the till');
  await page.keyboard.press('Enter');
  await expect.poll(() => pulses(printer)).toEqual(['ESC p 0 50 250']);
  await expect(drawer).toBeHidden();
});
