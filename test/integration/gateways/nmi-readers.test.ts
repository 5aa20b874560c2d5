import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { money, newProcessorRef, parseCurrency } from '#core/kernel';
import type { ChargeRequest } from '../../../core/processing/gateways/connector.ts';
import type { HttpClient } from '../../../core/processing/gateways/http-client.ts';
import { nmi } from '../../../core/processing/gateways/nmi/index.ts';
import type { GatewayAccount } from '../../../core/processing/gateways/processor.ts';
import type { TerminalCharge, TerminalConnector, TerminalInquiry } from '../../../core/processing/gateways/terminals.ts';
import { createHttpClient } from '../../../core/processing/gateways/undici-client.ts';
import { nmiSimulator } from '../../../simulators/nmi/index.ts';
import { type Simulator, serveSimulator } from '../../../simulators/simulator-server.ts';

const USD = parseCurrency('USD');
const OWNER_IDS = { tenantId: 'ten_a', gatewayId: 'gtw_a', address: null };
const LATE = new Date(0).toISOString();

const httpClient = createHttpClient();
let simulator: Simulator;
let account: GatewayAccount;
let readers: TerminalConnector;
let deviceId = '';

function readersOver(client: HttpClient): TerminalConnector {
  const { terminals } = nmi.open(account, client);
  if (!terminals) throw new Error('The connector has card readers.');
  return terminals;
}

beforeAll(async () => {
  simulator = await serveSimulator(nmiSimulator);
  const { credentials, origin } = simulator;
  account = { ...OWNER_IDS, credentials, mode: 'live', origin, currency: USD, timezone: 'America/Chicago' };
  readers = readersOver(httpClient);
});
beforeEach(async () => {
  const made = await readers.register({ ...OWNER_IDS, code: 'A1B2C3', name: 'Counter 1' });
  if (made.kind !== 'registered') throw new Error(`The reader was not registered: ${made.reason}`);
  deviceId = made.device.deviceId;
});
afterEach(() => {
  simulator.faults();
  simulator.quirks();
});
afterAll(async () => {
  await httpClient.close();
  await simulator.stop();
});

const charge = (more: Partial<TerminalCharge> = {}): TerminalCharge => ({
  ...OWNER_IDS,
  merchantId: 'mer_a',
  deviceId,
  operation: 'sale',
  processorRef: newProcessorRef(),
  amount: money(2_550, USD),
  ...more,
});

/** Starts a payment and returns the inquiry about it. */
async function started(more: Partial<TerminalCharge> = {}): Promise<TerminalInquiry> {
  const sent = charge(more);
  const answer = await readers.start(sent);
  expect(answer).toMatchObject({ kind: 'running', step: 'waiting_for_card' });
  const requestId = answer.kind === 'running' ? answer.requestId : null;
  return { ...sent, requestId, at: new Date().toISOString() };
}

describe('card readers of NMI: verifications', () => {
  const verification = { operation: 'verification', amount: money(0, USD) } as const;
  const laterCharge = (processorRef: string, reference: string): ChargeRequest => ({
    ...OWNER_IDS,
    merchantId: 'mer_a',
    processorRef,
    amount: money(1_500, USD),
    channel: 'counter',
    source: { kind: 'card-at-gateway', gatewayId: 'gtw_a', reference, brand: 'visa', last4: '1111', expiryMonth: '12', expiryYear: '2030' },
  });

  test('store the card in the vault under our reference, without an amount, and charge it there later', async () => {
    const inquiry = await started(verification);
    simulator.present({ action: 'approve', deviceId });
    const answer = await readers.status(inquiry);
    expect(answer).toMatchObject({
      kind: 'approved',
      storedAs: inquiry.processorRef,
      cardPresent: { brand: 'visa', last4: '1111', expiryMonth: '12', expiryYear: '2030', entryMode: 'chip' },
    });
    const connector = nmi.open(account, httpClient);
    const later = newProcessorRef();
    expect(await connector.purchase(laterCharge(later, inquiry.processorRef))).toMatchObject({ kind: 'approved' });
    expect(await connector.purchase(laterCharge(newProcessorRef(), 'UNKNOWN'))).toMatchObject({ kind: 'not-sent' });
  });

  test('say that the card was not stored if the account has no vault, and store no declined card', async () => {
    simulator.quirks(['no-vault']);
    const withoutVault = await started(verification);
    simulator.present({ action: 'approve', deviceId });
    expect(await readers.status(withoutVault)).toMatchObject({ kind: 'not-sent', reason: expect.stringContaining('did not store') });
    simulator.quirks();
    const declined = await started(verification);
    simulator.present({ action: 'decline', deviceId });
    expect(await readers.status(declined)).toMatchObject({ kind: 'declined' });
  });

  test('are found by our reference if the start was not answered, and stay unknown while the vault does not answer', async () => {
    const inquiry = await started(verification);
    simulator.present({ action: 'approve', deviceId });
    simulator.faults([{ do: 'drop-answer', on: ['customer_vault'] }]);
    expect(await readers.inquire({ ...inquiry, requestId: null })).toMatchObject({ kind: 'unknown' });
    simulator.faults();
    expect(await readers.inquire({ ...inquiry, requestId: null })).toMatchObject({ kind: 'approved', storedAs: inquiry.processorRef });
    expect(await readers.inquire({ ...inquiry, processorRef: newProcessorRef(), requestId: null, at: LATE })).toEqual({
      kind: 'not-found',
    });
  });
});

describe('card readers of NMI: registration', () => {
  test('registers a reader with its model and serial number, shows its connection, and removes it', async () => {
    const made = await readers.register({ ...OWNER_IDS, code: 'A1B2C3', name: 'Window' });
    expect(made).toMatchObject({
      kind: 'registered',
      device: { model: 'Ingenico Lane 3000', serialNumber: expect.stringMatching(/^SN-/) },
    });
    expect(await readers.connectionOf({ ...OWNER_IDS, deviceId })).toBe('online');
    simulator.present({ action: 'unplug', deviceId });
    expect(await readers.connectionOf({ ...OWNER_IDS, deviceId })).toBe('offline');
    await readers.remove({ ...OWNER_IDS, deviceId });
    expect(await readers.start(charge())).toMatchObject({ kind: 'not-sent' });
  });

  test('tells a wrong code from an account without the service, and from a processor that does not answer', async () => {
    const register = (code: string) => readers.register({ ...OWNER_IDS, code, name: 'X' });
    expect(await register('WRONG1')).toMatchObject({ kind: 'refused', field: 'code' });
    simulator.quirks(['no-readers']);
    expect(await register('A1B2C3')).toMatchObject({
      kind: 'refused',
      field: 'gatewayId',
      reason: expect.stringContaining('Encrypted Devices'),
    });
    simulator.quirks();
    simulator.faults([{ do: 'drop-answer', on: ['register'] }]);
    expect(await register('A1B2C3')).toMatchObject({ kind: 'unreachable' });
    simulator.faults([{ do: 'drop-answer', on: ['list'] }]);
    expect(await readers.connectionOf({ ...OWNER_IDS, deviceId })).toBeNull();
  });
});

describe('card readers of NMI: payments', () => {
  test('approves a sale with the card and the application of the chip, as the records of the processor confirm', async () => {
    const inquiry = await started();
    expect(await readers.status(inquiry)).toMatchObject({ kind: 'running' });
    simulator.present({ action: 'approve', deviceId });
    expect(await readers.status(inquiry)).toMatchObject({
      kind: 'approved',
      authCode: '042042',
      cardPresent: { brand: 'visa', last4: '1111', entryMode: 'chip', applicationLabel: 'Visa Credit' },
    });
  });

  test('reads fields in the other spelling, and leaves out what the processor does not state', async () => {
    simulator.quirks(['other-names']);
    const inquiry = await started({ operation: 'auth' });
    simulator.present({ action: 'approve', deviceId });
    const answer = await readers.status(inquiry);
    expect(answer).toMatchObject({ kind: 'approved', cardPresent: { brand: 'visa', last4: '1111' } });
    expect(answer.kind === 'approved' && answer.cardPresent?.entryMode).toBeUndefined();
  });

  test('declines with the meaning of the code', async () => {
    const inquiry = await started();
    simulator.present({ action: 'decline', deviceId });
    expect(await readers.status(inquiry)).toMatchObject({
      kind: 'declined',
      declineCode: 'insufficient_funds',
      cardPresent: { last4: '1111' },
    });
  });

  test.each([
    ['cancel', 'customer'],
    ['time_out', 'timeout'],
  ] as const)('the action %s ends the payment without a charge, by %s', async (action, canceledBy) => {
    const inquiry = await started();
    simulator.present({ action, deviceId });
    expect(await readers.status(inquiry)).toMatchObject({ kind: 'not-sent', canceledBy });
  });

  test('cancels the dialog, unless the authorization was faster', async () => {
    const canceled = await started();
    await readers.cancel(canceled);
    expect(await readers.status(canceled)).toMatchObject({ kind: 'not-sent', canceledBy: 'clerk' });
    const charged = await started();
    simulator.present({ action: 'authorize', deviceId });
    await readers.cancel(charged);
    expect(await readers.status(charged)).toMatchObject({ kind: 'running' });
    simulator.present({ action: 'approve', deviceId });
    expect(await readers.status(charged)).toMatchObject({ kind: 'approved' });
  });

  test('refuses a start on a reader that is in use or offline, which says nothing about the payment that runs', async () => {
    const running = await started();
    expect(await readers.start(charge())).toMatchObject({ kind: 'not-sent', refusedBy: 'terminal_busy' });
    expect(await readers.status(running)).toMatchObject({ kind: 'running' });
    simulator.present({ action: 'cancel', deviceId });
    simulator.present({ action: 'unplug', deviceId });
    expect(await readers.start(charge())).toMatchObject({ kind: 'not-sent', refusedBy: 'terminal_offline' });
    simulator.present({ action: 'connect', deviceId });
  });

  test.each(['drop-answer', 'half-answer', 'http-500'] as const)(
    'finds a payment by its reference after the fault %s of its start',
    async (fault) => {
      simulator.faults([{ do: fault, on: ['reader-start'], nth: 1 }]);
      const sent = charge();
      expect(await readers.start(sent)).toMatchObject({ kind: 'unknown' });
      const inquiry = { ...sent, requestId: null, at: new Date().toISOString() };
      const isSent = fault !== 'http-500';
      expect(simulator.present({ action: 'approve', deviceId })).toBe(isSent);
      expect(await readers.inquire(inquiry)).toMatchObject(isSent ? { kind: 'approved' } : { kind: 'unknown', isNotYetShown: true });
      expect(await readers.inquire({ ...inquiry, at: LATE })).toMatchObject({ kind: isSent ? 'approved' : 'not-found' });
    },
  );

  test('a lost, unreadable or unknown state is never a result, and the records give it', async () => {
    const inquiry = await started();
    simulator.faults([{ do: 'drop-answer', on: ['reader-status'] }]);
    expect(await readers.status(inquiry)).toMatchObject({ kind: 'unknown' });
    simulator.faults();
    simulator.quirks(['odd-state']);
    expect(await readers.status(inquiry)).toMatchObject({ kind: 'unknown' });
    const html: HttpClient = {
      ...httpClient,
      get: async () => ({ kind: 'answered', status: 200, contentType: 'text/html', body: '<html>' }),
    };
    expect(await readersOver(html).status(inquiry)).toMatchObject({ kind: 'unknown' });
    simulator.present({ action: 'approve', deviceId });
    expect(await readers.inquire(inquiry)).toMatchObject({ kind: 'approved' });
  });

  test('an approval that the records do not show yet is still open', async () => {
    const inquiry = await started();
    simulator.present({ action: 'approve', deviceId });
    simulator.faults([{ do: 'drop-answer', on: ['query'] }]);
    expect(await readers.status(inquiry)).toMatchObject({ kind: 'unknown' });
    simulator.faults();
    expect(await readers.status(inquiry)).toMatchObject({ kind: 'approved' });
  });

  test('reports the amount that was charged: with a tip, a part, or another one', async () => {
    const max = money(1_000, USD);
    const tipped = await started({
      changes: { tip: { percents: [15, 18, 20, 25, 30], allowsOther: true, max }, allowsPartialApproval: true },
    });
    simulator.present({ action: 'approve', deviceId, tipMinor: 450 });
    expect(await readers.status(tipped)).toMatchObject({ kind: 'approved', charged: { amount: money(3_000, USD) } });
    const partial = await started({ changes: { tip: { percents: [10, 20], allowsOther: true, max } } });
    simulator.present({ action: 'partial', deviceId });
    expect(await readers.status(partial)).toMatchObject({ kind: 'approved', charged: { amount: money(1_275, USD) } });
    const other = await started();
    simulator.present({ action: 'other_amount', deviceId });
    expect(await readers.status(other)).toMatchObject({ kind: 'approved', charged: { amount: money(2_650, USD) } });
  });

  test('sends each payment once, and no request about it moves money', async () => {
    const before = simulator.ledger.totals().entries;
    const inquiry = await started();
    simulator.present({ action: 'approve', deviceId });
    await Promise.all(Array.from({ length: 10 }, () => readers.status(inquiry)));
    await Promise.all(Array.from({ length: 10 }, () => readers.inquire(inquiry)));
    expect(simulator.ledger.totals().entries).toBe(before + 1);
  });
});
