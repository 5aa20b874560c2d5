import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { money, newProcessorRef, parseCurrency } from '#core/kernel';
import { nexo } from '../../../core/processing/gateways/nexo/index.ts';
import type { GatewayAccount } from '../../../core/processing/gateways/processor.ts';
import type { TerminalCharge, TerminalInquiry } from '../../../core/processing/gateways/terminals.ts';
import { createHttpClient } from '../../../core/processing/gateways/undici-client.ts';
import { nexoSimulator } from '../../../simulators/nexo/index.ts';
import { type ReaderInput, type Simulator, type SimulatorOptions, serveSimulator } from '../../../simulators/simulator-server.ts';
import { until } from '../../support/until.ts';

const USD = parseCurrency('USD');
const OWNER_IDS = { tenantId: 'ten_a', gatewayId: 'gtw_a' };
const DEVICE = 'SIM-000001';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

/** Starts a simulated reader, and a connector for its account. */
async function shop(options?: SimulatorOptions, credentials: Readonly<Record<string, string>> = {}) {
  const simulator = await serveSimulator(nexoSimulator, options);
  cleanUp.push(simulator.stop);
  const account: GatewayAccount = {
    ...OWNER_IDS,
    credentials: { ...simulator.credentials, ...credentials },
    mode: 'test',
    currency: USD,
    timezone: 'America/Chicago',
  };
  const address = simulator.device?.address ?? '';
  const charge = (more: Partial<TerminalCharge> = {}): TerminalCharge => ({
    ...OWNER_IDS,
    merchantId: 'mer_a',
    deviceId: DEVICE,
    address,
    operation: 'sale',
    processorRef: newProcessorRef(),
    amount: money(2_550, USD),
    ...more,
  });
  return { simulator, account, address, charge, connector: connectorOf(account) };
}

/** Opens a connector of a process of its own: it knows no dialog of another one. */
function connectorOf(account: GatewayAccount) {
  const httpClient = createHttpClient();
  cleanUp.push(httpClient.close);
  const connector = nexo.open(account, httpClient);
  if (!connector.terminals) throw new Error('The connector has card readers.');
  return { ...connector, terminals: connector.terminals, close: httpClient.close };
}
type Shop = Awaited<ReturnType<typeof shop>>;

const inquiryOf = (charge: TerminalCharge): TerminalInquiry => ({ ...charge, requestId: null, at: new Date().toISOString() });

async function started({ connector, charge }: Pick<Shop, 'connector' | 'charge'>, more: Partial<TerminalCharge> = {}) {
  const sent = charge(more);
  expect(await connector.terminals.start(sent)).toMatchObject({ kind: 'running', step: 'waiting_for_card' });
  return inquiryOf(sent);
}

/** Starts a payment, and acts at the reader as soon as it waits for a card. */
async function presented(
  here: Pick<Shop, 'connector' | 'charge' | 'simulator'>,
  action: ReaderInput['action'],
  more: Partial<TerminalCharge> = {},
  tipMinor = 0,
) {
  const sent = here.charge(more);
  const start = here.connector.terminals.start(sent);
  await until('the reader waits for a card', async () => here.simulator.present({ action, tipMinor }));
  await start;
  return inquiryOf(sent);
}

/** Waits until the reader has answered, and returns the outcome. */
const outcomeOf = ({ connector }: Pick<Shop, 'connector'>, inquiry: TerminalInquiry) =>
  until('the reader has answered', async () => {
    const answer = await connector.terminals.status(inquiry);
    return answer.kind !== 'running' && answer;
  });

/** Starts a payment and returns its outcome, which a reader under load may give later. */
async function refusalOf(here: Pick<Shop, 'connector' | 'charge'>, sent = here.charge()) {
  const answer = await here.connector.terminals.start(sent);
  return answer.kind === 'running' ? outcomeOf(here, inquiryOf(sent)) : answer;
}

const register = ({ connector, address }: Pick<Shop, 'connector' | 'address'>, more: { code?: string; address?: string } = {}) =>
  connector.terminals.register({ ...OWNER_IDS, code: DEVICE, name: 'Counter 1', address, ...more });

const payments = ({ ledger }: Simulator) => ledger.totals().entries;

describe('nexo card readers: registration', () => {
  test('pairs a reader by its address after its certificate and its key are verified', async () => {
    const here = await shop();
    expect(await register(here)).toEqual({
      kind: 'registered',
      device: { deviceId: DEVICE, model: 'SIM', serialNumber: '000001', address: here.address },
    });
    const reader = { ...OWNER_IDS, deviceId: DEVICE, address: here.address };
    expect(await here.connector.terminals.connectionOf(reader)).toBe('online');
    here.simulator.present({ action: 'unplug' });
    expect(await here.connector.terminals.connectionOf(reader)).toBe('offline');
  });

  test.each([
    ['another reader', {}, { code: 'SIM-000002' }, 'address'],
    ['a certificate of another reader', { quirks: ['wrong-name'] }, {}, 'address'],
    ['a certificate of another root', { quirks: ['other-root'] }, {}, 'address'],
    ['an address where nothing listens', {}, { address: '127.0.0.1:1' }, 'address'],
    ['an address that is none', {}, { address: 'https://127.0.0.1' }, 'address'],
    ['an ID that is none', {}, { code: '12' }, 'code'],
    ['a response with a wrong HMAC', { quirks: ['wrong-hmac'] }, {}, 'gatewayId'],
  ])('refuses %s', async (_, options, input, field) => {
    expect(await register(await shop(options), input)).toMatchObject({ kind: 'refused', field });
  });

  test('accepts the certificate name that older readers share', async () => {
    expect(await register(await shop({ quirks: ['shared-name'] }))).toMatchObject({ kind: 'registered' });
  });

  test.each([
    ['passphrase', 'another passphrase'],
    ['keyIdentifier', 'other'],
    ['keyVersion', '2'],
  ])('refuses a key of another merchant: %s', async (name, value) => {
    const here = await shop({}, { [name]: value });
    expect(await register(here)).toMatchObject({ kind: 'refused', field: 'gatewayId' });
    expect(await refusalOf(here)).toMatchObject({ kind: 'unknown' });
    expect(payments(here.simulator)).toBe(0);
  });

  test('checks the key and the root certificate of an account', async () => {
    const { account } = await shop();
    const check = (credentials: Record<string, string>) =>
      nexo.check({ ...account, credentials: { ...account.credentials, ...credentials } }, createHttpClient());
    expect(await check({})).toMatchObject({ kind: 'ok', takesBankAccounts: false });
    expect(await check({ keyVersion: 'one' })).toMatchObject({ kind: 'refused', field: 'keyVersion' });
    expect(await check({ rootCertificate: 'x' })).toMatchObject({ kind: 'refused', field: 'rootCertificate' });
  });
});

describe('nexo card readers: payments', () => {
  test.each([
    ['chip', 'chip', 'pin'],
    ['chip_signature', 'chip', 'signature'],
    ['contactless', 'contactless', 'none'],
    ['phone', 'contactless', 'none'],
    ['swipe', 'swipe', 'signature'],
    ['keyed', 'keyed', 'none'],
  ] as const)('approves a sale by %s with the card and the facts of its receipt', async (action, entryMode, verification) => {
    const here = await shop();
    const inquiry = await presented(here, action);
    expect(await outcomeOf(here, inquiry)).toEqual({
      kind: 'approved',
      reference: expect.stringMatching(/^T00042\.P\d+@2\d{3}-.*Z$/),
      authCode: '042042',
      charged: { amount: money(2_550, USD), isNotVoidable: true },
      cardPresent: {
        brand: 'visa',
        last4: '1111',
        entryMode,
        verification,
        applicationLabel: 'Visa Credit',
        applicationId: 'A0000000031010',
      },
    });
    expect(here.simulator.ledger.totals()).toMatchObject({ charged: 2_550, entries: 1 });
  });

  test.each([
    ['decline', 'insufficient_funds'],
    ['chip_refuses', 'card_declined'],
    ['wrong_pin', 'restricted_card'],
    ['unreadable', 'invalid_account'],
    ['restricted', 'restricted_card'],
  ] as const)('declines after %s', async (action, declineCode) => {
    const here = await shop();
    const inquiry = await presented(here, action);
    expect(await outcomeOf(here, inquiry)).toMatchObject({ kind: 'declined', declineCode });
  });

  test.each(['cancel', 'time_out'] as const)('the action %s ends the payment without a charge', async (action) => {
    const here = await shop();
    const inquiry = await presented(here, action);
    expect(await outcomeOf(here, inquiry)).toMatchObject({ kind: 'not-sent', canceledBy: 'customer' });
  });

  test('an abort ends the payment, and a late one is ignored: the own answer of the payment decides', async () => {
    const here = await shop();
    const canceled = await started(here);
    await here.connector.terminals.cancel(canceled);
    expect(await here.connector.terminals.status(canceled)).toMatchObject({ kind: 'not-sent', canceledBy: 'clerk' });
    const charged = await presented(here, 'chip');
    await here.connector.terminals.cancel(charged);
    expect(await outcomeOf(here, charged)).toMatchObject({ kind: 'approved' });
  });

  test('an abort of an ended payment does not hit the next one', async () => {
    const here = await shop();
    const first = await presented(here, 'cancel');
    await outcomeOf(here, first);
    const second = await started(here);
    await here.connector.terminals.cancel(first);
    expect(await here.connector.terminals.status(second)).toMatchObject({ kind: 'running' });
  });

  test.each([
    ['out-of-order', {}],
    ['low-battery', {}],
    ['logged-out', {}],
    ['no-network', {}],
    ['card-inside', {}],
  ] as const)('refuses a start when the reader reports %s', async (quirk, more) => {
    const here = await shop({ quirks: [quirk] });
    expect(await refusalOf(here)).toMatchObject({ kind: 'not-sent', retry: 'error', ...more });
    expect(payments(here.simulator)).toBe(0);
  });

  test('refuses a start on a reader that is in use or offline, which says nothing about the payment that runs', async () => {
    const here = await shop();
    const running = await started(here);
    expect(await refusalOf(here)).toMatchObject({ kind: 'not-sent', refusedBy: 'terminal_busy' });
    expect(await here.connector.terminals.status(running)).toMatchObject({ kind: 'running' });
    here.simulator.present({ action: 'unplug' });
    expect(await refusalOf(here)).toMatchObject({ kind: 'not-sent', refusedBy: 'terminal_offline' });
  });

  test('asks for a tip and accepts a part only if the payment allows it, and reports the charged amount', async () => {
    const here = await shop();
    const tip = { percents: [15], allowsOther: true, max: money(1_000, USD) };
    const tipped = await presented(here, 'chip', { changes: { tip } }, 450);
    expect(await outcomeOf(here, tipped)).toMatchObject({ kind: 'approved', charged: { amount: { minor: 3_000 }, tip: { minor: 450 } } });
    const partial = await presented(here, 'partial', { changes: { allowsPartialApproval: true } });
    expect(await outcomeOf(here, partial)).toMatchObject({ kind: 'approved', charged: { amount: { minor: 1_275 } } });
    const untouched = await presented(here, 'chip', {}, 450);
    expect(await outcomeOf(here, untouched)).toMatchObject({ kind: 'approved', charged: { amount: { minor: 2_550 } } });
  });

  test.each(['no-amount', 'odd-condition'] as const)('a response that is not documented (%s) is never a result', async (quirk) => {
    const here = await shop({ quirks: [quirk] });
    const sent = here.charge();
    const start = here.connector.terminals.start(sent);
    if (quirk === 'no-amount') await until('the reader waits for a card', async () => here.simulator.present({ action: 'chip' }));
    const outcome = await start;
    expect(outcome.kind).toBe('unknown');
  });

  test('pays money to the card that is presented', async () => {
    const here = await shop();
    const inquiry = await presented(here, 'chip', { operation: 'credit' });
    expect(await outcomeOf(here, inquiry)).toMatchObject({ kind: 'approved', charged: { amount: { minor: 2_550 } } });
    expect(here.simulator.ledger.totals()).toMatchObject({ charged: 0, paidOut: 2_550 });
  });

  test('takes sales and credits only, on readers only', async () => {
    const here = await shop();
    expect(await here.connector.terminals.start(here.charge({ operation: 'auth' }))).toMatchObject({ kind: 'not-sent' });
    const operations = [here.connector.purchase, here.connector.authorize, here.connector.credit, here.connector.capture] as const;
    for (const operation of operations) expect(await operation({} as never)).toMatchObject({ kind: 'not-sent' });
    expect(here.simulator.requestCounts()).toEqual({});
  });
});

describe('nexo card readers: lost answers', () => {
  test.each(['drop-answer', 'half-answer'] as const)(
    'finds an approval whose answer was lost (%s), without sending it again',
    async (fault) => {
      const here = await shop({ faults: [{ do: fault, on: ['Payment'] }] });
      const inquiry = await presented(here, 'chip');
      expect(await outcomeOf(here, inquiry)).toMatchObject({ kind: 'approved' });
      expect(here.simulator.requestCounts().Payment).toBe(1);
      expect(payments(here.simulator)).toBe(1);
    },
  );

  test('another process finds the payment by its reference: first in progress, then its result', async () => {
    const here = await shop();
    const inquiry = await started(here);
    await here.connector.close();
    const connector = connectorOf(here.account);
    expect(await connector.terminals.inquire(inquiry)).toMatchObject({ kind: 'running' });
    here.simulator.present({ action: 'chip' });
    expect(await connector.terminals.inquire(inquiry)).toMatchObject({ kind: 'approved' });
    expect(await connector.terminals.inquire(inquiry)).toMatchObject({ kind: 'approved' });
    expect(here.simulator.requestCounts().Payment).toBe(1);
  });

  test('asks a reader after two minutes although the connection is open, and every four seconds at most', async () => {
    const here = await shop();
    vi.useFakeTimers({ toFake: ['Date'] });
    const inquiry = await started(here);
    await here.connector.terminals.status(inquiry);
    expect(here.simulator.requestCounts().TransactionStatus).toBeUndefined();
    vi.setSystemTime(Date.now() + 121_000);
    for (let at = 0; at < 3; at += 1) expect(await here.connector.terminals.status(inquiry)).toMatchObject({ kind: 'running' });
    expect(here.simulator.requestCounts().TransactionStatus).toBe(1);
  });

  test('a payment that the reader does not know after a loss of power needs a person: its word is no proof', async () => {
    const here = await shop();
    const inquiry = await presented(here, 'unplug_after_approval');
    expect(await outcomeOf(here, inquiry)).toMatchObject({ kind: 'unknown' });
    expect(await here.connector.terminals.inquire(inquiry)).toMatchObject({ kind: 'unknown', isNotYetShown: true });
    here.simulator.present({ action: 'connect' });
    expect(await here.connector.terminals.inquire(inquiry)).toMatchObject({ kind: 'unknown', alert: 'processor-at-a-loss' });
    expect(payments(here.simulator)).toBe(1);
  });

  test('a payment of a reader that lost its network continues, and its result is found afterwards', async () => {
    const here = await shop();
    const inquiry = await started(here);
    here.simulator.present({ action: 'disconnect' });
    expect(await outcomeOf(here, inquiry)).toMatchObject({ kind: 'unknown' });
    here.simulator.present({ action: 'chip' });
    here.simulator.present({ action: 'connect' });
    expect(await here.connector.terminals.inquire(inquiry)).toMatchObject({ kind: 'approved' });
  });

  test('a result of another payment is not used', async () => {
    const here = await shop({ quirks: ['other-payment'] });
    const first = await presented(here, 'chip');
    await outcomeOf(here, first);
    const second = await started(here);
    await here.connector.close();
    here.simulator.present({ action: 'decline' });
    expect(await connectorOf(here.account).terminals.inquire(second)).toMatchObject({ kind: 'unknown' });
  });

  test('many inquiries move no money', async () => {
    const here = await shop();
    const inquiry = await presented(here, 'chip');
    await Promise.all(Array.from({ length: 10 }, () => here.connector.terminals.status(inquiry)));
    await Promise.all(Array.from({ length: 10 }, () => here.connector.terminals.inquire(inquiry)));
    expect(payments(here.simulator)).toBe(1);
  });
});

describe('nexo card readers: a host that answers in the place of the reader', () => {
  test.each(['wrong-hmac', 'wrong-key-version', 'wrong-outer-header', 'wrong-padding', 'replay', 'malformed', 'deep', 'long'])(
    'a response with the fault %s is not used, in one way for all faults',
    async (quirk) => {
      const here = await shop();
      const first = await presented(here, 'chip');
      expect(await outcomeOf(here, first)).toMatchObject({ kind: 'approved' });
      here.simulator.quirks([quirk]);
      const second = await presented(here, 'decline');
      expect(await outcomeOf(here, second)).toMatchObject({ kind: 'unknown', isNotYetShown: true });
      here.simulator.quirks();
      expect(await here.connector.terminals.inquire(second)).toMatchObject({ kind: 'declined' });
    },
  );

  test('a host with a certificate of another root, or of another reader, receives no byte of a message', async () => {
    for (const quirk of ['wrong-name', 'other-root']) {
      const here = await shop({ quirks: [quirk] });
      expect(await refusalOf(here)).toMatchObject({ kind: 'not-sent', refusedBy: 'terminal_offline' });
      expect(here.simulator.lastRequest()).toBeNull();
    }
  });

  test('a host with the shared certificate name but without the key approves nothing', async () => {
    const here = await shop();
    const forged = JSON.stringify({
      SaleToPOIResponse: {
        MessageHeader: {},
        PaymentResponse: { Response: { Result: 'Success' } },
      },
    });
    const host: Server = createServer(nexoSimulator.device?.tls({ quirks: new Set(['shared-name']) } as never) ?? {}, (_, response) =>
      response.setHeader('content-type', 'application/json').end(forged),
    );
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    cleanUp.push(async () => host.close());
    const address = `127.0.0.1:${(host.address() as AddressInfo).port}`;
    expect(await refusalOf(here, here.charge({ address }))).toMatchObject({ kind: 'unknown' });
    expect(await register(here, { address })).toMatchObject({ kind: 'refused' });
  });

  test('never connects outside of the local network, whatever the address says', async () => {
    const here = await shop();
    for (const address of ['8.8.8.8', '169.254.169.254', '[2001:4860:4860::8888]', '[fe80::1]', '0.0.0.0'])
      expect(await register(here, { address })).toMatchObject({
        kind: 'refused',
        field: 'address',
        reason: expect.stringContaining('local'),
      });
    const live = connectorOf({ ...here.account, mode: 'live' });
    expect(await register({ connector: live, address: here.address })).toMatchObject({ kind: 'refused', field: 'address' });
    expect(await live.terminals.start(here.charge())).toMatchObject({ kind: 'not-sent', refusedBy: 'terminal_offline' });
    expect(here.simulator.lastRequest()).toBeNull();
  });
});

describe('nexo card readers: reversals', () => {
  async function approvedPayment() {
    const here = await shop();
    const inquiry = await presented(here, 'chip');
    const outcome = await outcomeOf(here, inquiry);
    if (outcome.kind !== 'approved') throw new Error('The payment is approved.');
    const { processorRef, address, amount } = inquiry;
    const request = {
      ...OWNER_IDS,
      merchantId: 'mer_a',
      processorRef: newProcessorRef(),
      amount,
      original: { processorRef, reference: outcome.reference },
      reader: { deviceId: DEVICE, address },
    };
    return { ...here, request };
  }

  test('a void and a refund of a part are sent by the reader, and their result needs a person', async () => {
    const refunded = await approvedPayment();
    const part = { ...refunded.request, amount: money(1_000, USD) };
    expect(await refunded.connector.refund(part)).toMatchObject({ kind: 'pending' });
    expect(await refunded.connector.inquire(part)).toMatchObject({ kind: 'unknown', alert: 'processor-at-a-loss' });
    expect(refunded.simulator.ledger.totals()).toMatchObject({ charged: 2_550, paidOut: 1_000 });
    const voided = await approvedPayment();
    expect(await voided.connector.void(voided.request)).toMatchObject({ kind: 'pending' });
    expect(voided.simulator.ledger.totals()).toMatchObject({ charged: 0 });
  });

  test('a reversal that the reader refuses, or cannot receive, has no effect', async () => {
    const { connector, request, simulator } = await approvedPayment();
    const tooMuch = { ...request, amount: money(9_999, USD) };
    expect(await connector.refund(tooMuch)).toMatchObject({ kind: 'not-sent', code: 'NOT_REFUNDABLE' });
    const unknown = { ...request, original: { ...request.original, reference: 'entered-by-a-person' } };
    expect(await connector.void(unknown)).toMatchObject({ kind: 'not-sent', code: 'NOT_REFUNDABLE' });
    simulator.present({ action: 'unplug' });
    expect(await connector.void(request)).toMatchObject({ kind: 'not-sent', code: 'RESOURCE_CONFLICT' });
    expect(simulator.ledger.totals()).toMatchObject({ charged: 2_550, paidOut: 0 });
  });
});
