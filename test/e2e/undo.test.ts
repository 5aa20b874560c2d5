import type { Page } from '@playwright/test';
import { ApiSession } from './api-session.ts';
import { expect, type Service, test } from './fixtures.ts';
import { createPerson, PIN, signInElsewhere, switchTo } from './people.ts';

const FIRST = 'first-undo@demo.example';
const NEXT = 'next-undo@demo.example';

/** Time in which all retries of a declined refund are over. */
const RETRIES_SECONDS = 1_800;

const closing = (page: Page) => page.getByText('Until then, you can undo it.');

/** Resolves a failed refund of its own; the request waits for Undo. Returns the ID of the refund. */
async function resolveLater(page: Page, service: Service): Promise<string> {
  const api = await ApiSession.open(service);
  const { entryId } = await api.createDeclinedRefund('61.00');
  await api.post('/sandbox/clock', { advanceSeconds: RETRIES_SECONDS });
  await expect.poll(async () => (await readEntry(service, entryId)).status).toBe('failed');
  await page.goto(`/#/refund-queue/${entryId}`);
  await expect(page.getByRole('button', { name: 'Resolve' })).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByLabel('Refund method')).toBeFocused();
  await page.getByLabel('Notes (optional)').press('Enter');
  await expect(closing(page)).toBeVisible();
  return entryId;
}

async function readEntry(service: Service, entryId: string) {
  const api = await ApiSession.open(service);
  const { data } = await api.read<{ status: string; resolvedBy: string | null }>(`/refund-decline-queue/${entryId}`);
  return { status: data.status, resolvedBy: data.resolvedBy };
}

/** Locks the screen and lets another person take over with a PIN. */
async function lockAndTakeOver(page: Page, email: string): Promise<void> {
  await page.keyboard.press('Control+l');
  await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible();
  await page.getByLabel('Person').press('Enter');
  await page.getByRole('option', { name: `${email[0]}***` }).click();
  await page.getByRole('textbox', { name: 'PIN' }).fill(PIN);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Signed in as ${email}` })).toBeVisible();
}

test.beforeAll(async ({ service }) => {
  for (const email of [FIRST, NEXT]) await createPerson(service, 'manager', email);
});

test('sends a change that waits for Undo in the name of its person before a lock, a switch and a sign-out', async ({
  browser,
  service,
}) => {
  const page = await signInElsewhere(browser, service, FIRST);
  const locked = await resolveLater(page, service);
  await lockAndTakeOver(page, NEXT);
  await expect.poll(() => readEntry(service, locked)).toEqual({ status: 'resolved', resolvedBy: FIRST });
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeHidden();

  const switched = await resolveLater(page, service);
  await switchTo(page, FIRST);
  await expect.poll(() => readEntry(service, switched)).toEqual({ status: 'resolved', resolvedBy: NEXT });

  const signedOut = await resolveLater(page, service);
  await page.getByRole('button', { name: `Signed in as ${FIRST}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect.poll(() => readEntry(service, signedOut)).toEqual({ status: 'resolved', resolvedBy: FIRST });
  await page.context().close();
});

test('sends no change after Undo, a lock and a take-over @full', async ({ browser, service }) => {
  const page = await signInElsewhere(browser, service, FIRST);
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/resolve') && sent.push(request.url()));
  const entryId = await resolveLater(page, service);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(closing(page)).toBeHidden();
  await lockAndTakeOver(page, NEXT);
  expect(sent).toEqual([]);
  expect((await readEntry(service, entryId)).status).not.toBe('resolved');
  await page.context().close();
});

test('says that a change is not saved if the service cannot be reached at a lock, and never sends it for the next person @full', async ({
  browser,
  service,
}) => {
  const page = await signInElsewhere(browser, service, FIRST);
  let requests = 0;
  await page.route('**/resolve', (route) => {
    requests += 1;
    return route.abort();
  });
  const entryId = await resolveLater(page, service);
  await lockAndTakeOver(page, NEXT);
  await expect(page.getByText(/^Not saved\./)).toBeVisible();
  await page.unroute('**/resolve');
  await page.goto('/#/transactions');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  expect(requests).toBe(1);
  expect((await readEntry(service, entryId)).status).not.toBe('resolved');
  await page.context().close();
});

test('does not repeat a slow change for the next person, after the take-over has ended the session of the first @full', async ({
  browser,
  service,
  faults,
}) => {
  faults.expect(/401/);
  const page = await signInElsewhere(browser, service, FIRST);
  const { promise: isTakenOver, resolve: release } = Promise.withResolvers<void>();
  let requests = 0;
  await page.route('**/resolve', async (route) => {
    requests += 1;
    await isTakenOver;
    await route.fallback();
  });
  const entryId = await resolveLater(page, service);
  await lockAndTakeOver(page, NEXT);
  const answered = page.waitForResponse('**/resolve');
  release();
  expect((await answered).status()).toBe(401);
  await expect(page.getByText(/^Not saved\./)).toBeVisible();
  expect(requests).toBe(1);
  expect((await readEntry(service, entryId)).status).not.toBe('resolved');
  await page.context().close();
});
