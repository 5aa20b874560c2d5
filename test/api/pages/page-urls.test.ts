import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { startPublicHost } from '../../support/public-host.ts';
import { describeOnAnyDatabase, expectData, expectError, FULL } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { advanceClock } from '../../support/webhooks.ts';
import {
  CARD_FORM,
  createInvoicePage,
  createLinkPage,
  openPage,
  pathOf,
  prefilledFields,
  requestUnderHost,
  submitForm,
} from './pay-page-client.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

describeOnAnyDatabase('addresses of pay pages', (fixture) => {
  const settings = (body: object) => expectData(fixture().api.admin.put(`/merchants/${fixture().credentials.merchantId}/settings`, body));

  test("returns a plain 404 in the reader's language for an unknown page, also with an odd name", async () => {
    for (const path of [
      '/pay/unknown',
      `/pay/${'x'.repeat(150)}`,
      '/pay/..%2f..%2fhealth',
      '/pay/%00',
      "/pay/'%20or%201=1",
      '/pay/unknown/invoice.pdf',
    ]) {
      const { status, headers, text } = await openPage(fixture(), path);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain('This page does not exist');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect((await openPage(fixture(), '/pay/unknown', { 'accept-language': 'es-MX,es;q=0.9' })).text).toContain('Esta página no existe');
    expect((await submitForm(fixture(), '/pay/unknown', CARD_FORM)).status).toBe(404);
  });

  test('hides a payment of another page', async () => {
    const [one, other] = [await createLinkPage(fixture()), await createLinkPage(fixture())];
    const paid = await submitForm(fixture(), one.path, { ...prefilledFields(await openPage(fixture(), one.path)), ...CARD_FORM });
    const query = new URL(paid.location ?? '', fixture().baseUrl).search;
    for (const path of [
      `${other.path}${query}`,
      `${other.path}/receipt.pdf${query}`,
      `${one.path}?payment=ivp_nothing`,
      `${one.path}/receipt.pdf`,
    ])
      expect((await openPage(fixture(), path)).status).toBe(404);
  });

  test('returns 410 with an explanation for a canceled request and an expired link', async () => {
    const cancelled = await createInvoicePage(fixture());
    await expectData(fixture().api.admin.post(`/invoices/${cancelled.invoiceId}/cancel`, {}));
    const now = Date.parse((await expectData(fixture().api.admin.get<{ now: string }>('/sandbox/clock'))).now);
    const expiring = await createLinkPage(fixture(), { expiresAt: new Date(now + 60_000).toISOString() });
    const forms = await Promise.all(
      [cancelled, expiring].map(async ({ path }) => ({ ...prefilledFields(await openPage(fixture(), path)), ...CARD_FORM })),
    );
    await advanceClock(fixture(), 120);
    for (const [at, [{ path }, words]] of (
      [
        [cancelled, 'was canceled'],
        [expiring, 'This link has expired'],
      ] as const
    ).entries()) {
      const page = await openPage(fixture(), path);
      expect([page.status, page.text.includes(words)]).toEqual([410, true]);
      const form = { attempt: 'an-attempt-of-its-own', amount: '25.00', ...forms[at] };
      expect((await submitForm(fixture(), path, form)).status).toBe(410);
    }
    const short = await openPage(fixture(), pathOf(expiring.shortUrl));
    expect([short.status, short.text.includes('This link has expired')]).toEqual([410, true]);
  });

  test('accepts no payment for a deleted merchant', async () => {
    const { api } = fixture();
    const { merchantId } = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: 'Closing Down' }), 201);
    const { customerId } = await createCustomer(fixture(), { merchantId });
    const { url } = await expectData(api.admin.post<{ url: string }>('/invoices', { customerId, merchantId, amount: 12 }), 201);
    const form = { ...prefilledFields(await openPage(fixture(), pathOf(url))), ...CARD_FORM };
    await expectData(api.admin.delete(`/merchants/${merchantId}`));
    const page = await openPage(fixture(), pathOf(url));
    expect([page.status, page.text.includes('Payments are no longer accepted')]).toEqual([410, true]);
    expect((await submitForm(fixture(), pathOf(url), form)).status).toBe(410);
  });

  test('redirects a short address to the page, and returns a plain 404 for an unknown one', async () => {
    const { shortUrl, path } = await createLinkPage(fixture());
    const { status, location } = await openPage(fixture(), pathOf(shortUrl));
    expect([status, location]).toEqual([302, path]);
    const unknown = await openPage(fixture(), '/s/nothing1');
    expect([unknown.status, unknown.text.includes('This link does not exist')]).toEqual([404, true]);
  });

  test('serves only payers under the public name', async () => {
    const publicHost = await startPublicHost(fixture().baseUrl);
    await settings({ publicUrl: publicHost.url });
    try {
      const { url, path, shortUrl } = await createLinkPage(fixture());
      expect([url, shortUrl].every((address) => address.startsWith(`${publicHost.url}/`))).toBe(true);
      const page = await requestUnderHost(fixture(), publicHost.host, path);
      expect(page.status).toBe(200);
      const assets = [...page.text.matchAll(/(?:href|src)="(\/pay\/assets\/[^"]+)"/g)].map(([, asset = '']) => asset);
      for (const open of [pathOf(shortUrl), ...assets, '/fields/v1.js', '/fields/card'])
        expect((await requestUnderHost(fixture(), publicHost.host, open)).status).toBeLessThan(400);
      const { tenantId, apiKey } = fixture().credentials;
      const key = { 'x-api-key': apiKey, 'x-tenant-id': tenantId };
      for (const closed of ['/api/v1/public/transaction-list', '/api/v1/transactions', '/health', '/', '/docs', '/openapi.json'])
        expect((await requestUnderHost(fixture(), publicHost.host, closed, key)).status).toBe(400);
      expect((await requestUnderHost(fixture(), 'evil.test', path)).text).toContain('Wrong address');
      const form = { ...prefilledFields({ ...(await openPage(fixture(), path)) }), ...CARD_FORM };
      const foreign = await requestUnderHost(fixture(), publicHost.host, path, { origin: 'https://evil.test' }, form);
      expect(foreign.status).toBe(400);
      const paid = await requestUnderHost(fixture(), publicHost.host, path, { origin: publicHost.url }, form);
      expect([paid.status, paid.location?.startsWith(`${path}?payment=`)]).toEqual([303, true]);
      const info = await expectData(fixture().api.public.get<Record<string, string>>('/sdk-info'));
      expect(info).toMatchObject({
        apiVersion: 'v1',
        hostedFieldsUrl: `${publicHost.url}/fields/v1.js`,
        hostedFieldsFrameUrl: `${publicHost.url}/fields/card`,
        environment: 'sandbox',
        tenantId,
      });
    } finally {
      await settings({ publicUrl: null });
      publicHost.close();
    }
  });

  test('refuses requests to a page that are not its form', async () => {
    const { path } = await createLinkPage(fixture());
    const json = await submitForm(fixture(), path, {}, { 'content-type': 'application/json' });
    expect([json.status, json.text.includes('The form could not be read')]).toEqual([400, true]);
    const large = await submitForm(fixture(), path, { ...CARD_FORM, name: 'x'.repeat(20_000) });
    expect([large.status, large.text.includes('The form is too large')]).toEqual([413, true]);
    const stale = await submitForm(fixture(), path, CARD_FORM);
    expect([stale.status, stale.text.includes('This form is incomplete or out of date.')]).toEqual([400, true]);
    const odd = await submitForm(fixture(), path, {
      ...prefilledFields(await openPage(fixture(), path)),
      ...CARD_FORM,
      name: 'A\u0000\ud800\u202eB',
    });
    expect(odd.status).toBe(303);
    const forged = await openPage(fixture(), path, { cookie: 'paydesk_payer=bm90IGpzb24; paydesk_payer=eyJuYW1lIjp7fX0' });
    expect(forged.status).toBe(200);
  });

  test('allows any shop to frame the card fields, and nobody to frame the pay page', async () => {
    const frame = await openPage(fixture(), '/fields/card');
    expect(frame.headers.get('x-frame-options')).toBeNull();
    expect(frame.headers.get('content-security-policy')).toContain('frame-ancestors *');
    expect(frame.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect((await openPage(fixture(), '/fields/card?lang=es')).text).toContain('<html lang="es">');
    const script = await openPage(fixture(), '/fields/v1.js', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' });
    expect([script.status, script.headers.get('cross-origin-resource-policy')]).toEqual([200, 'cross-origin']);
    expect(script.headers.get('cache-control')).toBe('public, max-age=3600');
    const { path } = await createLinkPage(fixture());
    expect((await openPage(fixture(), path)).headers.get('x-frame-options')).toBe('DENY');
  });

  test('returns the version of the card fields to keys only', async () => {
    await expectError(fixture().api.public.get('/sdk-info', { 'x-api-key': '' }), 401, 'UNAUTHORIZED');
  });
});

test('shows a page on a server that is not set up', FULL, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-pages-'));
  folders.push(dataDir);
  const server = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  try {
    for (const path of ['/pay/anything', '/s/anything']) {
      const answer = await fetch(`${server.baseUrl}${path}`);
      expect([answer.status, (await answer.text()).includes('Not set up yet')]).toEqual([503, true]);
    }
  } finally {
    await server.close();
  }
});
