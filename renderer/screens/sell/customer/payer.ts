import { api, type Customer, type PaymentMethod, takeData, takePage } from '#renderer/base/client';

const METHODS_MAX = 50;

/** The customer of a sale with the stored payment methods and the one to charge. */
export interface Payer {
  readonly customer: Customer;
  readonly methods: readonly PaymentMethod[];
  readonly chosen: PaymentMethod | null;
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
