// Processors whose answers are cut off, or belong to another request, as after a fault of a proxy or of a reused connection.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '../../../simulators/index.ts';
import { addSimulatorGateway, type LiveServer, saleAtSimulator, startLiveServer } from '../../support/live-server.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { ANY_DATABASE, expectData, expectError } from '../../support/server.ts';
import { type Exchange, startTamperingProxy, type TamperingProxy } from '../../support/tampering-proxy.ts';
import { until } from '../../support/until.ts';

/** Codes of a decline in the answers of each simulator. */
const DECLINES = { authorizenet: '2', nmi: '202' } as const;
const PROCESSORS = Object.keys(DECLINES) as (keyof typeof DECLINES)[];

const isSale = ({ request }: Exchange) => /authCaptureTransaction|type=sale/.test(request);
const isVoid = ({ request }: Exchange) => /voidTransaction|type=void/.test(request);

describe.each(ANY_DATABASE)('answers of other requests (%s)', (database) => {
  let live: LiveServer;
  const proxies = new Map<string, TamperingProxy & { readonly merchantId: string }>();
  const proxyOf = (kind: string) => proxies.get(kind) as TamperingProxy & { readonly merchantId: string };

  beforeAll(async () => {
    live = await startLiveServer(database);
    for (const kind of PROCESSORS) {
      const proxy = await startTamperingProxy(await startSimulator(kind));
      const { merchantId } = await expectData(live.api.admin.post<{ merchantId: string }>('/merchants', { name: kind }), 201);
      await addSimulatorGateway(live, proxy, {}, merchantId);
      proxies.set(kind, { ...proxy, merchantId });
    }
  });
  afterAll(async () => {
    await live.stop();
    for (const proxy of proxies.values()) await proxy.stop();
  });

  const sell = (kind: string, amount: number) =>
    live.api.admin.post<TransactionRecord>('/transactions', saleAtSimulator(amount, { merchantId: proxyOf(kind).merchantId }));
  const read = (id: string) => expectData(live.api.admin.get<TransactionRecord>(`/transactions/${id}`));
  const readWhen = (id: string, isReached: (payment: TransactionRecord) => boolean) =>
    until('the payment has its outcome', async () => {
      const payment = await read(id);
      return isReached(payment) && payment;
    });
  /** Answers the next requests that match with the answer to the first one. */
  const repeat = (kind: string, matches: (exchange: Exchange) => boolean) => {
    let earlier: string | undefined;
    proxyOf(kind).tamper((exchange) => {
      if (!matches(exchange)) return exchange.answer;
      earlier ??= exchange.answer;
      return earlier;
    });
  };

  test.each(PROCESSORS)('a declined sale is not approved by the answer to another sale: %s', async (kind) => {
    repeat(kind, isSale);
    proxyOf(kind).faults([{ do: 'code', code: DECLINES[kind], on: ['sale', 'authCaptureTransaction'], nth: 2 }]);
    await expectData(sell(kind, 21));
    const { details } = await expectError(sell(kind, 22), 502, 'GATEWAY_TIMEOUT');
    expect(await readWhen(String(details?.transactionId), ({ status }) => status !== 'pending')).toMatchObject({ status: 'declined' });
  });

  test.each(PROCESSORS)('a payment is not voided by the answer to the void of another one: %s', async (kind) => {
    const proxy = proxyOf(kind);
    proxy.tamper();
    proxy.faults();
    const [first, second] = [await expectData(sell(kind, 23)), await expectData(sell(kind, 24))];
    repeat(kind, isVoid);
    await expectData(live.api.admin.post(`/transactions/${first.transactionId}/void`, {}));
    // The processor does not receive the second void.
    proxy.faults([{ do: 'busy', on: ['void', 'voidTransaction'], nth: 1 }]);
    await expectError(live.api.admin.post(`/transactions/${second.transactionId}/void`, {}), 502, 'GATEWAY_TIMEOUT');
    expect(await read(second.transactionId)).toMatchObject({ status: 'approved' });
    expect(proxy.ledger.all().map(({ state }) => state)).toContain('captured');
  });

  test.each(PROCESSORS)('an inquiry is not answered by the details of another payment: %s', async (kind) => {
    const proxy = proxyOf(kind);
    proxy.faults();
    let details: string | undefined;
    let asked = 0;
    const loseSales = (exchange: Exchange) => (isSale(exchange) ? 'not readable' : exchange.answer);
    proxy.tamper((exchange) => {
      if (!/getTransactionDetailsRequest|order_id=/.test(exchange.request)) return loseSales(exchange);
      asked += 1;
      details ??= exchange.answer;
      return details;
    });
    const first = await expectError(sell(kind, 26), 502, 'GATEWAY_TIMEOUT');
    await readWhen(String(first.details?.transactionId), ({ status }) => status === 'approved');
    proxy.faults([{ do: 'code', code: DECLINES[kind], on: ['sale', 'authCaptureTransaction'] }]);
    const { details: of } = await expectError(sell(kind, 26), 502, 'GATEWAY_TIMEOUT');
    await until('two inquiries are answered', () => asked === 3);
    proxy.tamper(loseSales);
    expect(await readWhen(String(of?.transactionId), ({ status }) => status !== 'pending')).toMatchObject({ status: 'declined' });
  });

  test('an answer that may be cut off decides nothing', async () => {
    const { merchantId, ...proxy } = proxyOf('nmi');
    proxy.faults();
    proxy.quirks(['partial']);
    proxy.tamper((exchange) => {
      if (!isSale(exchange)) return exchange.answer;
      // Without a length, the end of the connection is the end of the answer. Here the approved amount is missing.
      const cut = exchange.answer.replace(/&amount_authorized=.*$/s, '');
      exchange.socket.end(`HTTP/1.1 200 OK\r\nContent-Type: ${exchange.contentType}\r\n\r\n${cut}`);
      return null;
    });
    const sale = saleAtSimulator(40, { merchantId, card: { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv: '999' } });
    await expectError(live.api.admin.post('/transactions', sale), 502, 'GATEWAY_TIMEOUT');
    proxy.quirks();
  });
});
