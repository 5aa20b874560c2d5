import { queryOptions } from '@tanstack/react-query';
import { api, type Customer, type PaymentMethod, takeData, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { brandName } from '#shared/card-brands';

const SUGGESTIONS_MAX = 8;
const METHODS_MAX = 50;

/** The customer of a sale with the stored payment methods and the one to charge. */
export interface Payer {
  readonly customer: Customer;
  readonly methods: readonly PaymentMethod[];
  readonly chosen: PaymentMethod | null;
}

/** Customers who match the typed text by the beginning of a word. */
export function suggestionsQuery(text: string, merchantId: string) {
  return queryOptions({
    queryKey: ['customers', 'suggested', merchantId, text],
    queryFn: async ({ signal }) =>
      (await takePage(api.GET('/api/v1/customers', { params: { query: { q: text, merchantId, limit: SUGGESTIONS_MAX } }, signal }))).items,
    enabled: text !== '',
  });
}

/** Returns the stored payment methods of a customer, the default first. */
export async function loadPayer(customer: Customer): Promise<Payer> {
  const { items } = await takePage(
    api.GET('/api/v1/customers/{id}/payment-methods', {
      params: { path: { id: customer.customerId }, query: { limit: METHODS_MAX } },
    }),
  );
  return { customer, methods: items, chosen: items[0] ?? null };
}

/** Loads the customer of a link with the stored payment methods. */
export async function readPayer(customerId: string): Promise<Payer> {
  return loadPayer(await takeData(api.GET('/api/v1/customers/{id}', { params: { path: { id: customerId } } })));
}

export const createCustomer = (body: { firstName?: string; lastName?: string; email?: string; merchantId: string }) =>
  takeData(api.POST('/api/v1/customers', { body }));

/** Returns "Ann Marsh", or another identification of a customer. */
export function customerName({ firstName, lastName, company, email }: Customer): string {
  return [firstName, lastName].filter(Boolean).join(' ') || company || email || t('Customer');
}

/** Returns "Visa ending in 1111", the same as for a keyed card. */
export function methodName({ type, brand, last4 }: PaymentMethod): string {
  return type === 'card'
    ? t('{{brand}} ending in {{last4}}', { brand: brandName(brand ?? 'card'), last4 })
    : t('Bank account ending in {{last4}}', { last4 });
}
