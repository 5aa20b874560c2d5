// Records of processors that contradict the payment that was sent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { money, newProcessorRef, parseCurrency } from '#core/kernel';
import type { ChargeRequest, SettlementLine } from '#core/processing/gateways';
import { authorizeNet } from '../../../core/processing/gateways/authorizenet/index.ts';
import { nmi } from '../../../core/processing/gateways/nmi/index.ts';
import type { GatewayAccount } from '../../../core/processing/gateways/processor.ts';
import { createHttpClient } from '../../../core/processing/gateways/undici-client.ts';
import { type Peer, startSimulator } from '../../../simulators/index.ts';
import { answersChanged } from '../../support/tampering-proxy.ts';

const USD = parseCurrency('USD');
const OWNER_IDS = { tenantId: 'ten_a', merchantId: 'mer_a', gatewayId: 'gtw_a' };
const PROCESSORS = { authorizenet: authorizeNet, nmi } as const;
type Kind = keyof typeof PROCESSORS;

const httpClient = createHttpClient();
const simulators = new Map<Kind, Peer>();

beforeAll(async () => {
  for (const kind of Object.keys(PROCESSORS) as Kind[]) simulators.set(kind, await startSimulator(kind));
});
afterAll(async () => {
  await httpClient.close();
  for (const simulator of simulators.values()) await simulator.stop();
});

function open(kind: Kind, change = (body: string) => body) {
  const { origin, credentials } = simulators.get(kind) as Peer;
  const account: GatewayAccount = { ...OWNER_IDS, credentials, mode: 'test', origin, currency: USD, timezone: 'America/Chicago' };
  return PROCESSORS[kind].open(account, answersChanged(httpClient, change));
}

async function paid(kind: Kind): Promise<ChargeRequest> {
  const card = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', brand: 'visa', cvv: '999' } as const;
  const charge = { ...OWNER_IDS, processorRef: newProcessorRef(), amount: money(5_450, USD), source: card, channel: 'phone' } as const;
  expect(await open(kind).purchase(charge)).toMatchObject({ kind: 'approved' });
  return charge;
}

describe('an inquiry', () => {
  const CONTRADICTIONS: readonly (readonly [kind: Kind, record: string, change: (body: string) => string])[] = [
    ['authorizenet', 'an authorization', (body) => body.replaceAll('capturedPendingSettlement', 'authorizedPendingCapture')],
    ['authorizenet', 'a refund', (body) => body.replaceAll('capturedPendingSettlement', 'refundPendingSettlement')],
    ['nmi', 'a sale in another currency', (body) => body.replaceAll('<currency>USD', '<currency>EUR')],
    ['nmi', 'a sale with a negative amount', (body) => body.replaceAll('<amount>', '<amount>-')],
  ];
  test.each(CONTRADICTIONS)('at %s leaves a sale that is recorded as %s to a person', async (kind, _, change) => {
    const { processorRef, amount } = await paid(kind);
    const sent = { operation: 'sale', amount, at: new Date().toISOString() } as const;
    expect(await open(kind).inquire({ ...OWNER_IDS, processorRef, sent })).toMatchObject({ kind: 'approved' });
    expect(await open(kind, change).inquire({ ...OWNER_IDS, processorRef, sent })).toMatchObject({
      kind: 'unknown',
      alert: 'other-amount',
    });
  });
});

test('a sale of which Authorize.Net states another approved amount is not approved', async () => {
  const stating = (amount: string) =>
    open('authorizenet', (body) =>
      body.replace('"responseCode"', `"prePaidCard":{"requestedAmount":"54.50","approvedAmount":"${amount}"},"responseCode"`),
    );
  const card = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', brand: 'visa', cvv: '999' } as const;
  const charge = () =>
    ({ ...OWNER_IDS, processorRef: newProcessorRef(), amount: money(5_450, USD), source: card, channel: 'phone' }) as const;
  expect(await stating('54.50').purchase(charge())).toMatchObject({ kind: 'approved' });
  expect(await stating('20.00').purchase(charge())).toMatchObject({ kind: 'unknown', alert: 'other-amount' });
});

test('an approval that answers the start on an NMI reader waits for the records, which have its amount', async () => {
  const approved = 'response=1&responsetext=SUCCESS&transactionid=123456789&type=sale&response_code=100';
  const { terminals } = open('nmi', (body) => (body.startsWith('response=') ? approved : body));
  const payment = {
    ...OWNER_IDS,
    deviceId: 'reader',
    address: null,
    processorRef: newProcessorRef(),
    operation: 'sale',
    amount: money(2_000, USD),
  } as const;
  expect(await terminals?.start(payment)).toMatchObject({ kind: 'unknown' });
});

test('a decline on an NMI reader that names no payment is not that of the payment without its record', async () => {
  const { terminals } = open('nmi');
  const paired = await terminals?.register({ ...OWNER_IDS, code: 'A1B2C3', address: null, name: 'Counter' });
  const deviceId = paired?.kind === 'registered' ? paired.device.deviceId : '';
  const payment = {
    ...OWNER_IDS,
    deviceId,
    address: null,
    processorRef: newProcessorRef(),
    operation: 'sale',
    amount: money(2_000, USD),
  } as const;
  const started = await terminals?.start(payment);
  const requestId = started?.kind === 'running' ? started.requestId : null;
  const inquiry = { ...payment, requestId, at: new Date().toISOString() };
  const declined = JSON.stringify({ asyncStatus: 'interactionComplete', transaction: { success: false, response_code: '202' } });
  const ofOther = open('nmi', (body) => (body.startsWith('{"asyncStatus"') ? declined : body)).terminals;
  expect(await ofOther?.status(inquiry)).toMatchObject({ kind: 'running' });
  simulators.get('nmi')?.present({ action: 'decline', deviceId });
  expect(await ofOther?.status(inquiry)).toMatchObject({ kind: 'declined', declineCode: 'insufficient_funds' });
});

test('an authorization code of NMI that is none is left out, and a transaction ID that is none decides nothing', async () => {
  const { processorRef, amount } = await paid('nmi');
  const question = { ...OWNER_IDS, processorRef, sent: { operation: 'sale', amount, at: new Date().toISOString() } } as const;
  const changed = (name: string) => open('nmi', (body) => body.replaceAll(`<${name}>`, `<${name}>${'x'.repeat(10_000)}`));
  expect(await changed('authorization_code').inquire(question)).toMatchObject({ kind: 'approved', authCode: undefined });
  expect(await changed('transaction_id').inquire(question)).toMatchObject({ kind: 'unknown', alert: 'processor-at-a-loss' });
});

test('the report of NMI has the currency of each payment, because an account may have processors with others', async () => {
  const from = new Date(Date.now() - 1_000).toISOString();
  const { processorRef, amount } = await paid('nmi');
  simulators.get('nmi')?.closeBatch();
  const inEuros = open('nmi', (body) => body.replaceAll('<currency>USD', '<currency>EUR'));
  const report = inEuros.settlementReport({ tenantId: 'ten_a', from, to: new Date(Date.now() + 5_000).toISOString() });
  const lines: SettlementLine[] = [];
  for await (const page of report as AsyncIterable<readonly SettlementLine[]>) lines.push(...page);
  expect(lines.find((line) => line.processorRef === processorRef)?.amount).toEqual({ ...amount, currency: 'EUR' });
});
