import { queryOptions } from '@tanstack/react-query';
import { api, type Customer, keptQuery, takeData, takePage } from '#renderer/base/client';

const MATCHES_MAX = 20;

/** Customers that match typed text. */
export function customerSearchQuery(merchantId: string, q: string) {
  const query = { merchantId, limit: MATCHES_MAX, ...(q !== '' && { q }) };
  return keptQuery(
    ['customers', 'found', query],
    async (signal) => (await takePage(api.GET('/api/v1/customers', { params: { query }, signal }))).items,
  );
}

/** One customer, for a form that is opened for this customer. */
export function customerQuery(id: string) {
  return queryOptions({
    queryKey: ['customers', 'named', id],
    queryFn: () => takeData(api.GET('/api/v1/customers/{id}', { params: { path: { id } } })),
  });
}

/** Details of a new customer. */
export type NewCustomer = Partial<Pick<Customer, 'firstName' | 'lastName' | 'email' | 'phone'>>;

/** Creates a customer. */
export const createCustomer = (merchantId: string, body: NewCustomer): Promise<Customer> =>
  takeData(api.POST('/api/v1/customers', { body: { merchantId, ...body } }));
