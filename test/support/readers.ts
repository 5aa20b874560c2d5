import type { TransactionRecord } from './sales.ts';
import { type ApiFixture, expectData } from './server.ts';
import { until } from './until.ts';

/** The fields of a card reader that the tests read. */
export interface TerminalRecord {
  terminalId: string;
  merchantId: string;
  name: string;
  state: string;
  workstation: string | null;
  asksTip: boolean;
  payment: { transactionId: string; usedBy: string } | null;
}

export interface PaymentOnReader extends TransactionRecord {
  channel: string;
  terminal: {
    terminalId: string;
    name: string;
    state: string;
    requestedAmount: number;
    asksTip: boolean;
    tipAmount: number | null;
    cardFunding: string | null;
    canceledBy: string | null;
    entryMode: string | null;
    applicationLabel: string | null;
    applicationId: string | null;
    verification: string | null;
  };
}

let paired = 0;

/** Pairs a simulated card reader with the demo merchant. */
export function pairReader({ api }: Pick<ApiFixture, 'api'>, more: Record<string, unknown> = {}): Promise<TerminalRecord> {
  paired += 1;
  return expectData(api.admin.post<TerminalRecord>('/terminals', { code: 'SIM123', name: `Reader ${paired}`, ...more }), 201);
}

/** Acts at a simulated card reader. */
export const present = (
  { api }: Pick<ApiFixture, 'api'>,
  terminalId: string,
  action: string,
  given: string | { readonly tipAmount: number | string } | undefined = undefined,
) => {
  const more = typeof given === 'string' ? { cardNumber: given } : given;
  return expectData(api.admin.post(`/sandbox/terminals/${terminalId}/present`, { action, ...more }));
};

export const saleOn = (terminalId: string, amount = 25, more: Record<string, unknown> = {}) => ({
  amount,
  paymentMethod: 'terminal',
  terminalId,
  ...more,
});

/** Starts a sale on a card reader and returns it while the reader waits for a card. */
export const startSale = ({ api }: Pick<ApiFixture, 'api'>, terminalId: string, amount = 25, more: Record<string, unknown> = {}) =>
  expectData(api.admin.post<PaymentOnReader>('/transactions', saleOn(terminalId, amount, more)), 202);

export const readPayment = ({ api }: Pick<ApiFixture, 'api'>, id: string) =>
  expectData(api.admin.get<PaymentOnReader>(`/transactions/${id}`));

/** Waits until a payment has a state on its reader, and returns it. */
export const untilState = (fixture: Pick<ApiFixture, 'api'>, id: string, state: string): Promise<PaymentOnReader> =>
  until(`the payment is ${state} on its reader`, async () => {
    const payment = await readPayment(fixture, id);
    return payment.terminal.state === state && payment;
  });
