// The kit that the payment pages of every connector must pass. A payer pays on the page of the simulated processor by its form.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { money, newProcessorRef } from '#core/kernel';
import { createSandboxGateway, type HostedPageConnector, type NewHostedPage } from '#core/processing/gateways';
import { authorizeNet } from '../../../../core/processing/gateways/authorizenet/index.ts';
import { nmi } from '../../../../core/processing/gateways/nmi/index.ts';
import type { GatewayAccount, Processor } from '../../../../core/processing/gateways/processor.ts';
import { createHttpClient } from '../../../../core/processing/gateways/undici-client.ts';
import { type Fault, type Peer, startSimulator } from '../../../../simulators/index.ts';
import { openTemporaryLedger, payOnSimulatedPage } from '../../../support/hosted-pages.ts';
import { OWNER_IDS, USD } from './harness.ts';

type Payer = (processorRef: string, number?: string) => Promise<{ readonly status: number; readonly text: string }>;

interface PagesHarness {
  readonly pages: HostedPageConnector;
  readonly pay: Payer;
  /** Makes requests of the kind fail; undefined without a network. */
  readonly faults?: (does?: Fault['do'], on?: readonly string[]) => void;
  readonly simulator?: Peer;
  readonly createOperation: string;
  readonly declinedCard: string;
  close(): Promise<void>;
}

async function simulated(processor: Processor, createOperation: string, declinedCard: string): Promise<PagesHarness> {
  const simulator = await startSimulator(processor.type);
  const client = createHttpClient();
  const { credentials, origin } = simulator;
  const account: GatewayAccount = {
    tenantId: 'ten_kit',
    gatewayId: 'gtw_kit',
    credentials,
    origin,
    mode: 'live',
    currency: USD,
    timezone: 'UTC',
  };
  const { hostedPages } = processor.open(account, client);
  if (hostedPages === undefined) throw new Error('The connector has payment pages.');
  return {
    pages: hostedPages,
    simulator,
    createOperation,
    declinedCard,
    faults: (does, on) => simulator.faults(does === undefined ? [] : [{ do: does, ...(on && { on }) }]),
    pay: (processorRef, number) => payOnSimulatedPage(simulator, processorRef, number),
    async close() {
      await client.close();
      await simulator.stop();
    },
  };
}

async function sandbox(): Promise<PagesHarness> {
  const { ledger, clockOf, close } = await openTemporaryLedger();
  const gateway = createSandboxGateway({ ledger, clockOf, timeoutMs: 5 });
  const tokens = new Map<string, string>();
  const { hostedPages } = gateway;
  return {
    pages: {
      ...hostedPages,
      async create(page) {
        const created = await hostedPages.create(page);
        if (created.kind === 'created') tokens.set(page.processorRef, created.reference ?? '');
        return created;
      },
    },
    createOperation: '',
    declinedCard: '4000000000000002',
    async pay(processorRef, number = '4111111111111111') {
      const card = { number, expiryMonth: '12', expiryYear: '2031', cvv: '999' };
      return gateway.payHostedPage(tokens.get(processorRef) ?? '', card).then(
        (result) => ({ status: 200, text: result.kind }),
        (error: Error) => ({ status: 409, text: error.message }),
      );
    },
    close,
  };
}

let made = 0;
const newPage = (more: Partial<NewHostedPage> = {}): NewHostedPage => {
  made += 1;
  return {
    ...OWNER_IDS,
    processorRef: newProcessorRef(),
    amount: money(2_500 + made, USD),
    tax: money(0, USD),
    description: 'Invoice INV-000042',
    companyName: 'Corner Shop & Sons',
    payer: { name: 'Ann Other', email: 'ann@customer.example' },
    ...more,
  };
};

const HARNESSES: Readonly<Record<string, () => Promise<PagesHarness>>> = {
  Sandbox: sandbox,
  'Authorize.Net': () => simulated(authorizeNet, 'getHostedPaymentPageRequest', '4111111111111112'),
  NMI: () => simulated(nmi, 'add_invoice', '4111111111111112'),
};

describe.each(Object.entries(HARNESSES))('payment pages of %s', (_name, open) => {
  let harness: PagesHarness;
  beforeAll(async () => {
    harness = await open();
  });
  afterEach(() => harness.faults?.());
  afterAll(() => harness.close());

  const inquiry = (page: NewHostedPage) => ({ ...page, at: new Date().toISOString() });
  async function created(more: Partial<NewHostedPage> = {}) {
    const page = newPage(more);
    const creation = await harness.pages.create(page);
    expect(creation).toMatchObject({ kind: 'created' });
    return { page, creation: creation.kind === 'created' ? creation : null };
  }

  test('create a page with the address that its way of delivery needs', async () => {
    const { creation } = await created();
    const { delivery, opensWithinMs } = harness.pages;
    const address = creation?.address ?? null;
    if (delivery === 'email') expect(address).toBeNull();
    else expect(address?.url).toMatch(/^https?:\/\//);
    expect(address?.fields !== undefined).toBe(delivery === 'form');
    expect(opensWithinMs !== null).toBe(delivery === 'form');
  });

  test('show a page as unpaid until the payer pays, then its payment with amount and card', async () => {
    const { page } = await created();
    expect(await harness.pages.find(inquiry(page))).toEqual({ kind: 'unpaid' });
    expect(await harness.pay(page.processorRef)).toMatchObject({ status: 200 });
    expect(await harness.pages.find(inquiry(page))).toMatchObject({
      kind: 'paid',
      payments: [{ amount: page.amount, reference: expect.stringMatching(/./), card: { brand: 'visa', last4: '1111' } }],
    });
  });

  test('ignore a declined card, after which the payer may use another one on the same page', async () => {
    const { page } = await created();
    await harness.pay(page.processorRef, harness.declinedCard);
    expect(await harness.pages.find(inquiry(page))).toEqual({ kind: 'unpaid' });
    await harness.pay(page.processorRef);
    expect(await harness.pages.find(inquiry(page))).toMatchObject({ kind: 'paid' });
  });

  test('take one payment for a page', async () => {
    const { page } = await created();
    await Promise.all(Array.from({ length: 5 }, () => harness.pay(page.processorRef)));
    expect(await harness.pages.find(inquiry(page))).toMatchObject({ kind: 'paid', payments: [{ amount: page.amount }] });
  });

  test('do not mix up pages of equal amounts', async () => {
    const { page: one } = await created({ amount: money(4_900, USD) });
    const { page: other } = await created({ amount: money(4_900, USD) });
    await harness.pay(one.processorRef);
    expect(await harness.pages.find(inquiry(one))).toMatchObject({ kind: 'paid' });
    expect(await harness.pages.find(inquiry(other))).toEqual({ kind: 'unpaid' });
  });

  test('refuse payments on a closed page, if the processor can close pages', async () => {
    const { page, creation } = await created();
    if (harness.pages.close === undefined) return expect(harness.pages.opensWithinMs).not.toBeNull();
    expect(await harness.pages.close({ ...page, reference: creation?.reference ?? null })).toBe(true);
    await harness.pay(page.processorRef);
    expect(await harness.pages.find(inquiry(page))).toEqual({ kind: 'unpaid' });
  });

  test('report a lost answer to a creation as unknown, and a request that never arrived as well', async () => {
    if (harness.faults === undefined) return;
    for (const fault of ['drop-answer', 'half-answer'] as const) {
      harness.faults(fault, [harness.createOperation]);
      expect(await harness.pages.create(newPage())).toMatchObject({ kind: 'unknown' });
    }
  });

  test('report a lost answer to an inquiry as unknown, and never as unpaid', async () => {
    if (harness.faults === undefined) return;
    const { page } = await created();
    await harness.pay(page.processorRef);
    for (const fault of ['drop-answer', 'half-answer', 'http-500'] as const) {
      harness.faults(fault);
      expect(await harness.pages.find(inquiry(page))).toMatchObject({ kind: 'unknown' });
    }
  });

  test('repeat no secret of the account in a refusal', async () => {
    if (harness.faults === undefined || harness.simulator === undefined) return;
    harness.faults('echo');
    const refusal = JSON.stringify(await harness.pages.create(newPage()));
    for (const secret of Object.values(harness.simulator.credentials)) expect(refusal).not.toContain(secret);
  });
});

test('a form of Authorize.Net cannot be opened after 15 minutes', async () => {
  let now = Date.now();
  const simulator = await startSimulator('authorizenet', { now: () => now });
  const client = createHttpClient();
  const { credentials, origin } = simulator;
  const account: GatewayAccount = {
    tenantId: 'ten_kit',
    gatewayId: 'gtw_kit',
    credentials,
    origin,
    mode: 'live',
    currency: USD,
    timezone: 'UTC',
  };
  const page = newPage();
  await authorizeNet.open(account, client).hostedPages?.create(page);
  now += 15 * 60_000 + 1_000;
  expect(await payOnSimulatedPage(simulator, page.processorRef)).toMatchObject({ status: 400 });
  await client.close();
  await simulator.stop();
});
