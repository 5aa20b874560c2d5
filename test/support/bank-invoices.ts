import type { BankShop } from './bank.ts';
import type { TruthLine } from './bank-files.ts';
import { type CustomerRecord, createCustomer } from './customers.ts';
import { createInvoice, getInvoice } from './invoices.ts';
import { type ApiFixture, expectData } from './server.ts';

/** Returns the present day in UTC, the zone of bank shops. */
export const today = () => new Date().toISOString().slice(0, 10);

let references = 0;
/** Letters for digits: a reference with digits could be read as the number of an invoice. */
const LETTERS = 'KMNPRTVWXY';
/** Returns a credit on a bank statement with a reference of its own. */
export function credit(minor: number, text: string, day = today()): TruthLine {
  references += 1;
  return { day, minor, text, reference: String(references).replaceAll(/\d/g, (digit) => LETTERS[Number(digit)] ?? '') };
}

/** Creates and sends an invoice. */
export async function sendInvoice(
  fixture: ApiFixture,
  { customerId }: Pick<CustomerRecord, 'customerId'>,
  amount: number,
  more: object = {},
) {
  const { invoiceId } = await createInvoice(fixture, customerId, { amount, ...more });
  await expectData(fixture.api.admin.post(`/invoices/${invoiceId}/send`, { sendVia: ['email'] }));
  return getInvoice(fixture, invoiceId);
}

export const customerOf = (fixture: ApiFixture, { merchantId }: Pick<BankShop, 'merchantId'>, more: object = {}) =>
  createCustomer(fixture, { merchantId, ...more });

/** Returns the accounts of a merchant in the ledger. */
export async function accountsOf({ api }: ApiFixture, { merchantId }: Pick<BankShop, 'merchantId'>): Promise<Record<string, number>> {
  const path = `/settlement/ledger?merchantId=${merchantId}`;
  return (await expectData(api.admin.get<{ merchants: { accounts: Record<string, number> }[] }>(path))).merchants[0]?.accounts ?? {};
}

/** Returns the figure of the bank account in the close of a day or month. */
export async function bankFigure({ api }: ApiFixture, { merchantId }: Pick<BankShop, 'merchantId'>, query: string) {
  const { figures } = await expectData(
    api.admin.get<{ figures: { name: string; ledger: number; bank: number; difference: number }[] }>(
      `/settlement/close?merchantId=${merchantId}&${query}`,
    ),
  );
  return figures.find(({ name }) => name === 'bank');
}
