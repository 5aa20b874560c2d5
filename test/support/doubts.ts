import { CARDS, cardBody } from './sales.ts';
import { type ApiFixture, expectData } from './server.ts';

/** A doubt as far as the tests read it. */
export interface DoubtRecord {
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
  words: string;
}

export interface DoubtBoard {
  data: DoubtRecord[];
  counts: { inDoubt: number; inReview: number; needsPerson: number };
}

export async function doubts({ api }: ApiFixture, query = '', headers: Record<string, string> = {}): Promise<DoubtBoard> {
  const answer = await api.admin.get(`/doubts${query}`, headers);
  await expectData(answer);
  return answer.body as unknown as DoubtBoard;
}

export const gatewayMode = ({ api }: ApiFixture, mode: string) => expectData(api.admin.post('/sandbox/gateway', { mode }));

let amounts = 400;

/**
 * A payment whose answer is lost, at a gateway that is away when it is asked what became of it, so that the doubt stays: the gateway must go away
 * while the answer is waited for. The caller brings it back.
 */
export async function leaveInDoubt(
  on: ApiFixture,
  card: string = CARDS.answerLost,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<DoubtRecord> {
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    amounts += 1;
    const asked = on.api.admin.post('/transactions', cardBody(amounts, card, more), headers);
    await doubts(on);
    await gatewayMode(on, 'down');
    await asked;
    const [doubt] = (await doubts(on, `?amount=${amounts}`)).data;
    if (doubt) return doubt;
    await gatewayMode(on, 'normal');
  }
  throw new Error('no payment was left in doubt');
}

/** Brings the gateway back and has it asked about everything, so that nothing is left in doubt. */
export async function endDoubts(on: ApiFixture): Promise<void> {
  await gatewayMode(on, 'normal');
  for (let look = 1; look <= 50; look += 1) {
    const { data } = await doubts(on);
    if (data.length === 0) return;
    await Promise.all(data.map(({ id }) => on.api.admin.post(`/doubts/${id}/inquire`)));
  }
  throw new Error('a doubt has not ended');
}
