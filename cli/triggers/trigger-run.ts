import { DeclinedError } from '@paydesk/client';
import type { Connection, Requests, User } from '../connection.ts';

type Fields = Record<string, unknown>;

const CONSENT = 'Robin Example may be charged with this card.';
const CARD = { expiryMonth: '12', expiryYear: '2039' };
export const APPROVED = '4111111111111111';
/** The approved card with the expiry date of its successor. */
export const RENEWED = { number: APPROVED, expiryMonth: '11', expiryYear: '2042' };
export const DECLINED = '4000000000009995';
export const REFUND_DECLINED = '4000000000005126';
export const REFUND_DECLINED_ONCE = '4000000000007726';

/** Causes an event by the operations that cause it in a shop. */
export type Flow = (run: TriggerRun) => Promise<void>;

/** The surroundings of a flow: the server, the administrator, and the fields that the user set for its main request. */
export class TriggerRun {
  readonly connection: Connection;
  readonly office: Requests;
  readonly #fields: readonly (readonly [path: string, value: unknown])[];

  constructor(connection: Connection, office: Requests, fields: readonly (readonly [path: string, value: unknown])[]) {
    this.connection = connection;
    this.office = office;
    this.#fields = fields;
  }

  /** Returns the body of the main request with the fields of `--set`. */
  main(body: Fields): Fields {
    return this.#fields.reduce<Fields>((changed, [path, value]) => withField(changed, path.split('.'), value), body);
  }

  /** Returns the fields that confirm a change of rules by the caller's password. */
  confirmation(): Fields {
    return { currentPassword: this.connection.required('password') };
  }

  /** Returns the merchant of the operations. */
  async merchantId(): Promise<string> {
    const { merchants } = await this.office.get<{ merchants: readonly { merchantId: string }[] }>('/auth/me');
    return merchants[0]?.merchantId ?? '';
  }

  /** Charges a card. A decline is a result too. */
  async sell(number = APPROVED, more: Fields = {}): Promise<{ transactionId: string; amount: number }> {
    const card = { number, ...CARD, cvv: '123' };
    return declinedToo(this.office.post('/transactions', this.main({ type: 'sale', amount: 20, paymentMethod: 'card', card, ...more })));
  }

  async refund({ transactionId, amount }: { transactionId: string; amount: number }): Promise<void> {
    await declinedToo(this.office.post('/transactions/{id}/refund', { amount }, { params: { id: transactionId } }));
  }

  /** Creates a customer with a card. */
  async createCustomer(number = APPROVED): Promise<string> {
    const customer = { firstName: 'Robin', lastName: 'Example', email: 'robin@example.com' };
    const { customerId } = await this.office.post<{ customerId: string }>('/customers', customer);
    await this.office.post(
      '/customers/{id}/payment-methods',
      { card: { number, ...CARD }, consentText: CONSENT },
      { params: { id: customerId } },
    );
    return customerId;
  }

  /** Creates a user of all merchants for a flow, and removes it afterwards. */
  async withUser(role: string, flow: (user: User & { readonly userId: string }) => Promise<void>): Promise<void> {
    const merchantId = await this.merchantId();
    const user = { email: `trigger-${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() };
    const body = { ...user, role, name: 'Made by paydesk trigger', allMerchants: true };
    const { userId } = await this.office.post<{ userId: string }>('/merchants/{merchantId}/users', body, { params: { merchantId } });
    try {
      await flow({ ...user, userId });
    } finally {
      await this.office.delete('/merchants/{merchantId}/users/{userId}', { params: { merchantId, userId } });
    }
  }

  /** Moves the test clock, so that what becomes due happens. */
  async moveClock(advanceSeconds: number): Promise<void> {
    await this.office.post('/sandbox/clock', { advanceSeconds });
  }

  /** Returns a day by the test clock, in UTC. */
  async dayAfter(days: number): Promise<string> {
    const { now } = await this.office.get<{ now: string }>('/sandbox/clock');
    return new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10);
  }
}

/** Returns the result of a request, also if the payment was declined. */
async function declinedToo<Result>(request: Promise<Result>): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof DeclinedError) return error.data as Result;
    throw error;
  }
}

function withField(body: Fields, [name = '', ...rest]: readonly string[], value: unknown): Fields {
  if (rest.length === 0) return { ...body, [name]: value };
  return { ...body, [name]: withField((body[name] ?? {}) as Fields, rest, value) };
}
