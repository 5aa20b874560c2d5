import { api, takeData } from '#renderer/base/client';
import { writeMoney } from '#renderer/base/money';
import { customerName } from '#renderer/shared/customers';
import { paidWith } from '#renderer/shared/receipt';
import type { relatedRecord } from './related-record.ts';

type Prefix = NonNullable<ReturnType<typeof relatedRecord>>['prefix'];

const at = (id: string) => ({ params: { path: { id } } });

/** Reads records by their ID, and returns their names in words, such as "Visa ••5126, 61.20 USD". */
export const RECORD_NAMES: Readonly<Record<Prefix, (id: string) => Promise<string>>> = {
  txn_: async (id) => {
    const payment = await takeData(api.GET('/api/v1/transactions/{id}', at(id)));
    return `${paidWith(payment)}, ${writeMoney(payment.amount, payment.currency)}`;
  },
  inv_: async (id) => {
    const { number, amount, currency } = await takeData(api.GET('/api/v1/invoices/{id}', at(id)));
    return `${number}, ${writeMoney(amount, currency)}`;
  },
  sub_: async (id) => {
    const { customer, amount, currency } = await takeData(api.GET('/api/v1/recurring/{id}', at(id)));
    return [customer.name ?? customer.email, writeMoney(amount, currency)].filter(Boolean).join(', ');
  },
  cus_: async (id) => customerName(await takeData(api.GET('/api/v1/customers/{id}', at(id)))),
};
