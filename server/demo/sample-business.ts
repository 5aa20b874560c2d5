import { Readable } from 'node:stream';
import type { Core } from '#core';
import { ROLES, type User } from '#core/access/identity';
import { storeUpload } from '#core/books/reconciliation';
import { type Actor, addDays, dateIn, ServiceError } from '#core/kernel';
import { addSampleApprovals } from './sample-approvals.ts';
import { addSampleBank } from './sample-bank.ts';
import { addSampleCash } from './sample-cash.ts';
import { addSampleItems } from './sample-items.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const ZONE = 'America/New_York';
const MONDAY = 1;
const CARD_YEARS_LEFT = 3;
const AMEX_DIGITS = 15;
const COMPARED_DAYS = 14;
/** Day whose imported file differs from the settlement. */
const IMPORTED_DAY = 2;
/** Cards of the sandbox whose refunds are declined: always, or the first time only. */
const REFUND_DECLINED = '4000000000005126';
const REFUND_DECLINED_ONCE = '4000000000007726';
/** Card of the sandbox whose payments stay unconfirmed. */
const UNCONFIRMED = '4000000000006967';

const STAFF = [
  ['manager@demo.example', 'Marco Silva', 'manager'],
  ['accountant@demo.example', 'Hanna Berg', 'accountant'],
  ['front-desk@demo.example', 'Tom Reyes', 'cashier'],
  ['auditor@demo.example', 'Ruth Akande', 'viewer'],
] as const;

/** Sales of the last two hours; the second one is declined. */
const TODAY = [
  ['Liam Brandt', '4111111111111111', '18.40', 'sale'],
  ['Ines Marlow', '4000000000009995', '42.00', 'sale'],
  ['Keiko Walsh', '5555555555554444', '36.75', 'sale'],
  ['Noor Tanaka', '378282246310005', '240.00', 'auth'],
  ['Jonas Novak', '6011111111111117', '12.90', 'sale'],
] as const;

/** Goods not received, fraud with the card absent, and a duplicate payment. */
const DISPUTE_REASONS = ['13.1', '10.4', '12.6.1'] as const;

const EVENTS = [
  'transaction.approved',
  'transaction.declined',
  'refund.processed',
  'refund.declined',
  'subscription.payment_succeeded',
  'subscription.payment_failed',
  'invoice.paid',
  'invoice.overdue',
];

/** A sandbox merchant in a core whose clock can be set. */
interface SampleShop {
  readonly core: Core;
  readonly tenantId: string;
  readonly merchantId: string;
  readonly clock: { at: number };
  /** Passwords of sample users. */
  readonly passwordOf: (email: string) => string;
}

/** Everything that a running business has beside its sales, by the days before today on which it happens. */
export interface SampleBusiness {
  /** Adds users, before the first day. */
  begin(): Promise<void>;
  /** Does what happens on a day, before its first sale. Customers are found by their email address. */
  everyDay(daysAgo: number, customers: ReadonlyMap<string, string>): Promise<void>;
  /** Adds the sales of today and the tasks that wait for a user. */
  finish(customers: ReadonlyMap<string, string>): Promise<void>;
}

export function createSampleBusiness({ core, tenantId, merchantId, clock, passwordOf }: SampleShop): SampleBusiness {
  const actor: Actor = {
    tenantId,
    credentialId: 'sample',
    name: 'sample data',
    merchantId: null,
    permissions: new Set(ROLES.owner),
    requestId: 'sample',
    ip: null,
    idempotencyKey: null,
  };
  const dateOf = (daysAgo: number) => dateIn(ZONE, clock.at - daysAgo * DAY_MS);
  /** Sales whose refunds the processor declines, by the name on the card. */
  const sales = new Map<string, string>();

  const staff = new Map<string, User>();

  async function addStaff(): Promise<void> {
    for (const [email, name, role] of STAFF) {
      const user = await core.identity.users.create(actor, merchantId, {
        email,
        name,
        role,
        password: passwordOf(email),
        allMerchants: true,
      });
      staff.set(role, user);
    }
  }

  /** Queues a payment with a saved card, as in an outage. It is charged as soon as the service runs. */
  async function chargeLater(customers: ReadonlyMap<string, string>, person: string, amount: string): Promise<void> {
    await core.merchants.changeSection(actor, merchantId, 'vt-settings', { chargeLaterMaxAmount: 100 });
    await core.queuedPayments.create(actor, {
      merchantId,
      customerId: customerOf(customers, person),
      amount,
      description: 'Coffee subscription box',
    });
  }

  async function addSubscriptions(customers: ReadonlyMap<string, string>): Promise<void> {
    const today = dateOf(0);
    const subscribe = (person: string, planId: string, amount: string, frequency: 'weekly' | 'monthly', startDate?: string) =>
      core.recurring.create(actor, { customerId: customerOf(customers, person), planId, amount, frequency, startDate });
    await subscribe('ada.marlow', 'Beans every month', '45.00', 'monthly');
    await subscribe('farid.haddad', 'Office pastries', '62.50', 'weekly');
    const paused = await subscribe('grace.tanaka', 'Meeting room', '120.00', 'monthly');
    await core.recurring.pause(actor, paused.subscriptionId);
    const ended = await subscribe('clara.lindqvist', 'Beans every month', '45.00', 'monthly');
    await core.recurring.cancel(actor, ended.subscriptionId, 'Moved to another town');
    // The card of this customer is declined, so that its first payment fails and is retried.
    await subscribe('diego.fuentes', 'Espresso course', '80.00', 'monthly', addDays(today, 34));
  }

  async function addInvoice(
    customers: ReadonlyMap<string, string>,
    person: string,
    dueIn: number,
    items: readonly (readonly [description: string, quantity: number, unitPrice: string])[],
  ): Promise<string> {
    const { invoiceId } = await core.invoicing.create(actor, {
      customerId: customerOf(customers, person),
      dueDate: addDays(dateOf(0), dueIn),
      items: items.map(([description, quantity, unitPrice]) => ({ description, quantity, unitPrice })),
      allowPartial: true,
    });
    return invoiceId;
  }

  async function sendInvoice(...invoice: Parameters<typeof addInvoice>): Promise<string> {
    const invoiceId = await addInvoice(...invoice);
    await core.invoicing.send(actor, invoiceId, { sendVia: ['email'] });
    return invoiceId;
  }

  /** A sale whose refunds the processor declines. It has to be settled before: a refund of an unsettled sale is a void. */
  async function sellWithoutRefunds(number: string, amount: string, name: string): Promise<void> {
    sales.set(name, await sellTo(name, number, amount));
  }

  async function sellTo(name: string, number: string, amount: string, type: 'sale' | 'auth' = 'sale'): Promise<string> {
    const { transactionId } = await core.payments.createPayment(actor, {
      type,
      amount,
      method: {
        kind: 'card',
        number,
        expiryMonth: '11',
        expiryYear: String(new Date(clock.at).getUTCFullYear() + CARD_YEARS_LEFT),
        cvv: number.length === AMEX_DIGITS ? '1234' : '123',
      },
      customer: { name },
      description: 'Catering deposit',
      source: 'keyed',
    });
    return transactionId;
  }

  /** A sale without an answer of its gateway, which waits for a person. */
  async function sellUnconfirmed(amount: string, name: string): Promise<void> {
    try {
      await sellTo(name, UNCONFIRMED, amount);
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'GATEWAY_TIMEOUT')) throw error;
    }
  }

  async function refundSaleTo(name: string): Promise<void> {
    const transactionId = sales.get(name);
    if (transactionId !== undefined) await core.payments.refund(actor, { transactionId, reason: 'Event canceled' });
  }

  /** Disputes of earlier Visa payments: one that needs a response, one whose evidence was submitted, and one that was won. */
  async function addDisputes(): Promise<void> {
    const { items } = await core.payments.page(
      actor,
      { merchantId, status: 'settled', type: 'sale', brand: 'visa', refundStatus: 'none', capturedTo: dateOf(IMPORTED_DAY) },
      { page: 1, limit: DISPUTE_REASONS.length },
    );
    const disputes = [];
    for (const [at, reasonCode] of DISPUTE_REASONS.entries()) {
      const transactionId = items[at]?.transactionId;
      if (transactionId !== undefined) disputes.push(await core.disputes.open(actor, { transactionId, reasonCode, feeAmount: '15.00' }));
    }
    for (const { disputeId } of disputes.slice(1)) {
      const { packId } = await core.disputes.createPack(actor, disputeId);
      await core.disputes.submit(actor, disputeId, packId);
    }
    const won = disputes[2];
    if (won) await core.disputes.conclude(actor, won.disputeId, { outcome: 'won' });
  }

  /** Bundles the settlements of a week for the bank, which pays them the day after. */
  async function sendBatch(): Promise<void> {
    try {
      await core.settlement.makeBatch(actor, { merchantId, startDate: dateOf(7), endDate: dateOf(0) });
    } catch (error) {
      // A first week without settlements has nothing to pay out.
      if (!(error instanceof ServiceError && error.code === 'INVALID_AMOUNT')) throw error;
    }
  }

  /** Imports a processor's file of a settled day in which one amount differs, one line is missing and one is unknown. */
  async function importFile(): Promise<void> {
    const date = dateOf(IMPORTED_DAY);
    const { items } = await core.settlement.history(actor, merchantId, {}, { page: 1, limit: 30 });
    const settlement = items.find(({ settlementDate }) => settlementDate === date);
    if (!settlement) return;
    const lines = await core.settlement.lines(actor, settlement.settlementId, { page: 1, limit: 50 });
    const rows = lines.items
      .slice(1)
      .map(({ transactionId, amount }, index) => [transactionId, amount.minor + (index === 0 ? 100 : 0)] as const);
    const csv = [
      'Transaction;Amount;Date',
      ...[...rows, ['txn_unknown_at_paydesk', 1_850] as const].map(([id, minor]) => `${id};${(minor / 100).toFixed(2)};${date}`),
    ].join('\n');
    const file = await storeUpload(tenantId, Readable.from([Buffer.from(`${csv}\n`)]));
    try {
      const mapping = { transactionId: 'Transaction', amount: 'Amount', date: 'Date' };
      const { importId } = await core.reconciliation.importFile(actor, {
        file,
        filename: `harbor-street-${date}.csv`,
        mapping,
        merchantId,
      });
      await core.reconciliation.run(actor, { date, importId, merchantId });
    } finally {
      await file.dispose();
    }
  }

  /** Sends an invoice that is paid in monthly installments from that day. */
  async function sendWithPlan(customers: ReadonlyMap<string, string>, person: string, item: string, amount: string): Promise<void> {
    const invoiceId = await sendInvoice(customers, person, 30, [[item, 1, amount]]);
    const consentText = 'I authorize Harbor Street Coffee to charge my card for the installments on their dates.';
    await core.installments.create(actor, { invoiceId, count: 4, interval: 'monthly', consentText });
  }

  const days: Readonly<Record<number, (customers: ReadonlyMap<string, string>) => Promise<unknown>>> = {
    45: addSubscriptions,
    40: async (customers) => {
      const invoiceId = await sendInvoice(customers, 'ben.okafor', 14, [['Coffee for a workshop', 24, '4.50']]);
      await core.invoicing.pay(actor, invoiceId, { amount: '108.00', paymentMethod: 'check', reference: '20417' });
    },
    30: (customers) =>
      sendInvoice(customers, 'esther.novak', 14, [
        ['Beans, 1 kg', 6, '28.00'],
        ['Delivery', 1, '12.00'],
      ]),
    // The card of this customer is declined, so that the plan is past due after its retries.
    26: (customers) => sendWithPlan(customers, 'diego.fuentes', 'Espresso machine, refurbished', '640.00'),
    22: (customers) => sendWithPlan(customers, 'grace.tanaka', 'Barista course', '390.00'),
    20: async (customers) => {
      const invoiceId = await sendInvoice(customers, 'henry.walsh', 30, [['Catering, 40 guests', 40, '18.50']]);
      await core.invoicing.pay(actor, invoiceId, { amount: '300.00', paymentMethod: 'cash' });
    },
    15: async (customers) => {
      const invoiceId = await sendInvoice(customers, 'clara.lindqvist', 30, [['Grinder service', 1, '95.00']]);
      await core.invoicing.cancel(actor, invoiceId, 'Service not needed');
    },
    9: () => sellWithoutRefunds(REFUND_DECLINED, '61.20', 'Ines Brandt'),
    8: () => sellWithoutRefunds(REFUND_DECLINED_ONCE, '34.80', 'Jonas Moreau'),
    7: () => sellWithoutRefunds(REFUND_DECLINED, '88.40', 'Keiko Mori'),
    6: async (customers) => {
      await sendInvoice(customers, 'ada.marlow', 14, [['Espresso course', 2, '80.00']]);
      await core.invoicing.createLink(actor, { amount: '50.00', description: 'Coffee tasting', merchantId });
      await core.invoicing.createLink(actor, { amount: '250.00', description: 'Private table, deposit', merchantId });
    },
    4: () => refundSaleTo('Ines Brandt'),
    3: () => refundSaleTo('Jonas Moreau'),
    1: (customers) => addInvoice(customers, 'farid.haddad', 30, [['Office pastries, December', 20, '3.25']]),
  };

  return {
    async begin() {
      await addStaff();
    },
    async everyDay(daysAgo, customers) {
      if (new Date(clock.at).getUTCDay() === MONDAY) await sendBatch();
      await days[daysAgo]?.(customers);
    },
    async finish(customers) {
      const now = clock.at;
      clock.at = now - 2 * HOUR_MS;
      // Disabled at once: the address is an example, and its deliveries would only fail.
      const endpoint = await core.webhooks.createEndpoint(actor, {
        url: 'https://orders.harborstreet.example/paydesk',
        events: EVENTS,
        description: 'Order system. An example: enter an address of your own to use it.',
        merchantId,
      });
      for (const [name, number, amount, type] of TODAY) {
        clock.at += 10 * MINUTE_MS;
        await sellTo(name, number, amount, type);
      }
      const unconfirmed = sellUnconfirmed('24.50', 'Esther Lindqvist');
      await refundSaleTo('Keiko Mori');
      clock.at = now;
      const items = await addSampleItems(core, actor, merchantId);
      await addSampleCash({ core, actor, merchantId, clock, items, customerOf: (person) => customerOf(customers, person) });
      const [cashier, manager] = [staff.get('cashier'), staff.get('manager')];
      if (cashier && manager) await addSampleApprovals({ core, actor, merchantId, clock, cashier, manager });
      await chargeLater(customers, 'ada.marlow', '28.00');
      await core.webhooks.updateEndpoint(actor, endpoint.id, { status: 'disabled' });
      for (let daysAgo = COMPARED_DAYS; daysAgo > IMPORTED_DAY; daysAgo -= 1)
        await core.reconciliation.run(actor, { date: dateOf(daysAgo), merchantId });
      await importFile();
      await addSampleBank(core, actor, { merchantId, zone: ZONE, today: dateOf(0) });
      await sendBatch();
      await addDisputes();
      await unconfirmed;
    },
  };
}

function customerOf(customers: ReadonlyMap<string, string>, person: string): string {
  const customerId = customers.get(`${person}@customer.example`);
  if (customerId === undefined) throw new Error(`The sample data has no customer ${person}.`);
  return customerId;
}
