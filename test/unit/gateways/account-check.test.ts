// Account data of a processor is accepted only if it is valid.
import { expect, test } from 'vitest';
import { parseCurrency } from '#core/kernel';
import { authorizeNet } from '../../../core/processing/gateways/authorizenet/index.ts';
import type { HttpClient } from '../../../core/processing/gateways/http-client.ts';
import { nmi } from '../../../core/processing/gateways/nmi/index.ts';
import type { GatewayAccount } from '../../../core/processing/gateways/processor.ts';

const account = (credentials: Record<string, string>, mode: 'test' | 'live' = 'live'): GatewayAccount => ({
  tenantId: 'ten_a',
  gatewayId: 'gw_a',
  credentials,
  mode,
  currency: parseCurrency('USD'),
  timezone: 'America/New_York',
});

const wireOf = (contentType: string, bodyOf: (question: string) => string): HttpClient => ({
  post: async ({ body }) => ({ kind: 'answered', status: 200, contentType, body: bodyOf(body) }),
  get: () => Promise.reject(new Error('This client only posts.')),
  close: async () => {},
});

interface Said {
  readonly zone: string;
  readonly currencies?: readonly string[];
}

const processor = (id: string, type: string, currencies: readonly string[]) =>
  `<processor><id>${id}</id><type>${type}</type><currencies>${currencies.join(',')}</currencies></processor>`;

function askNmi({ zone, currencies = ['USD'] }: Said, processorId = '') {
  const profile = `<nm_response><merchant><company>Shop</company><timezone>${zone}</timezone></merchant>
    <account_details><test_mode_enabled>false</test_mode_enabled></account_details>
    <processors>${processor('cards', 'cc', currencies)}${processor('bank', 'ck', ['USD'])}</processors></nm_response>`;
  return nmi.check(
    account({ securityKey: 'key-1', processorId }),
    wireOf('text/xml', () => profile),
  );
}

const OK = { messages: { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] } };
const refusing = (code: string, text: string) => ({ messages: { resultCode: 'Error', message: [{ code, text }] } });

function askAuthorizeNet({ zone, currencies = ['USD'] }: Said, answers: Record<string, object> = {}, mode: 'test' | 'live' = 'live') {
  const details = { ...OK, merchantName: 'Shop', merchantTimeZone: zone, currencies, isTestMode: false };
  const wire = wireOf('application/json', (question) => {
    const [operation = ''] = Object.keys(JSON.parse(question) as object);
    return JSON.stringify(answers[operation] ?? (operation === 'getMerchantDetailsRequest' ? details : OK));
  });
  return authorizeNet.check(account({ loginId: 'login-1', transactionKey: 'key-1' }, mode), wire);
}

test.each([
  ['nmi', askNmi],
  ['authorizenet', askAuthorizeNet],
])('%s: accepts IANA time zones only, and at most fifty currency codes', async (_, ask) => {
  expect(await ask({ zone: 'Europe/Berlin' })).toMatchObject({ kind: 'ok', timezone: 'Europe/Berlin', currencies: ['USD'] });
  for (const zone of ['Eastern Time', `America/${'x'.repeat(80)}`, 'UTC x', '4111111111111111'])
    expect(await ask({ zone }), zone).toMatchObject({ kind: 'ok', timezone: undefined });
  const letters = [...'ABCDEFGHIJ'];
  const many = letters.flatMap((first) => letters.map((second) => `X${first}${second}`));
  const said = await ask({ zone: 'UTC', currencies: ['USD', 'USD', 'usd', '4111111111111111', '$', ...many] });
  expect(said).toMatchObject({ kind: 'ok', currencies: ['USD', ...many.slice(0, 49)] });
});

test('nmi: reads from the named processor whether bank payments are accepted', async () => {
  expect(await askNmi({ zone: 'UTC' })).toMatchObject({ takesBankAccounts: true });
  expect(await askNmi({ zone: 'UTC' }, 'cards')).toMatchObject({ takesBankAccounts: false });
  expect(await askNmi({ zone: 'UTC' }, 'bank')).toMatchObject({ takesBankAccounts: true });
});

test('explains a refused key of a live account and names a missing permission', async () => {
  const refused = { authenticateTestRequest: refusing('E00007', 'User authentication failed.') };
  expect(await askAuthorizeNet({ zone: 'UTC' }, refused)).toEqual({
    kind: 'refused',
    reason: 'User authentication failed. Check that these are not the keys of the test environment.',
    field: 'transactionKey',
  });
  expect(await askAuthorizeNet({ zone: 'UTC' }, refused, 'test')).toMatchObject({ reason: 'User authentication failed.' });
  const hidden = { getUnsettledTransactionListRequest: refusing('E00011', 'Access denied.') };
  expect(await askAuthorizeNet({ zone: 'UTC' }, hidden)).toEqual({
    kind: 'refused',
    reason: 'Access denied. Enable the Transaction Details API in the merchant interface under Account.',
    field: 'loginId',
  });
  const wrong = wireOf('text/xml', () => '<nm_response><error_response>Authentication Failed</error_response></nm_response>');
  expect(await nmi.check(account({ securityKey: 'key-1' }), wrong)).toMatchObject({
    kind: 'refused',
    reason: 'Authentication Failed. Check that these are not the keys of the test environment.',
    field: 'securityKey',
  });
});

test('refuses a live account in test mode in every spelling of the flag', async () => {
  const askWith = (isTestMode: unknown) =>
    askAuthorizeNet({ zone: 'UTC' }, { getMerchantDetailsRequest: { ...OK, merchantName: 'Shop', currencies: ['USD'], isTestMode } });
  for (const flag of [true, 'true', 'True', ' TRUE '])
    expect(await askWith(flag), String(flag)).toMatchObject({ kind: 'refused', field: 'mode' });
  for (const none of [false, 'false', null, 1, { toString: 'true' }])
    expect(await askWith(none), JSON.stringify(none)).toMatchObject({ kind: 'ok' });
});
