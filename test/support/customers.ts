import { CARDS } from './sales.ts';
import { type ApiFixture, expectData } from './server.ts';

export interface MethodRecord {
  paymentMethodId: string;
  customerId: string;
  type: string;
  brand: string | null;
  last4: string;
  expiryMonth: string | null;
  expiryYear: string | null;
  isDefault: boolean;
  token: string;
  consentText: string | null;
  consentAt: string | null;
}

export interface CustomerRecord {
  customerId: string;
  merchantId: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  defaultPaymentMethodId: string | null;
  lastPaymentAt: string | null;
}

export interface SubscriptionRecord {
  subscriptionId: string;
  customerId: string;
  status: string;
  amount: number;
  frequency: string;
  startDate: string;
  nextPaymentDate: string | null;
  paymentsMade: number;
  failedAttempts: number;
  nextRetryAt: string | null;
  card: { last4: string } | null;
  cancelReason: string | null;
  lastReason: string | null;
  paymentMethodId: string | null;
}

interface PeriodRecord {
  dueDate: string;
  status: string;
  attempt: number;
  periods: number;
  transactionId: string | null;
  declineCode: string | null;
}

let customersCreated = 0;

/** Creates a customer for one test. */
export async function createCustomer({ api }: ApiFixture, more: Record<string, unknown> = {}): Promise<CustomerRecord> {
  customersCreated += 1;
  const body = { firstName: 'Ann', lastName: `Marsh${customersCreated}`, email: `ann${customersCreated}@customer.example`, ...more };
  return expectData(api.admin.post<CustomerRecord>('/customers', body), 201);
}

/** Stores a card for a customer; a security code is not needed. */
export function storeCard({ api }: ApiFixture, customerId: string, number: string = CARDS.visa, more: Record<string, unknown> = {}) {
  const card = { number, expiryMonth: '12', expiryYear: '2039' };
  return expectData(api.admin.post<MethodRecord>(`/customers/${customerId}/payment-methods`, { card, ...more }), 201);
}

/** Creates a customer with a card. */
export async function createCustomerWithCard(fixture: ApiFixture, number: string = CARDS.visa): Promise<CustomerRecord> {
  const { customerId } = await createCustomer(fixture);
  await storeCard(fixture, customerId, number);
  return expectData(fixture.api.admin.get<CustomerRecord>(`/customers/${customerId}`));
}

/** Creates a subscription; by default monthly, 25.00 and from today. */
export function subscribe({ api }: ApiFixture, customerId: string, more: Record<string, unknown> = {}): Promise<SubscriptionRecord> {
  return expectData(api.admin.post<SubscriptionRecord>('/recurring', { customerId, amount: 25, frequency: 'monthly', ...more }), 201);
}

export const getSubscription = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<SubscriptionRecord>(`/recurring/${id}`));

/** Returns the payment attempts of a subscription, the oldest first. */
export async function getPeriods({ api }: ApiFixture, id: string): Promise<PeriodRecord[]> {
  const all: PeriodRecord[] = [];
  let cursor = '';
  do {
    const { body } = await api.admin.get<PeriodRecord[]>(`/recurring/${id}/payments?limit=200${cursor}`);
    all.push(...body.data);
    cursor = body.pagination.nextCursor === null ? '' : `&cursor=${body.pagination.nextCursor}`;
  } while (cursor !== '');
  return all.reverse();
}
