import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { dateField, typeDate } from './date-entry.ts';
import { dayTextsOf } from './day-text.ts';
import { expect, type Service, test } from './fixtures.ts';

const THREE_MONTHS_SECONDS = 92 * 86_400;
const SCREEN = { width: 1280, height: 720 };
const SMALL_SCREEN = { width: 640, height: 360 };
const VISA = '4111111111111111';
const DECLINING = '4000000000000002';

interface Plan {
  readonly subscriptionId: string;
  readonly nextPaymentDate: string | null;
}

let customers = 0;

interface Payer {
  readonly customerId: string;
  readonly name: string;
  readonly cardId: string;
}
/** Creates a customer that no other test finds, with a card on file. */
async function newCustomer(api: ApiSession, card: string): Promise<Payer> {
  customers += 1;
  const lastName = `Payer${process.pid}x${customers}`;
  const { customerId } = await api.post<{ customerId: string }>('/customers', { firstName: 'Nora', lastName });
  return { customerId, name: `Nora ${lastName}`, cardId: await storeCard(api, customerId, card) };
}

async function storeCard(api: ApiSession, customerId: string, number: string): Promise<string> {
  const card = { number, expiryMonth: '12', expiryYear: '2039' };
  return (await api.post<{ paymentMethodId: string }>(`/customers/${customerId}/payment-methods`, { card })).paymentMethodId;
}

/** Sends a request that ApiSession has no method for, in the session of the page. */
async function ask(page: Page, method: 'PUT' | 'DELETE', path: string, data?: object): Promise<void> {
  // A reload sends a request with the credentials of the session.
  const [stream] = await Promise.all([page.waitForResponse(/\/api\/v1\/changes/), page.reload()]);
  const { authorization = '', 'x-tenant-id': tenant = '' } = await stream.request().allHeaders();
  await expect(await page.request.fetch(`/api/v1${path}`, { method, data, headers: { authorization, 'x-tenant-id': tenant } })).toBeOK();
}

async function newPlan(service: Service, card = VISA): Promise<Plan & Payer & { api: ApiSession }> {
  const api = await ApiSession.open(service);
  const customer = await newCustomer(api, card);
  const plan = await api.post<Plan>('/recurring', { customerId: customer.customerId, amount: '25.00', frequency: 'monthly' });
  return { ...plan, ...customer, api };
}

const drawerOf = (page: Page) => page.getByRole('dialog', { name: 'Subscription' });
const saidOf = (page: Page) => page.locator('[role=status][aria-live=polite]').first();
const timesIn = (page: Page, list: string) => page.getByRole('list', { name: list }).locator('time');
const datesIn = (page: Page, list: string) =>
  timesIn(page, list).evaluateAll((times) => times.map((time) => time.getAttribute('datetime')));

async function openPlan(page: Page, { subscriptionId }: Plan): Promise<void> {
  await page.goto(`/#/recurring/${subscriptionId}`);
  await expect(drawerOf(page).getByRole('heading', { level: 2 })).toBeFocused();
}

test('charges a subscription created by keyboard only for three months on the dates of its preview', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  const api = await ApiSession.open(service);
  const { name } = await newCustomer(api, VISA);
  await page.goto('/#/recurring');
  await expect(page.getByRole('heading', { name: 'Subscriptions', level: 1 })).toBeFocused();
  await strokes.reset();
  await page.keyboard.press('n');
  await expect(page.getByLabel('Customer', { exact: true })).toBeFocused();
  await page.keyboard.type(name);
  await expect(page.getByRole('option')).toHaveText([new RegExp(name), `New customer “${name}”`]);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Customer', { exact: true })).toHaveValue(name);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Amount, USD', { exact: true })).toBeFocused();
  await page.keyboard.type('25');
  await expect(page.getByText('Charges 25.00 USD now.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Charge 25.00 now and every month' })).toBeVisible();
  await expect(timesIn(page, 'Payment dates')).toHaveCount(6);
  const promised = await datesIn(page, 'Payment dates');
  await page.keyboard.press('Enter');
  await expect(drawerOf(page)).toContainText(/25\.00 USD\s*every month/);
  await expect(saidOf(page)).toHaveText(
    `Charged 25.00 USD to Visa ••1111. The next payment is ${(await dayTextsOf(api))(promised[1] ?? '')}.`,
  );
  expect(strokes.clicks()).toBe(0);
  await expect(timesIn(page, 'Next payment dates')).toHaveCount(6);
  expect((await datesIn(page, 'Next payment dates')).slice(0, 5)).toEqual(promised.slice(1));
  await api.post('/sandbox/clock', { advanceSeconds: THREE_MONTHS_SECONDS });
  const id = page.url().split('/').at(-1);
  const { data } = await api.read<{ dueDate: string; status: string }[]>(`/recurring/${id}/payments`);
  expect(data.map(({ dueDate, status }) => [dueDate, status]).reverse()).toEqual(promised.slice(0, 4).map((date) => [date, 'succeeded']));
  await expect(drawerOf(page).getByRole('region', { name: 'Payments' }).getByRole('listitem')).toHaveCount(4);
});

/** Holds responses back; returns a function that releases them. */
async function holdBack(page: Page, url: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('chooses a customer and charges by keyboard, also with a slow service @full', async ({ signedIn: page, service }) => {
  const { name } = await newCustomer(await ApiSession.open(service), VISA);
  await page.goto('/#/recurring');
  await expect(page.getByRole('heading', { name: 'Subscriptions', level: 1 })).toBeFocused();
  const letCustomers = await holdBack(page, /\/api\/v1\/customers\?/);
  const letCards = await holdBack(page, /\/payment-methods/);
  await page.keyboard.press('n');
  await expect(page.getByLabel('Customer', { exact: true })).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Searching…')).toBeVisible();
  letCustomers();
  // Until a customer is selected, the field contains the typed text.
  await expect(page.getByText('Searching…')).toBeHidden();
  await expect(page.getByLabel('Customer', { exact: true })).toHaveValue(name);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Amount, USD', { exact: true })).toBeFocused();
  await page.keyboard.type('25');
  await page.keyboard.press('Enter');
  letCards();
  await expect(drawerOf(page)).toContainText(/25\.00 USD\s*every month/);
  await expect(saidOf(page)).toHaveText(/^Charged 25\.00 USD to Visa ••1111\./);
});

test('reports cards that cannot be loaded, and loads them again on request @full', async ({ signedIn: page, service, faults }) => {
  faults.expect(/status of 500/);
  const { customerId } = await newCustomer(await ApiSession.open(service), VISA);
  const error = { code: 'INTERNAL_ERROR', message: 'Something broke.' };
  await page.route(/\/payment-methods/, (route) => route.fulfill({ status: 500, json: { success: false, error } }));
  await page.goto(`/#/recurring?new=1&customerId=${customerId}`);
  const dialog = page.getByRole('dialog', { name: 'New subscription' });
  await page.getByLabel('Amount, USD', { exact: true }).fill('25');
  await page.getByLabel('Amount, USD', { exact: true }).press('Enter');
  await expect(dialog.getByRole('alert').filter({ hasText: 'INTERNAL_ERROR' })).toBeVisible();
  await page.unroute(/\/payment-methods/);
  await dialog.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(dialog.getByRole('alert').filter({ hasText: 'INTERNAL_ERROR' })).toBeHidden();
  await page.getByLabel('Amount, USD', { exact: true }).press('Enter');
  await expect(saidOf(page)).toHaveText(/^Charged 25\.00 USD to Visa ••1111\./);
});

test('charges nothing immediately for a subscription that starts later, and focuses a missing field @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const { customerId } = await newCustomer(api, VISA);
  await page.goto(`/#/recurring?new=1&customerId=${customerId}`);
  await expect(page.getByLabel('Amount, USD', { exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter the amount.')).toBeVisible();
  await page.keyboard.type('30');
  await typeDate(dateField(page, 'First payment'), '2039-01-31');
  await page.getByLabel('Ends').press('Enter');
  await page.getByRole('option', { name: 'After a number of payments' }).press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Number of payments')).toBeFocused();
  await page.keyboard.type('3');
  await expect(page.getByText('Payment dates until it ends')).toBeVisible();
  expect(await datesIn(page, 'Payment dates')).toEqual(['2039-01-31', '2039-02-28', '2039-03-31']);
  await expect(page.getByText(/^Charges 30/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Start subscription on Jan 31, 2039' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(drawerOf(page)).toContainText('After 3 payments, 0 made');
  await expect(drawerOf(page)).toContainText('No payments yet.');
});

test('charges the tax within each payment, which can be changed, and refuses one above the amount @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const { customerId } = await newCustomer(api, VISA);
  await page.goto(`/#/recurring?new=1&customerId=${customerId}`);
  await page.getByLabel('Amount, USD', { exact: true }).fill('54.13');
  await page.getByLabel('Tax within the amount, USD (optional)').fill('54.14');
  await page.getByLabel('Purchase order number (optional)').fill('PO-77');
  await page.getByLabel('Purchase order number (optional)').press('Enter');
  await expect(page.getByText('The tax exceeds the amount.')).toBeVisible();
  await expect(page.getByLabel('Tax within the amount, USD (optional)')).toBeFocused();
  await page.getByLabel('Tax within the amount, USD (optional)').fill('4.13');
  await page.getByLabel('Tax within the amount, USD (optional)').press('Enter');
  const drawer = drawerOf(page);
  await expect(drawer).toContainText('Tax4.13 USD');
  await expect(drawer).toContainText('Purchase orderPO-77');
  const { data: charged } = await api.read<{ taxAmount: number; purchaseOrderNumber: string }[]>(`/customers/${customerId}/transactions`);
  expect(charged).toMatchObject([{ amount: 54.13, taxAmount: 4.13, purchaseOrderNumber: 'PO-77' }]);

  await drawer.getByRole('button', { name: 'Edit' }).click();
  await drawer.getByLabel('Amount, USD', { exact: true }).fill('3');
  await drawer.getByLabel('Amount, USD', { exact: true }).press('Enter');
  await expect(drawer.getByText('The tax exceeds the amount.')).toBeVisible();
  await drawer.getByLabel('Tax within the amount, USD (optional)').fill('');
  await drawer.getByLabel('Tax within the amount, USD (optional)').press('Enter');
  await expect(drawer).toContainText(/3\.00 USD\s*every month/);
  await expect(drawer).not.toContainText('Tax4.13');
  const { data: changed } = await api.read<{ amount: number; taxAmount: number }>(`/recurring/${page.url().split('/').at(-1)}`);
  expect(changed).toMatchObject({ amount: 3, taxAmount: 0, purchaseOrderNumber: 'PO-77' });
});

test('shows a declined subscription as past due with its retries until another card is chosen @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const { customerId } = await newCustomer(api, DECLINING);
  await page.goto(`/#/recurring?new=1&customerId=${customerId}`);
  await expect(page.getByLabel('Amount, USD', { exact: true })).toBeFocused();
  await page.keyboard.type('40');
  await expect(page.getByRole('button', { name: 'Charge 40.00 now and every month' })).toBeVisible();
  await page.getByLabel('Amount, USD', { exact: true }).press('Enter');
  const drawer = drawerOf(page);
  await expect(saidOf(page)).toHaveText(/^Declined: .+ The subscription is past due; the next attempt is on /);
  await expect(drawer).toContainText('1 attempt declined: The card was declined. The next attempt is on');
  await expect(drawer).toContainText('after 4 more attempts the subscription is canceled.');
  await expect(drawer).toContainText('Attempts1 of 5');
  await page.keyboard.press('t');
  await expect(drawer).toContainText('Charges 40.00 USD now to Visa ••0002.');
  await page.keyboard.press('Enter');
  // An attempt by a person is no attempt of the schedule.
  await expect(drawer.locator('[data-state=declined]')).toHaveCount(2);
  await expect(drawer).toContainText('Attempts1 of 5');
  await expect(drawer).toContainText('after 4 more attempts the subscription is canceled.');
  await storeCard(api, customerId, VISA);
  await page.keyboard.press('e');
  await expect(drawer.getByLabel('Amount, USD', { exact: true })).toBeFocused();
  await drawer.getByLabel('Card').press('Enter');
  await page.getByRole('option', { name: 'Visa ••1111, expires 12/39, for this subscription only' }).click();
  await expect(drawer).toContainText('Charges 40.00 USD to Visa ••1111 immediately, then every month.');
  await drawer.getByLabel('Amount, USD', { exact: true }).press('Enter');
  await expect(drawer.locator('[data-state=active]')).toBeVisible();
  await expect(drawer.locator('[data-state=approved]')).toHaveText('Paid');
  await expect(drawer.locator('[data-state=declined]')).toHaveCount(2);
});

test('retries automatically with a new default card, and with the remaining card after the default is removed @full', async ({
  signedIn: page,
  service,
}) => {
  const [changed, removed] = [await newPlan(service, DECLINING), await newPlan(service, DECLINING)];
  const drawer = drawerOf(page);
  await openPlan(page, changed);
  const visa = await storeCard(changed.api, changed.customerId, VISA);
  await ask(page, 'PUT', `/customers/${changed.customerId}/payment-methods/${visa}/set-default`);
  await expect(drawer.locator('[data-state=active]')).toBeVisible();
  await page.keyboard.press('Escape');
  await storeCard(removed.api, removed.customerId, VISA);
  await openPlan(page, removed);
  await expect(drawer.locator('[data-state=past_due]')).toBeVisible();
  await ask(page, 'DELETE', `/customers/${removed.customerId}/payment-methods/${removed.cardId}`);
  await expect(drawer.locator('[data-state=active]')).toBeVisible();
});

test('T retries a declined payment after its cause is resolved @full', async ({ signedIn: page, service }) => {
  const { data } = await (await ApiSession.open(service)).read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const limit = (maxAmount: number | null) => ask(page, 'PUT', `/merchants/${data.merchants[0]?.merchantId}/fraud-settings`, { maxAmount });
  await limit(10);
  const plan = await newPlan(service, VISA);
  await limit(null);
  const drawer = drawerOf(page);
  await openPlan(page, plan);
  await expect(drawer.locator('[data-state=past_due]')).toBeVisible();
  await page.keyboard.press('t');
  await expect(drawer).toContainText('to Visa ••1111. If it succeeds, the next payment is');
  await page.keyboard.press('Enter');
  await expect(drawer.locator('[data-state=active]')).toBeVisible();
  await expect(saidOf(page)).toHaveText(/^Charged 25\.00 USD to Visa ••1111\. The next payment is /);
});

test('shows the right date before a pause, resume or skip is confirmed with Enter @full', async ({ signedIn: page, service }) => {
  const plan = await newPlan(service);
  const { data } = await plan.api.read<{ dates: string[] }>(`/recurring/${plan.subscriptionId}/upcoming?count=3`);
  const [first = '', second = ''] = data.dates.map(await dayTextsOf(plan.api));
  await openPlan(page, plan);
  const drawer = drawerOf(page);
  await page.keyboard.press('p');
  await expect(drawer).toContainText(`The payment due ${first} is skipped unless you resume by then.`);
  await page.keyboard.press('Enter');
  await expect(drawer.locator('[data-state=paused]')).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Pause', exact: true })).toHaveCount(0);
  await page.keyboard.press('u');
  await expect(drawer).toContainText(`The next payment is ${first}, then every month.`);
  await page.keyboard.press('Enter');
  await expect(drawer.locator('[data-state=active]')).toBeVisible();
  await expect(saidOf(page)).toHaveText(`Resumed. The next payment is ${first}.`);
  await page.keyboard.press('s');
  await expect(drawer).toContainText(`Skips ${first}; the next payment is ${second}.`);
  await page.keyboard.press('Enter');
  await expect(saidOf(page)).toHaveText(`Skipped. The next payment is ${second}.`);
  await expect(drawer).toContainText(`The next payment is ${second}.`);
});

test('keeps a panel open that is opened while the previous one closes @full', async ({ signedIn: page, service }) => {
  const plan = await newPlan(service);
  await openPlan(page, plan);
  const drawer = drawerOf(page);
  await page.keyboard.press('p');
  await expect(drawer.getByRole('button', { name: 'Pause subscription' })).toBeFocused();
  const letPayments = await holdBack(page, /\/payments\?/);
  await page.keyboard.press('Enter');
  await expect(drawer.locator('[data-state=paused]')).toBeVisible();
  await page.keyboard.press('u');
  await expect(drawer.getByRole('button', { name: 'Resume subscription' })).toBeFocused();
  letPayments();
  await expect(saidOf(page)).toHaveText('Paused. Nothing is charged until you resume it.');
  await page.keyboard.press('Enter');
  await expect(drawer.locator('[data-state=active]')).toBeVisible();
});

test('shows a canceled subscription read-only with its reason @full', async ({ signedIn: page, service }) => {
  const plan = await newPlan(service);
  await openPlan(page, plan);
  const drawer = drawerOf(page);
  await page.keyboard.press('x');
  await expect(drawer.getByLabel('Reason (optional)')).toBeFocused();
  await expect(drawer).toContainText(`The payment due ${(await dayTextsOf(plan.api))(plan.nextPaymentDate ?? '')} isn’t charged.`);
  await page.keyboard.type('Moved away');
  await page.keyboard.press('Enter');
  await expect(drawer).toContainText(`by Olivia Hart. Reason: Moved away.`);
  await expect(drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(drawer.getByRole('button', { name: /Pause|Resume|Skip|Retry|Edit|Cancel/ })).toHaveCount(0);
  await page.keyboard.press('e');
  await expect(drawer.getByRole('form')).toHaveCount(0);
  await page.keyboard.press('Escape');
  // The tab is changed before the search has paused long enough to be sent.
  await page.getByRole('searchbox', { name: 'Search by customer' }).fill(plan.name);
  await page.getByRole('tab', { name: 'Ended' }).click();
  await expect(page).toHaveURL(/tab=ended&q=Nora/);
  await expect(page.getByRole('grid', { name: 'Subscriptions' }).locator('[role=row][data-id]')).toHaveCount(1);
  await page.getByRole('button', { name: /^Expired/ }).click();
  await expect(page.getByText('No match')).toBeVisible();
});

test('subscriptions have no accessibility fault in either color scheme and fit a small screen @full', async ({
  signedIn: page,
  service,
}) => {
  const plan = await newPlan(service, DECLINING);
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  await page.goto('/#/recurring?tab=past-due');
  await expect(page.locator(`[data-id="${plan.subscriptionId}"]`)).toBeVisible();
  await expectAccessible(page, 'list');
  await openPlan(page, plan);
  await page.keyboard.press('e');
  await expect(drawerOf(page).getByLabel('Amount, USD', { exact: true })).toBeFocused();
  await expect(drawerOf(page).getByRole('combobox', { name: /^Card/ })).toBeEnabled();
  await expectAccessible(page, 'plan');
  await page.goto('/#/recurring');
  await expect(drawerOf(page)).toHaveCount(0);
  await page.goto(`/#/recurring?new=1&customerId=${plan.customerId}`);
  await expect(page.getByLabel('Amount, USD', { exact: true })).toBeFocused();
  await page.keyboard.type('10');
  const charge = page.getByRole('button', { name: 'Charge 10.00 now and every month' });
  await expect(charge).toBeVisible();
  await expectAccessible(page, 'new plan');
  for (const size of [SCREEN, SMALL_SCREEN]) {
    await page.setViewportSize(size);
    await expect(charge).toBeInViewport();
    expect(await fits()).toBe(true);
  }
  await page.keyboard.press('Escape');
  await openPlan(page, plan);
  await page.keyboard.press('t');
  await expect(drawerOf(page).getByRole('button', { name: 'Charge 25.00 USD now' })).toBeInViewport();
  await expect.poll(() => drawerOf(page).evaluate((drawer) => drawer.scrollWidth <= drawer.clientWidth)).toBe(true);
  expect(await fits()).toBe(true);
});
