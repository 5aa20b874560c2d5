// Invoices that payers pay on the pages of processors. The payer fills in the form of the simulated page; Paydesk finds the payment by asking.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HostedPage } from '#core/billing/invoicing';
import { hostedPageActions } from '../../support/hosted-page-actions.ts';
import { type LiveCore, openLiveCore } from '../../support/live-core.ts';
import { ANY_DATABASE, FULL } from '../../support/server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
type Simulator = Awaited<ReturnType<LiveCore['addSimulator']>>;

describe.each(ANY_DATABASE)('invoices paid on pages of processors (%s)', (kind) => {
  let live: LiveCore;
  let nmi: Simulator;
  let authorizeNet: Simulator;
  beforeAll(async () => {
    live = await openLiveCore(kind);
    nmi = await live.addSimulator('nmi');
    authorizeNet = await live.addSimulator('authorizenet');
    await route('nmi');
  });
  afterAll(() => live.close());

  const { route, pages, invoiceOf, check, pay, newLink, newPage, payCash, transactionOf } = hostedPageActions(() => live);

  test('offers the page of the gateway that takes the payment', async () => {
    const id = await newLink();
    expect(await pages().list(live.actor, id)).toMatchObject({ offer: { gateway: 'nmi', delivery: 'email' }, pages: [] });
    await payCash(id, 40);
    expect((await pages().list(live.actor, id)).offer).toBeNull();
  });

  test('records a payment on the page once, with its card, as a payment of the invoice', async () => {
    const { id, page } = await newPage(52.5);
    expect(page).toMatchObject({
      status: 'open',
      delivery: 'email',
      emailedTo: 'ann@customer.example',
      url: null,
      amount: { minor: 5_250 },
    });
    expect(nmi.hostedPages().at(-1)).toMatchObject({ ourReference: page.processorRef, email: 'ann@customer.example' });
    expect(await check(id)).toMatchObject({ status: 'open', problem: null });
    expect((await invoiceOf(id)).amountPending.minor).toBe(0);
    await pay(nmi, page);
    const paid = await check(id);
    expect(paid).toMatchObject({ status: 'paid', problem: null, transactionId: expect.stringMatching(/^txn_/) });
    expect(await invoiceOf(id)).toMatchObject({
      status: 'paid',
      payments: [{ status: 'succeeded', origin: 'page', method: 'card', card: { brand: 'visa', last4: '1111' } }],
    });
    const transaction = await transactionOf(paid.transactionId ?? '');
    expect(transaction).toMatchObject({
      status: 'approved',
      gateway: 'nmi',
      processorRef: page.processorRef,
      token: null,
      channel: 'internet',
    });
    expect((await check(id)).transactionId).toBe(paid.transactionId);
    expect((await invoiceOf(id)).payments).toHaveLength(1);
    await expect(live.core.payments.rerun(live.actor, { transactionId: transaction.transactionId })).rejects.toThrow();
    const refunded = await live.core.payments.refund(live.actor, { transactionId: transaction.transactionId, amount: 52.5 });
    expect(refunded.status).toBe('approved');
  });

  test('creates one page for ten parallel requests, and books once for ten parallel inquiries', async () => {
    const id = await newLink(61);
    const before = nmi.hostedPages().length;
    const created = await Promise.all(Array.from({ length: 10 }, () => pages().create(live.actor, id, {})));
    expect(new Set(created.map(({ hostedPageId }) => hostedPageId)).size).toBe(1);
    expect(nmi.hostedPages().length - before).toBe(1);
    await pay(nmi, created[0] as HostedPage);
    await Promise.all(Array.from({ length: 10 }, () => check(id)));
    const { payments, status, amountPaid } = await invoiceOf(id);
    expect([payments.length, status, amountPaid.minor]).toEqual([1, 'paid', 6_100]);
  });

  test('finds a payment on the page before the invoice is charged otherwise', async () => {
    const { id, page } = await newPage(33);
    await pay(nmi, page);
    await expect(payCash(id, 33)).rejects.toMatchObject({ code: 'INVOICE_ALREADY_PAID' });
    expect((await invoiceOf(id)).payments).toHaveLength(1);
  });

  test('closes the page at the processor after the invoice was paid otherwise', async () => {
    const { id, page } = await newPage(34);
    await payCash(id, 34);
    expect(await check(id)).toMatchObject({ status: 'closed', endedAt: expect.any(String) });
    expect((await pay(nmi, page)).text).toContain('closed');
  });

  test('records a second payment without an invoice, to be refunded, if the payer pays on the page as well', async () => {
    const { id, page } = await newPage(35);
    // The processor answers no inquiry, so the payment at the counter does not find the one on the page.
    nmi.faults([{ do: 'http-500', on: ['query', 'close_invoice'] }]);
    await pay(nmi, page);
    await payCash(id, 35);
    nmi.faults();
    const reported = live.reported.length;
    const overpaid = await check(id);
    expect(overpaid).toMatchObject({ status: 'overpaid', transactionId: expect.any(String) });
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', amountPaid: { minor: 3_500 }, payments: [{ method: 'cash' }] });
    expect(live.reported.length).toBe(reported + 1);
    const transactionId = overpaid.transactionId ?? '';
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'approved', invoiceId: null, amount: { minor: 3_500 } });
    expect((await live.core.payments.refund(live.actor, { transactionId, amount: 35 })).status).toBe('approved');
  });

  test('books no payment of another amount, and shows it for review until the processor no longer has it', async () => {
    const { id, page } = await newPage(36);
    const entry = nmi.ledger.add({
      ourReference: page.processorRef,
      operation: 'sale',
      state: 'captured',
      amountMinor: 3_601,
      method: 'card',
      last4: '4242',
    });
    expect(await check(id)).toMatchObject({
      status: 'review',
      problem: 'other_amount',
      transactionId: null,
      found: [{ reference: entry.reference, amount: { minor: 3_601 }, currency: 'USD' }],
    });
    expect(await invoiceOf(id)).toMatchObject({ status: 'sent', payments: [] });
    nmi.ledger.void(entry);
    expect(await check(id)).toMatchObject({ status: 'open', problem: null, found: [] });
    await pay(nmi, page);
    expect(await check(id)).toMatchObject({ status: 'paid' });
  });

  const addTo = ({ processorRef }: HostedPage, amountMinor: number, last4: string) =>
    nmi.ledger.add({ ourReference: processorRef, operation: 'sale', state: 'captured', amountMinor, method: 'card', last4 });

  test('pays the invoice with one of several payments on a page, and records each other one once, to be refunded', async () => {
    const { id, page } = await newPage(37);
    for (const [amount, last4] of [
      [3_700, '1111'],
      [3_700, '4242'],
      [900, '4444'],
    ] as const)
      addTo(page, amount, last4);
    await Promise.all(Array.from({ length: 10 }, () => check(id)));
    const paid = await check(id);
    expect(paid).toMatchObject({ status: 'overpaid', problem: null, found: [], attentionSince: expect.any(String) });
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', amountPaid: { minor: 3_700 }, payments: [{ status: 'succeeded' }] });
    const extra = await Promise.all(paid.overpayments.map(transactionOf));
    expect(extra.map(({ amount, invoiceId }) => [amount.minor, invoiceId]).toSorted()).toEqual([
      [3_700, null],
      [900, null],
    ]);
    for (const { transactionId } of extra) expect((await live.core.payments.refund(live.actor, { transactionId })).status).toBe('approved');
    expect((await transactionOf(paid.transactionId ?? '')).refundedAmount.minor).toBe(0);
  });

  test('records payments of other amounts when a person closes the page', async () => {
    const { id, page } = await newPage(37);
    addTo(page, 1_200, '1111');
    addTo(page, 1_300, '4242');
    expect(await check(id)).toMatchObject({ status: 'review', problem: 'several_payments', found: [{}, {}], overpayments: [] });
    const closed = await pages().close(live.actor, id);
    expect(closed).toMatchObject({ status: 'overpaid', problem: null, endedAt: expect.any(String) });
    const recorded = await Promise.all(closed.overpayments.map(transactionOf));
    expect(recorded.map(({ amount }) => amount.minor).toSorted()).toEqual([1_200, 1_300]);
    expect(await invoiceOf(id)).toMatchObject({ status: 'sent', amountDue: { minor: 3_700 }, payments: [] });
    await payCash(id, 37);
  });

  test('finishes a further payment whose process ended between its intent and its outcome', async () => {
    const { id, page } = await newPage(37);
    addTo(page, 3_700, '1111');
    await check(id);
    addTo(page, 3_700, '4242');
    const killed = vi.spyOn(live.database.unitOfWork, 'writeBatch').mockRejectedValueOnce(new Error('killed'));
    await check(id);
    killed.mockRestore();
    await live.advance(HOUR);
    const [transactionId = ''] = (await check(id)).overpayments;
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'approved', card: { last4: '4242' } });
  });

  test('keeps a page whose creation has no answer, and finds its payment', async () => {
    const id = await newLink(38);
    nmi.faults([{ do: 'drop-answer', on: ['add_invoice'] }]);
    const page = await pages().create(live.actor, id, {});
    nmi.faults();
    expect(page).toMatchObject({ status: 'open', problem: 'creation_unknown' });
    expect((await pages().create(live.actor, id, {})).hostedPageId).toBe(page.hostedPageId);
    await pay(nmi, page);
    expect(await check(id)).toMatchObject({ status: 'paid' });
  });

  test('lets a payment at the counter wait at most about 5 seconds for a processor that does not answer', {
    timeout: 60_000,
    ...FULL,
  }, async () => {
    const { id, page } = await newPage(43);
    nmi.faults([{ do: 'delay', on: ['query'], ms: 20_000 }]);
    const startedMs = performance.now();
    await payCash(id, 43);
    const { status } = await check(id);
    expect(performance.now() - startedMs).toBeLessThan(2 * 5_000 + 3_000);
    expect([status, (await invoiceOf(id)).status]).toEqual(['open', 'paid']);
    nmi.faults();
    await vi.waitFor(async () => expect((await check(id)).status).toBe('closed'), { timeout: 30_000, interval: 500 });
    expect((await pay(nmi, page)).text).toContain('closed');
  });

  const silentNmi = [{ do: 'http-500', on: ['query', 'close_invoice'] } as const];

  test('watches a page without its ID at the processor, and asks a person to close it there', async () => {
    const id = await newLink(48);
    nmi.faults([{ do: 'drop-answer', on: ['add_invoice'] }]);
    const page = await pages().create(live.actor, id, {});
    nmi.faults();
    await payCash(id, 48);
    expect(await check(id)).toMatchObject({ status: 'closed', problem: 'not_closed', attentionSince: expect.any(String) });
    expect(await check(id)).toMatchObject({ status: 'closed', problem: 'not_closed' });
    vi.setSystemTime(Date.now() + 8 * 24 * HOUR);
    await pay(nmi, page);
    await live.core.invoicing.get(live.actor, id);
    await expect(payCash(id, 48)).rejects.toMatchObject({ code: 'INVOICE_ALREADY_PAID' });
    expect((await pages().list(live.actor, id)).pages).toMatchObject([{ status: 'overpaid', transactionId: expect.any(String) }]);
  });

  test('ends a page at the second request of a person if the processor does not close it, and closes it later', async () => {
    const { id } = await newPage(49);
    nmi.faults(silentNmi);
    expect(await pages().close(live.actor, id)).toMatchObject({ status: 'open', problem: 'not_closed', endedAt: null });
    expect(await pages().close(live.actor, id)).toMatchObject({ status: 'closed', problem: 'not_closed', endedAt: expect.any(String) });
    nmi.faults();
    expect(await check(id)).toMatchObject({ status: 'closed', problem: null, attentionSince: null });
  });

  test('records the second payment to be refunded if a paid page is paid again', async () => {
    const { id, page } = await newPage(50);
    await pay(nmi, page);
    expect(await check(id)).toMatchObject({ status: 'paid', problem: null, found: [] });
    const second = nmi.ledger.add({
      ourReference: page.processorRef,
      operation: 'sale',
      state: 'captured',
      amountMinor: 5_000,
      method: 'card',
      last4: '4242',
    });
    const overpaid = await check(id);
    expect(overpaid).toMatchObject({ status: 'overpaid', problem: null, found: [], attentionSince: expect.any(String) });
    const [extra = ''] = overpaid.overpayments;
    expect(await transactionOf(extra)).toMatchObject({ processorRef: `${page.processorRef}-${second.reference}`, card: { last4: '4242' } });
    expect((await check(id)).overpayments).toEqual([extra]);
  });

  test('shows the reason if the processor creates no page, after which another can be created', async () => {
    const id = await newLink(39);
    nmi.faults([{ do: 'busy', on: ['add_invoice'] }]);
    await expect(pages().create(live.actor, id, {})).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' });
    nmi.faults();
    expect(await pages().create(live.actor, id, {})).toMatchObject({ status: 'open' });
    expect((await pages().list(live.actor, id)).pages.map(({ status }) => status)).toEqual(['open', 'failed']);
  });

  test('refuses a page for a draft, a paid or canceled invoice, and without an email address', async () => {
    const create = (id: string, input = {}) => pages().create(live.actor, id, input);
    const { customerId } = await live.core.customers.create(live.actor, { email: 'ann@customer.example' });
    const draft = await live.core.invoicing.create(live.actor, { customerId, amount: 10 });
    await expect(create(draft.invoiceId)).rejects.toMatchObject({ code: 'RESOURCE_CONFLICT', details: { reason: 'draft' } });
    const nameless = await newLink(10, { customerEmail: undefined });
    await expect(create(nameless)).rejects.toMatchObject({ code: 'REQUIRED_FIELD_MISSING', field: 'email' });
    expect(await create(nameless, { email: 'other@customer.example' })).toMatchObject({ emailedTo: 'other@customer.example' });
    const canceled = await newLink(10);
    await live.core.invoicing.cancel(live.actor, canceled);
    await expect(create(canceled)).rejects.toMatchObject({ code: 'INVOICE_CANCELLED' });
  });

  test('finishes a payment whose process ended between its intent and its outcome', async () => {
    const { id, page } = await newPage(41);
    await pay(nmi, page);
    const killed = vi.spyOn(live.database.unitOfWork, 'writeBatch').mockRejectedValueOnce(new Error('killed'));
    await check(id);
    killed.mockRestore();
    expect(await invoiceOf(id)).toMatchObject({ status: 'sent', amountPending: { minor: 4_100 } });
    await live.advance(HOUR);
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', amountPaid: { minor: 4_100 }, payments: [{ status: 'succeeded' }] });
    expect(nmi.ledger.byOurReference(page.processorRef)).toHaveLength(1);
  });

  test('asks about a page whose process ended before the answer of the processor was stored', async () => {
    const id = await newLink(42);
    const { transaction } = live.database.unitOfWork;
    let calls = 0;
    const killed = vi.spyOn(live.database.unitOfWork, 'transaction').mockImplementation((...args: Parameters<typeof transaction>) => {
      calls += 1;
      return calls > 1 ? Promise.reject(new Error('killed')) : transaction.apply(live.database.unitOfWork, args);
    });
    await expect(pages().create(live.actor, id, {})).rejects.toThrow('killed');
    killed.mockRestore();
    const [page] = (await pages().list(live.actor, id)).pages;
    expect(page).toMatchObject({ status: 'creating' });
    expect((await check(id)).status).toBe('creating');
    vi.setSystemTime(Date.now() + 5 * MINUTE);
    expect(await check(id)).toMatchObject({ status: 'open', problem: 'creation_unknown' });
    await pay(nmi, page as HostedPage);
    expect(await check(id)).toMatchObject({ status: 'paid' });
  });

  describe('forms that a browser opens', () => {
    beforeAll(() => route('authorizenet'));
    afterAll(() => route('nmi'));
    const tokenOf = async (id: string) => (await invoiceOf(id)).url.split('/').at(-1) ?? '';

    test('are opened from the page of the invoice, and their payments are found', async () => {
      const { id, page } = await newPage(71);
      expect(page).toMatchObject({ delivery: 'form', emailedTo: null, opensUntil: expect.any(String) });
      expect(page.url).toBe(`${(await invoiceOf(id)).url}/gateway`);
      expect(await pages().formOf(await tokenOf(id))).toMatchObject({
        url: `${authorizeNet.origin}/payment/payment`,
        fields: { token: expect.stringMatching(/.{40}/) },
        gateway: 'authorizenet',
      });
      await pay(authorizeNet, page);
      expect(await check(id)).toMatchObject({ status: 'paid' });
      expect((await invoiceOf(id)).status).toBe('paid');
      expect(await pages().formOf(await tokenOf(id))).toBeNull();
    });

    test('end after their time, and a payment that was sent late is found', async () => {
      const { id, page } = await newPage(72);
      vi.setSystemTime(Date.now() + 16 * MINUTE);
      expect(await pages().formOf(await tokenOf(id))).toBeNull();
      expect((await check(id)).status).toBe('open');
      vi.setSystemTime(Date.now() + 16 * MINUTE);
      expect(await check(id)).toMatchObject({ status: 'expired' });
      authorizeNet.ledger.add({
        ourReference: page.processorRef,
        operation: 'sale',
        state: 'captured',
        amountMinor: 7_200,
        method: 'card',
        last4: '1111',
        details: { response: '1', reason: '1' },
      });
      expect(await check(id)).toMatchObject({ status: 'paid' });
      expect((await invoiceOf(id)).status).toBe('paid');
    });

    const addPayment = ({ processorRef, amount }: HostedPage, state: 'captured' | 'held') =>
      authorizeNet.ledger.add({
        ourReference: processorRef,
        operation: 'sale',
        state,
        amountMinor: amount.minor,
        method: 'card',
        last4: '1111',
        details: { response: '1', reason: '1' },
      });

    test('refuse another payment while the processor decides one, until a person closes the page', async () => {
      const { id, page } = await newPage(74);
      addPayment(page, 'held');
      await expect(payCash(id, 74)).rejects.toMatchObject({ details: { reason: 'hosted_page_payment' } });
      await expect(pages().create(live.actor, id, {})).rejects.toMatchObject({ details: { reason: 'hosted_page_payment' } });
      expect(await check(id)).toMatchObject({ status: 'open', problem: 'in_review' });
      expect(await pages().close(live.actor, id)).toMatchObject({ status: 'closed' });
      await payCash(id, 74);
      expect((await invoiceOf(id)).status).toBe('paid');
    });

    test('are asked about before another payment, also after they were closed or their time is over', async () => {
      const closed = await newPage(75);
      await pages().close(live.actor, closed.id);
      vi.setSystemTime(Date.now() + MINUTE);
      addPayment(closed.page, 'captured');
      await expect(payCash(closed.id, 75)).rejects.toMatchObject({ code: 'INVOICE_ALREADY_PAID' });
      const late = await newPage(76);
      vi.setSystemTime(Date.now() + 16 * MINUTE);
      addPayment(late.page, 'captured');
      await expect(pages().create(live.actor, late.id, {})).rejects.toMatchObject({ code: 'INVOICE_ALREADY_PAID' });
      expect((await pages().list(live.actor, late.id)).pages).toMatchObject([{ status: 'paid' }]);
    });

    test('are not opened for an invoice that was paid, although the processor does not answer', async () => {
      const { id } = await newPage(77);
      authorizeNet.faults([{ do: 'http-500' }]);
      await payCash(id, 77);
      expect(await pages().formOf(await tokenOf(id))).toBeNull();
      expect(await check(id)).toMatchObject({ status: 'closed', endedAt: expect.any(String) });
      authorizeNet.faults();
    });

    test('are created again after their time, and closed by a person without their processor', async () => {
      const { id, page } = await newPage(73);
      vi.setSystemTime(Date.now() + 16 * MINUTE);
      const next = await pages().create(live.actor, id, {});
      expect(next.hostedPageId).not.toBe(page.hostedPageId);
      expect(await pages().close(live.actor, id)).toMatchObject({ status: 'closed' });
      expect(await pages().formOf(await tokenOf(id))).toBeNull();
    });
  });
});
