import { cardPaymentBody, createInvoice, type InvoiceRecord, payInvoice } from '../../support/invoices.ts';
import { CARDS, createSale } from '../../support/sales.ts';
import { type ApiFixture, expectData } from '../../support/server.ts';

interface StatementEntryRecord {
  entryId: string;
  at: string;
  date: string;
  kind: string;
  currency: string;
  charge: number;
  credit: number;
  balance: number;
  money: number;
  invoiceId: string | null;
  transactionId: string | null;
  tenderId: string | null;
  method: string | null;
  last4: string | null;
}

export interface StatementRecord {
  customerId: string;
  startDate: string;
  endDate: string;
  accounts: {
    currency: string;
    openingBalance: number;
    charges: number;
    credits: number;
    received: number;
    paidOut: number;
    closingBalance: number;
  }[];
  entries: StatementEntryRecord[];
}

interface Days {
  readonly startDate?: string;
  readonly endDate?: string;
}

export const statementOf = ({ api }: ApiFixture, customerId: string, days: Days = {}, page = 1) =>
  expectData(
    api.admin.get<StatementRecord>(
      `/customers/${customerId}/statement?${new URLSearchParams({ limit: '200', page: String(page), ...days })}`,
    ),
  );

/** Returns all entries of a period. */
export async function entriesOf(service: ApiFixture, customerId: string, days: Days): Promise<StatementEntryRecord[]> {
  const all: StatementEntryRecord[] = [];
  for (let page = 1; ; page += 1) {
    const { entries } = await statementOf(service, customerId, days, page);
    all.push(...entries);
    if (entries.length < 200) return all;
  }
}

interface History {
  readonly customerId: string;
  readonly merchantId: string;
  readonly steps: number;
  readonly checkStatement: (service: ApiFixture, statement: StatementRecord) => Promise<void>;
}

const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];
const minor = (amount: number) => Math.round(amount * 100);
const HOUR_MS = 3_600_000;
/** Statements that are checked during a history. A check reads all entries, so that more of them would take a time that grows with the square of the steps. */
const CHECKS = 6;

/** Carries out random steps with invoices and payments of the only customer of a merchant. Returns the balance by its invoices, and the money by its ledger. */
export async function randomHistory(service: ApiFixture, { customerId, merchantId, steps, checkStatement }: History) {
  const { api } = service;
  await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { storeCreditForCards: true }));
  const saleIds: string[] = [];
  const invoices = () => expectData(api.admin.get<InvoiceRecord[]>(`/invoices?${new URLSearchParams({ customerId, limit: '200' })}`));
  const some = async (...statuses: string[]): Promise<InvoiceRecord | undefined> => {
    const all = await invoices();
    return pick(all.filter(({ status }) => statuses.includes(status)));
  };
  const amount = () => (101 + Math.floor(Math.random() * 20_000)) / 100;
  const part = (of: number) => Math.max(0.01, Math.floor(of * 100 * Math.random()) / 100);
  const pay = async (paymentMethod: string) => {
    const invoice = await some('draft', 'sent', 'partially_paid', 'overdue');
    if (!invoice) return;
    const paid = Math.random() < 0.4 ? invoice.amountDue : part(invoice.amountDue);
    await payInvoice(
      service,
      invoice.invoiceId,
      paymentMethod === 'card' ? cardPaymentBody(CARDS.visa, { amount: paid }) : { amount: paid, paymentMethod },
    );
  };
  const paymentOf = async (isWanted: (payment: InvoiceRecord['payments'][number]) => boolean) => {
    const all = await invoices();
    return pick(all.flatMap(({ payments }) => payments).filter((payment) => payment.status === 'succeeded' && isWanted(payment)));
  };
  // Steps that the present state refuses change nothing.
  const actions: (() => Promise<unknown>)[] = [
    async () => {
      const { invoiceId } = await createInvoice(service, customerId, { amount: amount(), allowPartial: true });
      if (Math.random() < 0.8) await api.admin.post(`/invoices/${invoiceId}/send`, {});
    },
    () => pay('cash'),
    () => pay('check'),
    () => pay('other'),
    () => pay('card'),
    async () => {
      const payment = await paymentOf(({ tenderId }) => tenderId !== null);
      if (payment) await api.admin.post(`/tenders/${payment.tenderId}/refund`, { amount: part(payment.amount) });
    },
    async () => {
      const payment = await paymentOf(({ method }) => ['card', 'cash'].includes(method));
      const paymentId = payment?.transactionId ?? payment?.tenderId;
      if (paymentId) await api.admin.post('/gift-cards/refund', { paymentId, customerId, amount: part(payment?.amount ?? 1) });
    },
    async () => {
      const payment = await paymentOf(({ method }) => method === 'check');
      if (payment) await api.admin.post(`/tenders/${payment.tenderId}/return`, { reason: 'No funds' });
    },
    async () => {
      const payment = await paymentOf(({ method }) => method === 'card');
      const transactionId = Math.random() < 0.5 ? payment?.transactionId : pick(saleIds);
      if (transactionId) await api.admin.post(`/transactions/${transactionId}/refund`, { amount: part(payment?.amount ?? 1) });
    },
    async () => {
      const payment = await paymentOf(({ method }) => method === 'card');
      const transactionId = Math.random() < 0.7 ? payment?.transactionId : pick(saleIds);
      if (transactionId) await api.admin.post(`/transactions/${transactionId}/void`, {});
    },
    async () => {
      const invoice = await some('sent', 'partially_paid', 'overdue', 'draft');
      if (invoice) await api.admin.post(`/invoices/${invoice.invoiceId}/cancel`, {});
    },
    async () => saleIds.push((await createSale(service, amount(), { customerId, merchantId })).transactionId),
    async () => {
      const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
      const ahead = (1 + Math.floor(Math.random() * 60)) * HOUR_MS;
      await expectData(api.admin.post('/sandbox/clock', { now: new Date(Date.parse(now) + ahead).toISOString() }));
    },
  ];
  for (let step = 0; step < steps; step += 1) {
    await (step < 3 ? actions[0] : pick(actions))?.();
    if (step % Math.ceil(steps / CHECKS) === 0)
      await checkStatement(service, await statementOf(service, customerId, { startDate: '2020-01-01' }));
  }
  const paidFor = ({ payments }: InvoiceRecord) =>
    payments.reduce(
      (sum, { status, amount: paid, refundedAmount }) => (status === 'succeeded' ? sum + minor(paid) - minor(refundedAmount) : sum),
      0,
    );
  const expectedBalance = (await invoices()).reduce(
    (sum, invoice) =>
      invoice.status === 'draft' ? sum : sum + (invoice.status === 'cancelled' ? -paidFor(invoice) : minor(invoice.amountDue)),
    0,
  );
  const { merchants } = await expectData(
    api.admin.get<{ merchants: { merchantId: string; accounts: Record<string, number> }[] }>('/settlement/ledger'),
  );
  const accounts = merchants.find((each) => each.merchantId === merchantId)?.accounts ?? {};
  const ledgerMoney = ['processor', 'cash', 'checks', 'otherTenders'].reduce((sum, name) => sum + minor(accounts[name] ?? 0), 0);
  return { expectedBalance, ledgerMoney };
}
