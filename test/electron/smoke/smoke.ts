import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect as expectSoon, type Page } from '@playwright/test';
import type { UpdateState } from '#bridge';
import { FirstRunPage } from '../../e2e/pages/first-run-page.ts';
import { SellPage } from '../../e2e/pages/sell-page.ts';
import { SignInPage } from '../../e2e/pages/sign-in-page.ts';
import { type FakePrinter, readEscpos, startFakePrinter } from '../../support/fake-printer.ts';
import { cardBody } from '../../support/sales.ts';
import { pause, until } from '../../support/until.ts';
import { beginPayment, type PendingPayment } from '../pending-payment.ts';
import { type Application, RunningApplication, startWithLink } from './application.ts';
import { type StepResult, writeReport } from './report.ts';
import { startUpdateFeed, type UpdateFeed } from './update-feed.ts';

const EMAIL = 'owner@bakery.example';
const PASSWORD = 'three loaves rising slowly';
/** Time in which an application must stay open after the request to quit. */
const WAITS_MS = 2_000;
const STEP_MS = 200;
const SAMPLE_DATA_TIMEOUT_MS = 120_000;
/** Ports at which the application prints without a question. */
const PRINTER_PORTS = [9_100, 9_101, 9_102, 9_103, 9_104, 9_105, 9_106, 9_107, 9_108, 9_109];

const expect = expectSoon.configure({ timeout: 60_000 });

/** Functions of the application that the page can call. */
declare const paydesk: {
  checkForUpdate(): Promise<unknown>;
  readUpdate(): Promise<UpdateState>;
  restartToUpdate(): Promise<{ restarting: boolean; problem?: string }>;
};

/** A step that cannot run here. */
class NotRun extends Error {}

/**
 * Uses the application as a person does: first run, a sale, printing to a file, lock and unlock, a link, an update, and quitting with a payment in flight.
 * Writes a report with pictures. Returns true if no step failed; the steps after a failed one do not run.
 */
export async function smokeTest(application: Application, report: string): Promise<boolean> {
  rmSync(report, { recursive: true, force: true });
  mkdirSync(report, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-smoke-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const printer = await startPrinter();
  const feed = application.updates && (await startUpdateFeed(folder, application.updates));
  const installed: Application = { ...application, env: { ...application.env, XDG_CONFIG_HOME: join(folder, 'config'), ...feed?.env } };
  const results: StepResult[] = [];
  const running: RunningApplication[] = [];
  const start = async (...more: string[]) => {
    const started = await RunningApplication.start(installed, dataDir, more);
    running.push(started);
    return { started, page: await started.mainWindow() };
  };
  let page: Page | undefined;
  const step = async (name: string, run: () => Promise<string>) => {
    if (results.some(({ status }) => status === 'failed'))
      return void results.push({ name, status: 'not run', seconds: 0, detail: 'An earlier step failed.', picture: null });
    const begin = Date.now();
    const [status, detail] = await run().then(
      (seen) => ['passed', seen] as const,
      (error: Error) => [error instanceof NotRun ? 'not run' : 'failed', error.message] as const,
    );
    const picture = `${String(results.length + 1).padStart(2, '0')}-${name.toLowerCase().replaceAll(/\W+/g, '-')}.png`;
    const isTaken = await page?.screenshot({ path: join(report, picture), timeout: 10_000 }).then(
      () => true,
      () => false,
    );
    results.push({ name, status, seconds: (Date.now() - begin) / 1_000, detail, picture: isTaken ? picture : null });
  };
  /** The window of the steps; each runs only after the one that opens it. */
  const opened = () => {
    if (page === undefined) throw new Error('The window is not open.');
    return page;
  };

  try {
    await step('Start', async () => {
      ({ page } = await start());
      await expect(page.getByRole('radio', { name: /Sandbox/ })).toBeFocused();
      return `The window shows ${page.url()}.`;
    });
    await step('First run', () => firstRun(opened(), printer));
    await step('Sale', () => sell(opened()));
    await step('Print to a file', () => print(opened(), printer, report));
    await step('Lock and unlock', () => lock(opened()));
    await step('Deep link', async () => {
      await startWithLink(installed, dataDir, 'paydesk://sale?amount=19.99&order=A-17');
      await expect(new SellPage(opened()).amount).toHaveValue('19.99');
      return 'A second start with a link filled in the sale of the first one.';
    });
    await step('Update', async () => {
      if (feed === null)
        throw new NotRun(
          'On this system, the update server is a part of what the system verifies. Install a signed version over this one.',
        );
      return update(opened(), running.at(-1) as RunningApplication, feed);
    });
    let payment: PendingPayment | undefined;
    await step('Quit with a payment in flight', async () => {
      if (feed !== null) ({ page } = await start());
      payment = await beginSale(opened());
      return keepsRunning(running.at(-1) as RunningApplication);
    });
    await step('Response of the payment', () => finish(running.at(-1) as RunningApplication, payment as PendingPayment));
    return writeReport(report, application.program, results);
  } finally {
    for (const each of running) await each.kill();
    await feed?.[Symbol.asyncDispose]();
    await printer[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function firstRun(page: Page, printer: FakePrinter): Promise<string> {
  const steps = new FirstRunPage(page);
  await page.keyboard.press('Enter');
  await expect(steps.businessName).toBeFocused();
  await page.keyboard.type('Corner Bakery');
  await page.keyboard.press('Enter');
  await expect(steps.email).toBeFocused();
  await page.keyboard.type(EMAIL);
  await page.keyboard.press('Enter');
  await expect(steps.password).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await expect(page.getByText('Strong.')).toBeVisible();
  await page.keyboard.press('Enter');
  const shows = (title: string, timeout = 60_000) => steps.expectStep(title, { timeout });
  await shows('Database');
  await page.keyboard.press('Enter');
  await shows('Receipt printer', SAMPLE_DATA_TIMEOUT_MS);
  await page.getByLabel('Address').fill('127.0.0.1');
  await page.getByLabel('Port').fill(String(printer.port));
  await page.getByRole('button', { name: 'Save printer' }).click();
  await shows('Paydesk is set up');
  await expect(page.locator('button:focus')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(new SellPage(page).amount).toHaveValue('10.00');
  return 'A sandbox and a receipt printer were set up.';
}

async function sell(page: Page): Promise<string> {
  const screen = new SellPage(page);
  await page.keyboard.press('Enter');
  await page.keyboard.type('4111111111111111122812304101');
  await page.keyboard.press('Enter');
  await expect(screen.approved).toBeVisible();
  return 'A sale of 10.00 USD was approved.';
}

async function print(page: Page, printer: FakePrinter, report: string): Promise<string> {
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await until('the printer has the receipt', async () => printer.jobs.length > 0);
  const bytes = Buffer.concat(printer.jobs);
  writeFileSync(join(report, 'receipt.escpos'), bytes);
  const text = readEscpos(bytes)
    .lines.map((line) => line.toString('latin1'))
    .join('\n');
  writeFileSync(join(report, 'receipt.txt'), `${text}\n`);
  if (!text.includes('10.00')) throw new Error(`The receipt does not contain the amount:\n${text}`);
  return `receipt.escpos has ${bytes.length} bytes; receipt.txt has their text.`;
}

async function startPrinter(): Promise<FakePrinter> {
  for (const port of PRINTER_PORTS) {
    const printer = await startFakePrinter(port).catch(() => undefined);
    if (printer) return printer;
  }
  throw new Error(`All ports of printers are in use: ${PRINTER_PORTS.join(', ')}.`);
}

async function lock(page: Page): Promise<string> {
  const screen = new SignInPage(page);
  await page.keyboard.press('Control+l');
  await expect(screen.unlock).toBeVisible();
  await screen.password.fill(PASSWORD);
  await screen.unlock.click();
  await expect(screen.unlock).toHaveCount(0);
  return 'The screen was locked by keyboard and unlocked with the password.';
}

async function update(page: Page, running: RunningApplication, feed: UpdateFeed): Promise<string> {
  await page.evaluate(() => void paydesk.checkForUpdate());
  const state = await until('the update is ready or refused', async () => {
    const now = await page.evaluate(() => paydesk.readUpdate());
    return (now.status === 'ready' || now.problem !== undefined) && now;
  });
  if (state.status !== 'ready') throw new Error(state.problem);
  const { restarting, problem } = await page.evaluate(() => paydesk.restartToUpdate());
  if (!restarting) throw new Error(problem);
  await running.exited;
  await until('the new version runs', async () => feed.isInstalled());
  return `Version ${feed.version} was downloaded from a feed on this computer, verified, installed and started.`;
}

/** Starts a sale whose last character is not sent yet. */
async function beginSale(page: Page): Promise<PendingPayment> {
  const { origin, host } = new URL(page.url());
  const response = await fetch(`${origin}/api/v1/public/accesstoken`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  if (!response.ok) throw new Error(`The sign-in was refused: ${await response.text()}`);
  const { data } = (await response.json()) as { data: { token: string; user: { tenantId: string } } };
  return beginPayment(host, {
    path: '/api/v1/transactions',
    headers: { authorization: `Bearer ${data.token}`, 'x-tenant-id': data.user.tenantId },
    body: cardBody(31.5),
  });
}

async function keepsRunning(running: RunningApplication): Promise<string> {
  running.quit();
  let hasEnded = false;
  void running.exited.then(() => {
    hasEnded = true;
  });
  for (let waitedMs = 0; waitedMs < WAITS_MS && !hasEnded; waitedMs += STEP_MS) await pause(STEP_MS);
  if (hasEnded) throw new Error('The application quit although a payment was in flight.');
  return 'The application was asked to quit, and waits for the response of the payment.';
}

async function finish(running: RunningApplication, payment: PendingPayment): Promise<string> {
  const answer = await payment.complete();
  if (!answer.includes('"status":"approved"')) throw new Error(`The payment was not approved: ${answer.slice(-300)}`);
  const code = await running.exited;
  if (code !== 0) throw new Error(`The application ended with ${code}.`);
  return 'The payment was approved, and then the application quit.';
}
