import { CARDS, cardBody } from './sales.ts';
import { type ApiFixture, expectData, expectError } from './server.ts';
import { until } from './until.ts';

/** The fields of an unconfirmed payment that the tests read. */
export interface UnconfirmedPayment {
  id: string;
  transactionId: string;
  merchantId: string;
  operation: string;
  amount: number;
  currency: string;
  card: { brand: string; last4: string } | null;
  gateway: string;
  processorRef: string;
  since: string;
  lastInquiryAt: string | null;
  nextInquiryAt: string | null;
  inquiries: number;
  pendingReason: string | null;
  alert: string | null;
  needsPerson: boolean;
  actions: Record<'inquire' | 'conclude' | 'acknowledge', { allowed: boolean; code?: string; message?: string; choices?: string[] }>;
}

export interface UnconfirmedList {
  data: UnconfirmedPayment[];
  counts: { unconfirmed: number; inReview: number; needsPerson: number };
}

export async function listUnconfirmed({ api }: ApiFixture, query = '', headers: Record<string, string> = {}): Promise<UnconfirmedList> {
  const answer = await api.admin.get(`/unconfirmed-payments${query}`, headers);
  await expectData(answer);
  return answer.body as unknown as UnconfirmedList;
}

export const gatewayMode = ({ api }: ApiFixture, mode: string) => expectData(api.admin.post('/sandbox/gateway', { mode }));

let lastAmount = 400;

/**
 * Creates a payment at a gateway that loses every answer, so that it stays unconfirmed. The gateway is unavailable afterwards; the caller makes
 * it available again.
 */
export async function createUnconfirmedPayment(
  service: ApiFixture,
  card: string = CARDS.answerLost,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<UnconfirmedPayment> {
  lastAmount += 1;
  await gatewayMode(service, 'silent');
  await expectError(service.api.admin.post('/transactions', cardBody(lastAmount, card, more), headers), 502, 'GATEWAY_TIMEOUT');
  await gatewayMode(service, 'down');
  const [payment] = (await listUnconfirmed(service, `?amount=${lastAmount}`)).data;
  if (!payment) throw new Error('The payment is not unconfirmed.');
  return payment;
}

/** Inquires about a payment. Waits for an inquiry that runs in the background already, because it may have asked before the caller's last step. */
export async function inquireNow({ api }: Pick<ApiFixture, 'api'>, id: string | undefined): Promise<void> {
  await until('the inquiry about the payment has ended', async () => {
    const { isInquiring } = await expectData(api.admin.post<{ isInquiring?: boolean }>(`/unconfirmed-payments/${id}/inquire`));
    return !isInquiring;
  });
}

/** Makes the gateway available and inquires about every payment, so that none stays unconfirmed. */
export async function concludeUnconfirmed(service: ApiFixture): Promise<void> {
  await gatewayMode(service, 'normal');
  for (let round = 1; round <= 50; round += 1) {
    const { data } = await listUnconfirmed(service);
    if (data.length === 0) return;
    await Promise.all(data.map(({ id }) => service.api.admin.post(`/unconfirmed-payments/${id}/inquire`)));
  }
  throw new Error('an unconfirmed payment has not ended');
}
