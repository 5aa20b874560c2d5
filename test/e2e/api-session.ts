import { expect, type Service } from './fixtures.ts';
import { sessionOf } from './session.ts';

export interface Payment {
  readonly transactionId: string;
  readonly status: string;
  readonly orderId: string;
}

interface Sale {
  readonly amount: string;
  readonly type?: 'sale' | 'auth';
  readonly card?: string;
  readonly email?: string;
}

let orders = 0;

/** Creates payments through the API, so that a test of a list does not have to sell on screen first. */
export class ApiSession {
  readonly #service: Service;
  readonly #headers: Record<string, string>;

  private constructor(service: Service, token: string) {
    this.#service = service;
    this.#headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-tenant-id': service.tenantId };
  }

  static async open(service: Service): Promise<ApiSession> {
    return new ApiSession(service, (await sessionOf(service)).token);
  }

  /** Creates a payment with its own order ID, by which a test finds it again. */
  async sell({ amount, type = 'sale', card = '4111111111111111', email = 'guest@customer.example' }: Sale): Promise<Payment> {
    orders += 1;
    const orderId = `T-${process.pid}-${orders}`;
    const payment = {
      type,
      amount,
      orderId,
      card: { number: card, expiryMonth: '12', expiryYear: '2031', cvv: card?.startsWith('37') ? '1234' : '123' },
      billing: { zip: '04101' },
      customer: { email, name: 'Guest' },
    };
    const made = await this.post<Omit<Payment, 'orderId'>>('/transactions', payment);
    return { ...made, orderId };
  }

  /** Makes the gateway respond again, and moves the test clock until the terminal charges cards again. */
  async endOutage(): Promise<void> {
    await this.post('/sandbox/gateway', { mode: 'normal' });
    const stateOf = async () => (await this.read<{ state: string }>('/system/connectivity')).data.state;
    while ((await stateOf()) !== 'online') await this.post('/sandbox/clock', { advanceSeconds: 130 });
  }

  /** Requests a payment with any outcome. */
  async attempt({ amount, card, orderId }: Pick<Sale, 'amount' | 'card'> & { readonly orderId?: string }): Promise<void> {
    await fetch(`${this.#service.baseUrl}/api/v1/transactions`, {
      method: 'POST',
      headers: this.#headers,
      body: JSON.stringify({
        amount,
        orderId,
        card: { number: card, expiryMonth: '12', expiryYear: '2031', cvv: card?.startsWith('37') ? '1234' : '123' },
        billing: { zip: '04101' },
      }),
    });
  }

  /** Creates a payment whose refund the processor declines; returns the ID of the refund's entry in the queue. */
  async createDeclinedRefund(amount: string): Promise<Payment & { readonly entryId: string }> {
    const paid = await this.sell({ amount, card: '4000000000005126' });
    await this.post(`/transactions/${paid.transactionId}/refund`, {});
    const { data } = await this.read<{ id: string; transactionId: string }[]>('/refund-decline-queue?status=open&limit=200');
    return { ...paid, entryId: data.find(({ transactionId }) => transactionId === paid.transactionId)?.id ?? '' };
  }

  /** Reads a record of the service. */
  async read<Data>(path: string): Promise<{ data: Data; pagination: { total: number } }> {
    const response = await fetch(`${this.#service.baseUrl}/api/v1${path}`, { headers: this.#headers });
    expect(response.status).toBe(200);
    return (await response.json()) as { data: Data; pagination: { total: number } };
  }

  /** Deletes a record if it exists. */
  async remove(path: string): Promise<void> {
    const response = await fetch(`${this.#service.baseUrl}/api/v1${path}`, {
      method: 'DELETE',
      headers: this.#headers,
      body: JSON.stringify({ currentPassword: this.#service.adminPassword }),
    });
    expect([200, 404]).toContain(response.status);
  }

  post<Data>(path: string, body: object): Promise<Data> {
    return this.#send('POST', path, body);
  }

  put<Data>(path: string, body: object): Promise<Data> {
    return this.#send('PUT', path, body);
  }

  /** Sends a file with the fields of its form. */
  async upload(path: string, fields: Readonly<Record<string, string | File>>): Promise<void> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const { 'content-type': _, ...headers } = this.#headers;
    const response = await fetch(`${this.#service.baseUrl}/api/v1${path}`, { method: 'POST', headers, body: form });
    expect(response.status).toBe(200);
  }

  async #send<Data>(method: string, path: string, body: object): Promise<Data> {
    const response = await fetch(`${this.#service.baseUrl}/api/v1${path}`, {
      method,
      headers: this.#headers,
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect(response.status, text).toBeLessThan(300);
    return (JSON.parse(text) as { data: Data }).data;
  }
}
