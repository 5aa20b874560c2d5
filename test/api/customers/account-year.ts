import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { dateIn, startOfDate } from '#core/kernel';
import {
  type BankShop,
  importLines,
  listBankLines,
  matchBankLine,
  type PayoutRecord,
  suggestedParts,
  undoBankMatch,
} from '../../support/bank.ts';
import { accountsOf, credit, sendInvoice } from '../../support/bank-invoices.ts';
import { createCustomer, storeCard } from '../../support/customers.ts';
import { cardPaymentBody, createInvoice, type InvoiceRecord, type PaymentRecord, payInvoice } from '../../support/invoices.ts';
import { bankBody, CARDS } from '../../support/sales.ts';
import { type ApiFixture, expectData } from '../../support/server.ts';
import { allowSurcharges, sell } from '../../support/settlements.ts';
import { closeShift, openShift, takeTender } from '../../support/tenders.ts';
import { feesOf, moveTo, reverse, SETTINGS, setFees } from '../invoices/late-fee-client.ts';
import { pathOf } from '../pages/pay-page-client.ts';
import { CARD_PART, cardForm, fieldsOf, linkTo, openPayment, submit } from './customer-page-client.ts';
import { statementOf } from './statement-history.ts';

const KINDS = {
  invoice: 6,
  draft: 1,
  cash: 3,
  check: 3,
  other: 2,
  card: 4,
  debit: 3,
  line: 4,
  match: 5,
  undo: 1,
  'refund tender': 3,
  'refund card': 3,
  'store credit': 2,
  credit: 1,
  return: 2,
  'debit return': 2,
  void: 2,
  cancel: 2,
  'reverse fee': 2,
  sale: 2,
  tender: 2,
  dispute: 3,
  decision: 3,
  page: 3,
  plan: 2,
  shift: 2,
  zone: 1,
} as const;
type Kind = keyof typeof KINDS;

const ZONES = ['America/New_York', 'Asia/Tokyo', 'Pacific/Auckland', 'Europe/London', 'UTC'] as const;

/** The journal exports at most 400 days at once. */
const DAYS_MAX = 390;

/** An operation after some hours. Numbers select an invoice, a payment or a customer, and the percentage of its amount. */
const step = (steps: number) =>
  fc.record({
    kind: fc.oneof(...Object.entries(KINDS).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind as Kind) }))),
    n: fc.nat(40),
    percent: fc.integer({ min: 1, max: 140 }),
    hours: fc.integer({ min: 0, max: Math.floor((2 * DAYS_MAX * 24) / steps) }),
  });

/** A merchant with random operations of about a year. */
export const year = (steps: number) =>
  fc.record({
    zone: fc.constantFrom(...ZONES),
    cutoffTime: fc.constantFrom('17:30', '03:07'),
    hasSurcharges: fc.boolean(),
    steps: fc.array(step(steps), { minLength: steps, maxLength: steps }),
  });
type Year = ReturnType<typeof year> extends fc.Arbitrary<infer Value> ? Value : never;

export const cents = (amount: number) => Math.round(amount * 100);
export const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** The accounts of a merchant's customers at the end of a day, in cents. */
export interface Border {
  readonly day: string;
  /** Time zone of the merchant on that day. */
  readonly zone: string;
  /** Closing balance of each customer. */
  readonly balances: Readonly<Record<string, number>>;
  /** Late fees of the invoices that are not reversed, and those that are paid. */
  readonly fees: number;
  readonly paidFees: number;
  readonly ledger: Readonly<Record<string, number>>;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const at = <Item>(items: readonly Item[], n: number): Item | undefined => items[n % Math.max(items.length, 1)];

/** Returns the next smaller amount that the sandbox processor reports without a deliberate error, also with a surcharge. */
function withoutReportErrors(minor: number): number {
  const charged = [minor, minor + Math.floor(minor * 0.04), minor + Math.ceil(minor * 0.04)];
  return charged.some((each) => [13, 14, 15].includes(each % 100)) ? withoutReportErrors(minor - 1) : minor;
}

/** Returns true if the sandbox approves an amount and reports it without a deliberate error. */
const isPlain = (amount: number) => withoutReportErrors(cents(amount)) === cents(amount) && amount >= 1 && amount % 1_000 !== 0;

/** Returns what customers owe by their invoices: amounts due, less the money that was kept for canceled ones. */
const owedFor = ({ status, amountDue, payments }: InvoiceRecord): number => {
  if (status === 'draft') return 0;
  if (status !== 'cancelled') return cents(amountDue);
  const kept = payments.filter((payment) => payment.status === 'succeeded');
  return 0 - sumOf(kept.map(({ amount, refundedAmount }) => cents(amount) - cents(refundedAmount)));
};

/** Runs a year, and reads the accounts at the end of each month and of the last day. */
export async function runYear(service: ApiFixture, { zone, cutoffTime, hasSurcharges, steps }: Year) {
  let timezone: string = zone;
  const { api } = service;
  const name = `Year ${randomUUID()}`;
  const { merchantId } = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name, timezone }), 201);
  if (hasSurcharges) await allowSurcharges(service, merchantId);
  await setFees(service, merchantId, SETTINGS);
  await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { storeCreditForCards: true }));
  await expectData(api.admin.put(`/settlement/schedule/${merchantId}`, { frequency: 'daily', cutoffTime }));
  const account = { merchantId, name: 'Checking', accountNumber: '9876543210' };
  const { bankAccountId } = await expectData(api.admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', account), 201);
  const shop: BankShop = { merchantId, bankAccountId };
  const customers = [await createCustomer(service, { merchantId }), await createCustomer(service, { merchantId })];
  for (const { customerId } of customers) await storeCard(service, customerId);
  const saleIds: string[] = [];
  /** Invoices that are paid by a plan only, so that its installments keep their amounts. */
  const planned = new Set<string>();
  const borders: Border[] = [];
  const nowMs = async () => Date.parse((await expectData(api.admin.get<{ now: string }>('/sandbox/clock'))).now);
  const today = async () => dateIn(timezone, await nowMs());
  const firstDay = await today();
  const lastMs = startOfDate(timezone, firstDay) + DAYS_MAX * DAY_MS;

  const invoices = async () =>
    (await expectData(api.admin.get<InvoiceRecord[]>(`/invoices?merchantId=${merchantId}&limit=200`))).toSorted((left, right) =>
      left.number < right.number ? -1 : 1,
    );
  const open = async (n: number) =>
    at(
      (await invoices()).filter(({ invoiceId, amountDue, status }) => amountDue > 0 && status !== 'cancelled' && !planned.has(invoiceId)),
      n,
    );
  const paymentOf = async (n: number, isWanted: (payment: PaymentRecord) => boolean) => {
    const payments = (await invoices()).flatMap((invoice) => invoice.payments);
    return at(
      payments.filter((payment) => payment.status === 'succeeded' && isWanted(payment)),
      n,
    );
  };
  const part = (of: number, percent: number) =>
    withoutReportErrors(Math.max(1, Math.floor((cents(of) * Math.min(percent, 100)) / 100))) / 100;
  const pay = async (paymentMethod: string, n: number, percent: number): Promise<void> => {
    const invoice = await open(n);
    if (!invoice) return;
    const amount = part(invoice.amountDue, percent);
    const { bankAccount } = bankBody(amount);
    const bodies: Record<string, Record<string, unknown>> = {
      card: cardPaymentBody(CARDS.visa, { amount }),
      ach: { amount, paymentMethod, bankAccount },
    };
    await payInvoice(service, invoice.invoiceId, bodies[paymentMethod] ?? { amount, paymentMethod });
  };
  // What the present state refuses changes nothing.
  const operations: Record<Kind, (n: number, percent: number) => Promise<unknown>> = {
    invoice: async (n, percent) => {
      const dueDate = dateIn(timezone, (await nowMs()) + (n % 9) * DAY_MS);
      await sendInvoice(service, customers[n % 2] as { customerId: string }, (cents(percent) + n * 37) / 100, {
        dueDate,
        allowPartial: true,
      });
    },
    draft: (n, percent) => createInvoice(service, customers[n % 2]?.customerId ?? '', { amount: percent, allowPartial: true }),
    cash: (n, percent) => pay('cash', n, percent),
    check: (n, percent) => pay('check', n, percent),
    other: (n, percent) => pay('other', n, percent),
    card: (n, percent) => pay('card', n, percent),
    debit: (n, percent) => pay('ach', n, percent),
    line: async (n, percent) => {
      const invoice = await open(n);
      if (invoice)
        await importLines(service, shop, [
          credit(Math.ceil((cents(invoice.amountDue) * percent) / 100), `WIRE ${invoice.number}`, await today()),
        ]);
    },
    match: async (n) => {
      const line = at(await listBankLines(service, shop, 'state=open'), n);
      const isOfPlan = line?.suggestion?.parts.some(({ invoice }) => invoice && planned.has(invoice.invoiceId));
      if (line && !isOfPlan)
        await matchBankLine(service, line.lineId, line.suggestion ? suggestedParts(line) : [{ kind: n % 2 === 0 ? 'ignore' : 'fee' }]);
    },
    undo: async (n) => {
      const line = at(await listBankLines(service, shop), n);
      if (line) await undoBankMatch(service, line.lineId);
    },
    'refund tender': async (n, percent) => {
      const payment = await paymentOf(n, ({ tenderId }) => tenderId !== null);
      if (!payment) return;
      const { status } = await api.admin.post(`/tenders/${payment.tenderId}/refund`, { amount: part(payment.amount, percent) });
      // The bank books the debit of a refunded transfer.
      if (status === 201 && payment.method === 'bank_transfer')
        await importLines(service, shop, [credit(-cents(part(payment.amount, percent)), 'REFUND', await today())]);
    },
    'refund card': async (n, percent) => {
      const payment = await paymentOf(n, ({ method }) => method === 'card');
      const transactionId = n % 3 === 0 ? at(saleIds, n) : payment?.transactionId;
      if (transactionId) await api.admin.post(`/transactions/${transactionId}/refund`, { amount: part(payment?.amount ?? 1, percent) });
    },
    'store credit': async (n, percent) => {
      const payment = await paymentOf(n, ({ method }) => ['card', 'cash'].includes(method));
      const paymentId = payment?.transactionId ?? payment?.tenderId;
      const customerId = customers[n % 2]?.customerId;
      if (paymentId) await api.admin.post('/gift-cards/refund', { paymentId, customerId, amount: part(payment?.amount ?? 1, percent) });
    },
    credit: async (n, percent) => {
      const transactionId = at(saleIds, n);
      if (transactionId) await api.admin.post(`/transactions/${transactionId}/credit`, { amount: percent / 10 });
    },
    return: async (n) => {
      const payment = await paymentOf(n, ({ method }) => method === 'check');
      if (payment) await api.admin.post(`/tenders/${payment.tenderId}/return`, { reason: 'No funds' });
    },
    'debit return': async (n) => {
      const payment = await paymentOf(n, ({ method }) => method === 'ach');
      if (payment) await expectData(api.admin.post('/sandbox/returns', { transactionId: payment.transactionId }));
    },
    void: async (n) => {
      const payment = await paymentOf(n, ({ method }) => method === 'card');
      const transactionId = n % 3 === 0 ? at(saleIds, n) : payment?.transactionId;
      if (transactionId) await api.admin.post(`/transactions/${transactionId}/void`, {});
    },
    cancel: async (n) => {
      const invoice = await open(n);
      if (invoice) await api.admin.post(`/invoices/${invoice.invoiceId}/cancel`, {});
    },
    'reverse fee': async (n) => {
      for (const { invoiceId } of await invoices()) {
        const { charged } = await feesOf(service, invoiceId);
        const fee = at(
          charged.filter(({ reversed }) => reversed === null),
          n,
        );
        if (fee) return void (await reverse(service, invoiceId, fee.lateFeeId));
      }
    },
    sale: async (n, percent) => {
      saleIds.push((await sell(service, merchantId, percent, { customerId: customers[n % 2]?.customerId })).transactionId);
    },
    dispute: async (n) => {
      const payment = await paymentOf(n, ({ method }) => method === 'card');
      const transactionId = n % 3 === 0 ? at(saleIds, n) : payment?.transactionId;
      if (transactionId) await api.admin.post('/disputes', { transactionId });
    },
    decision: async (n) => {
      const disputes = await expectData(api.admin.get<{ disputeId: string }[]>(`/disputes?merchantId=${merchantId}&status=active`));
      const dispute = at(disputes, n);
      const outcome = n % 2 === 0 ? 'won' : 'lost';
      if (dispute) await api.admin.post(`/disputes/${dispute.disputeId}/conclude`, { outcome });
    },
    page: async (n) => {
      const customerId = customers[n % 2]?.customerId ?? '';
      const isPayable = (invoice: InvoiceRecord) =>
        ['sent', 'partially_paid', 'overdue'].includes(invoice.status) && isPlain(invoice.amountDue) && !planned.has(invoice.invoiceId);
      const chosen = (await invoices()).filter((invoice) => invoice.customerId === customerId && isPayable(invoice)).slice(0, 1 + (n % 3));
      if (chosen.length === 0) return;
      const path = pathOf((await linkTo(service, customerId)).url);
      const form = await openPayment(service, path, chosen);
      await submit(service, `${path}/pay`, [...fieldsOf(form, CARD_PART), ...cardForm()]);
    },
    plan: async (n, percent) => {
      const amount = percent + 10;
      const parts = [withoutReportErrors(Math.floor(cents(amount) / 3)) / 100, withoutReportErrors(Math.floor(cents(amount) / 3)) / 100];
      const rest = (cents(amount) - sumOf(parts.map(cents))) / 100;
      if (!isPlain(rest)) return;
      const { invoiceId } = await sendInvoice(service, customers[n % 2] as { customerId: string }, amount);
      planned.add(invoiceId);
      const day = await today();
      const dated = [...parts, rest].map((each, index) => ({
        amount: each,
        dueDate: new Date(Date.parse(day) + index * (7 + (n % 20)) * DAY_MS).toISOString().slice(0, 10),
      }));
      const plan = { invoiceId, installments: dated, consentText: 'I agree to the installments.', agreementChannel: 'internet' };
      await expectData(api.admin.post('/installment-plans', plan), 201);
    },
    shift: async (n, percent) => {
      const drawer = `Drawer ${n % 3}`;
      const { shiftId } = await openShift(service, { merchantId, drawer, amount: 50 });
      await takeTender(service, percent, { merchantId, drawer, customerId: customers[n % 2]?.customerId });
      await expectData(closeShift(service, shiftId, { amount: 50 + percent }));
      await importLines(service, shop, [credit(cents(n % 4 === 0 ? percent : 50 + percent), 'CASH DEPOSIT', await today())]);
    },
    // The days of what was booked stay. Until the present day is a later one in both zones, its statement lacks what was booked on the next day before.
    zone: async (n) => {
      timezone = ZONES[n % ZONES.length] ?? 'UTC';
      await expectData(api.admin.put(`/merchants/${merchantId}`, { timezone }));
      await moveTo(service, new Date((await nowMs()) + 2 * DAY_MS).toISOString());
    },
    tender: (n, percent) => takeTender(service, percent, { merchantId, customerId: customers[n % 2]?.customerId }),
  };

  /** Reads the accounts on the present day, and compares the statement with the invoices. */
  const readBorder = async (): Promise<void> => {
    const all = await invoices();
    const fees = await Promise.all(all.map(({ invoiceId }) => feesOf(service, invoiceId)));
    const feesOfInvoice = fees.map(({ charged }) => sumOf(charged.map(({ amount, reversed }) => (reversed ? 0 : cents(amount)))));
    const balances: Record<string, number> = {};
    for (const { customerId } of customers) {
      const { accounts } = await statementOf(service, customerId);
      balances[customerId] = cents(accounts[0]?.closingBalance ?? 0);
      expect(balances[customerId], 'statement and invoices').toBe(
        sumOf(all.filter((invoice) => invoice.customerId === customerId).map(owedFor)),
      );
    }
    const ledger = Object.fromEntries(Object.entries(await accountsOf(service, shop)).map(([key, amount]) => [key, cents(amount)]));
    borders.push({
      day: await today(),
      zone: timezone,
      balances,
      fees: sumOf(feesOfInvoice),
      paidFees: sumOf(
        all.map(({ amount, amountPaid }, index) => Math.max(0, cents(amountPaid) - cents(amount) + (feesOfInvoice[index] ?? 0))),
      ),
      ledger,
    });
  };
  /** Moves the clock, with a stop two minutes before the end of each month: the test clock runs on while the accounts are read. */
  const moveBy = async (hours: number): Promise<void> => {
    const from = await nowMs();
    for (let month = dateIn(timezone, from).slice(0, 7); ; ) {
      const next = dateIn(timezone, Date.parse(`${month}-15`) + 30 * DAY_MS).slice(0, 7);
      const end = startOfDate(timezone, `${next}-01`);
      if (end > from + hours * HOUR_MS) break;
      const stopMs = end - 120_000;
      if (stopMs > (await nowMs())) await moveTo(service, new Date(stopMs).toISOString());
      await readBorder();
      month = next;
    }
    // The test clock runs on between two moves.
    if (from + hours * HOUR_MS > (await nowMs()) + 1_000) await moveTo(service, new Date(from + hours * HOUR_MS).toISOString());
  };

  for (const { kind, n, percent, hours } of steps) {
    if ((await nowMs()) + hours * HOUR_MS < lastMs) await moveBy(hours);
    await operations[kind](n, percent);
  }
  // The bank pays the payouts, and a person explains the rest of the lines.
  const payouts = await expectData(api.admin.get<PayoutRecord[]>(`/settlement/bank-payouts?merchantId=${merchantId}`));
  const day = await today();
  if (payouts.length > 0)
    await importLines(
      service,
      shop,
      payouts.map(({ amount, reference }) => credit(cents(amount), `PAYOUT ${reference}`, day)),
    );
  await readBorder();
  return { shop, firstDay, borders, zone: timezone, customerIds: customers.map(({ customerId }) => customerId) };
}
