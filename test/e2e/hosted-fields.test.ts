import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { FrameLocator, Page } from '@playwright/test';
import { ROOT } from '../support/sources.ts';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, type Service, test } from './fixtures.ts';
import { openMerchantApi } from './pages/merchant-api.ts';

const NUMBER = '4111111111111111';

interface ApiKey {
  readonly id: string;
  readonly key: string;
}

interface Shop {
  readonly url: string;
  close(): Promise<void>;
}

const newKey = (api: ApiSession, { adminPassword }: Service) =>
  api.post<ApiKey>('/api-keys', { name: 'shop', scope: 'tenant', currentPassword: adminPassword });

async function clientToken({ baseUrl, tenantId }: Service, { key }: ApiKey): Promise<string> {
  const headers = { 'x-api-key': key, 'X-Tenant-ID': tenantId, 'content-type': 'application/json' };
  const answer = await fetch(`${baseUrl}/api/v1/public/client-token`, { method: 'POST', headers, body: '{}' });
  return ((await answer.json()) as { data: { clientToken: string } }).data.clientToken;
}

/** Starts the example shop as its documentation describes. */
async function openExample({ baseUrl, tenantId }: Service, { key }: ApiKey): Promise<Shop> {
  const env = { ...process.env, PAYDESK_URL: baseUrl, PAYDESK_TENANT: tenantId, PAYDESK_API_KEY: key, PORT: '0' };
  const child = spawn(process.execPath, [join(ROOT, 'examples/hosted-fields/server.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url: /http:\S+/.exec(line)?.[0] ?? '',
    close: async () => {
      child.kill();
      await exited;
    },
  };
}

/** Starts a page of another origin with the given content. */
async function openShop(html: string): Promise<Shop> {
  const server: Server = createServer((request, response) => {
    const found = request.url === '/';
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(found ? html : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a shop whose page exposes its fields to the test as `window.fields`. */
function shopPage({ baseUrl, tenantId }: Service, token: string, more: object = {}, beside = ''): string {
  const options = JSON.stringify({ clientToken: token, tenantId, ...more });
  return `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Shop</title><link rel="icon" href="data:,">
<script src="${baseUrl}/fields/v1.js"></script></head><body><main><h1>Shop</h1><div id="card"></div>${beside}</main>
<script>window.said = []; window.fields = PaydeskFields.mount(document.getElementById('card'), ${options});
fields.on('ready', function () { document.body.dataset.ready = 'yes'; }); fields.on('change', function (state) { said.push(state); });</script></body></html>`;
}

interface Outcome {
  readonly token?: string;
  readonly last4?: string;
  readonly code?: string;
  readonly field?: string | null;
  readonly message?: string;
}

/** Requests a token from the shop's page, like its own script. */
const tokenize = (page: Page) =>
  page.evaluate(async (): Promise<Outcome> => {
    const fields = Reflect.get(window, 'fields') as { tokenize(): Promise<Outcome> };
    return fields.tokenize().catch(({ code, field, message }: Outcome) => ({ code, field, message }));
  });

async function type(frame: FrameLocator, number: string, expiry: string): Promise<void> {
  await frame.getByLabel('Card number').pressSequentially(number);
  await frame.getByLabel('Expiry (MM/YY)').pressSequentially(expiry);
}

/** Records everything of a page that could contain a card number: its content, its requests and its received messages. */
async function overhear(page: Page, own: (url: string) => boolean): Promise<{ heard(): Promise<string> }> {
  const sent: string[] = [];
  page.on(
    'request',
    (request) => own(request.url()) && sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`),
  );
  await page.addInitScript(() => {
    const messages: unknown[] = [];
    Reflect.set(window, 'messages', messages);
    addEventListener('message', ({ data }) => messages.push(data), true);
  });
  return {
    heard: async () => {
      const kept = await page.evaluate(() => JSON.stringify([Reflect.get(window, 'messages'), { ...localStorage }, { ...sessionStorage }]));
      return [await page.content(), kept, ...sent].join('\n');
    },
  };
}

const hidesNumber = (text: string) => expect(text.replaceAll(/[\s-]|%20/g, '')).not.toContain(NUMBER.slice(0, 12));

test('the example shop charges a card whose number its page never stores, sends or receives', async ({ page, service }) => {
  const api = await ApiSession.open(service);
  const shop = await openExample(service, await newKey(api, service));
  const { heard } = await overhear(page, (url) => url.startsWith(shop.url));
  await page.goto(shop.url);
  const frame = page.frameLocator('#card iframe');
  await expect(page.getByRole('button', { name: 'Pay 20.00 USD' })).toBeEnabled();
  await type(frame, NUMBER, '1239');
  await expect(frame.getByLabel('Card number')).toHaveValue('4111 1111 1111 1111');
  await expect(frame.getByLabel('Expiry (MM/YY)')).toHaveValue('12/39');
  hidesNumber(await heard());
  await page.getByRole('button', { name: 'Pay 20.00 USD' }).click();
  await expect(page.getByRole('status')).toContainText('Paid with visa ending 1111.');
  hidesNumber(await heard());
  const [, transactionId = ''] = /(txn_\w+)/.exec((await page.getByRole('status').textContent()) ?? '') ?? [];
  const { data } = await api.read<{ amount: number; status: string; card: { last4: string } }>(`/transactions/${transactionId}`);
  expect(data).toMatchObject({ amount: 20, status: 'approved', card: { last4: '1111' } });
  await shop.close();
});

test('allows another card after a decline and charges an order once @full', async ({ page, service }) => {
  const api = await ApiSession.open(service);
  const shop = await openExample(service, await newKey(api, service));
  await page.goto(shop.url);
  const frame = page.frameLocator('#card iframe');
  const pay = page.getByRole('button', { name: 'Pay 20.00 USD' });
  await expect(pay).toBeEnabled();
  await type(frame, '4000000000000002', '1239');
  await pay.click();
  await expect(page.getByRole('status')).toHaveText('The card was declined. Nothing was charged.');
  await frame.getByLabel('Card number').fill(NUMBER);
  await pay.dblclick();
  await expect(page.getByRole('status')).toContainText('Paid with visa ending 1111.');
  await shop.close();
});

test('ignores messages from other frames and windows in both directions', async ({ page, service }) => {
  const api = await ApiSession.open(service);
  const token = await clientToken(service, await newKey(api, service));
  const evil = await openShop('<!doctype html><title>evil</title><body>');
  const shop = await openShop(shopPage(service, token, {}, `<iframe id="evil" title="other" src="${evil.url}"></iframe>`));
  await page.goto(shop.url);
  await expect(page.locator('body')).toHaveAttribute('data-ready', 'yes');
  const src = (await page.locator('#card iframe').getAttribute('src')) ?? '';
  const { channel } = JSON.parse(decodeURIComponent(new URL(src).hash.slice(1))) as { channel: string };
  const forged = { paydesk: 'paydesk-fields-1', channel };
  const other = page.frames().find((frame) => frame.url().startsWith(evil.url));
  await other?.evaluate((sign) => {
    for (const target of [parent, parent.frames[0] as Window]) {
      target.postMessage({ ...sign, type: 'settings', clientToken: 'stolen', tenantId: 'ten_other' }, '*');
      target.postMessage({ ...sign, type: 'tokenize', id: '99' }, '*');
      target.postMessage({ ...sign, type: 'tokenized', id: '1', value: { token: 'tok_forged' } }, '*');
      target.postMessage({ ...sign, type: 'change', state: { isComplete: true } }, '*');
    }
  }, forged);
  await type(page.frameLocator('#card iframe'), NUMBER, '1239');
  const pending = tokenize(page);
  await other?.evaluate((sign) => parent.postMessage({ ...sign, type: 'tokenized', id: '1', value: { token: 'tok_forged' } }, '*'), forged);
  await page.evaluate((sign) => postMessage({ ...sign, type: 'tokenized', id: '1', value: { token: 'tok_forged' } }, '*'), forged);
  expect(await pending).toMatchObject({ brand: 'visa', last4: '1111', expiryMonth: '12', expiryYear: '2039' });
  expect((await pending).token).not.toBe('tok_forged');
  hidesNumber(JSON.stringify(await page.evaluate(() => Reflect.get(window, 'said') as unknown)));
  // A frame in another page that claims to be the shop receives nothing: messages are addressed to the shop's origin.
  const thief =
    await openShop(`<!doctype html><title>thief</title><link rel="icon" href="data:,"><body><script>window.heard = []; addEventListener('message', function (event) { heard.push(event.data); });</script>
<iframe title="card" src="${service.baseUrl}/fields/card#${encodeURIComponent(JSON.stringify({ channel, origin: shop.url }))}"></iframe>`);
  const refused: string[] = [];
  page.on('console', (message) => refused.push(message.text()));
  await page.goto(thief.url);
  await expect(page.frameLocator('iframe').getByLabel('Card number')).toBeVisible();
  await page.frameLocator('iframe').getByLabel('Card number').fill(NUMBER);
  expect(await page.evaluate(() => Reflect.get(window, 'heard') as unknown)).toEqual([]);
  await Promise.all([shop.close(), evil.close(), thief.close()]);
});

test('reports invalid input and expired client tokens with code, message and field @full', async ({ page, service, faults }) => {
  faults.expect(/status of 40[01]/);
  const api = await ApiSession.open(service);
  const key = await newKey(api, service);
  const shop = await openShop(shopPage(service, await clientToken(service, key)));
  await page.goto(shop.url);
  await expect(page.locator('body')).toHaveAttribute('data-ready', 'yes');
  const frame = page.frameLocator('#card iframe');
  expect(await tokenize(page)).toEqual({ code: 'REQUIRED_FIELD_MISSING', field: 'number', message: 'Enter the card number.' });
  await expect(frame.getByLabel('Card number')).toBeFocused();
  await expect(frame.getByLabel('Card number')).toHaveAccessibleDescription('Enter the card number.');
  await type(frame, '4111111111111112', '1220');
  expect(await tokenize(page)).toMatchObject({ code: 'INVALID_CARD_NUMBER', field: 'number' });
  await frame.getByLabel('Card number').fill(NUMBER);
  expect(await tokenize(page)).toMatchObject({ code: 'CARD_EXPIRED', field: 'expiry', message: 'This card has expired. Use another one.' });
  await frame.getByLabel('Expiry (MM/YY)').fill('12/39');
  await page.route('**/tokenize-card', (route) =>
    route.fulfill({ status: 401, json: { success: false, error: { code: 'TOKEN_EXPIRED', message: 'The token has expired.' } } }),
  );
  expect(await tokenize(page)).toEqual({ code: 'TOKEN_EXPIRED', field: null, message: 'This page was open for too long. Load it again.' });
  await page.unroute('**/tokenize-card');
  await (await openMerchantApi(service)).revokeKey(key.id);
  expect((await tokenize(page)).code).toBe('TOKEN_INVALID');
  const fresh = await clientToken(service, await newKey(api, service));
  await page.evaluate((next) => (Reflect.get(window, 'fields') as { update(changes: object): void }).update({ clientToken: next }), fresh);
  expect((await tokenize(page)).last4).toBe('1111');
  await page.evaluate(() => (Reflect.get(window, 'fields') as { clear(): void }).clear());
  await expect(frame.getByLabel('Card number')).toHaveValue('');
  await page.evaluate(() => (Reflect.get(window, 'fields') as { destroy(): void }).destroy());
  await expect(page.locator('iframe')).toHaveCount(0);
  expect(await tokenize(page)).toMatchObject({ code: 'NOT_READY' });
  await shop.close();
});

test('accepts only listed styles, and the fields have no accessibility fault at 360 pixels, also in Spanish @full', async ({
  page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const token = await clientToken(service, await newKey(api, service));
  await page.setViewportSize({ width: 360, height: 740 });
  const style = { color: 'red;background:url(https://evil.test/x)', background: '#fff8e0', fontSize: '20px', borderColor: 'expression(1)' };
  const shop = await openShop(shopPage(service, token, { style, language: 'es' }));
  await page.goto(shop.url);
  await expect(page.locator('body')).toHaveAttribute('data-ready', 'yes');
  const number = page.frameLocator('#card iframe').getByLabel('Número de tarjeta');
  await expect(number).toHaveCSS('background-color', 'rgb(255, 248, 224)');
  await expect(number).toHaveCSS('font-size', '20px');
  await expect(number).toHaveCSS('color', 'rgb(20, 24, 31)');
  await expectAccessible(page, 'empty');
  await tokenize(page);
  await expectAccessible(page, 'with an error');
  const { heightOfFrame, heightInside } = {
    heightOfFrame: (await page.locator('#card iframe').boundingBox())?.height ?? 0,
    heightInside: await page
      .frameLocator('#card iframe')
      .locator('html')
      .evaluate((element) => element.getBoundingClientRect().height),
  };
  expect(Math.abs(heightOfFrame - heightInside)).toBeLessThan(2);
  await shop.close();
});
