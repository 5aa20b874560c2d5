import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createCustomerWithCard, storeCard } from '../../support/customers.ts';
import { type DocumentedOperation, documentedOperations, operationOf } from '../../support/documented-operations.ts';
import { startMcpClient } from '../../support/mcp-client.ts';
import { stopMcp } from '../../support/mcp-process.ts';
import { createOwnedRecords, idOf, type OwnedRecords, PNG, unique } from '../../support/owned-records.ts';
import { startSale } from '../../support/readers.ts';
import { CARDS, cardBody, createSale, type TransactionRecord } from '../../support/sales.ts';
import { ANY_DATABASE, describeOnSmallData, expectData } from '../../support/server.ts';
import type { Given } from '../../support/typed-clients.ts';

/** Tools that the service refuses in this account: no installment has failed, no endpoint was sent earlier events, and the order has no payments. */
const REFUSED = { getWebhookCatchUp: 'NOT_FOUND', proposeOrderRefund: 'ALREADY_REFUNDED', retryInstallment: 'RESOURCE_CONFLICT' };
/** About 2,500 tokens. */
const ANSWER_BYTES_MAX = 10_000;

describeOnSmallData('tools for agents', ANY_DATABASE, (fixture) => {
  let agent: Awaited<ReturnType<typeof startMcpClient>>;
  let operations: DocumentedOperation[];
  let records: OwnedRecords;
  beforeAll(async () => {
    agent = await startMcpClient(fixture());
    operations = await documentedOperations(fixture());
    records = await createOwnedRecords(fixture());
  });
  afterAll(() => {
    agent.close();
    stopMcp();
  });

  const saleId = async (amount = 50) => ({ transactionId: (await createSale(fixture(), amount)).transactionId });
  const create = async (id: string, given: Given): Promise<Record<string, string>> => {
    const { data, error, refused } = await agent.call(operationOf(operations, id), { ...given, idempotencyKey: unique('task') });
    expect([id, error, refused]).toEqual([id, undefined, undefined]);
    return data as Record<string, string>;
  };
  const newDispute = async () => ({ id: (await create('public.createDispute', { body: await saleId() })).disputeId ?? '' });
  const submittedDispute = async () => {
    const params = await newDispute();
    await create('public.submitDispute', { params });
    return params;
  };
  const newShift = async () => ({
    id: (await create('public.openShift', { body: { drawer: unique('drawer'), amount: 20 } })).shiftId ?? '',
  });
  const newReader = async () => ({
    id: (await create('public.pairTerminal', { body: { code: 'SIM123', name: unique('reader') } })).terminalId ?? '',
  });
  const newCardSave = async () => {
    const body = { terminalId: (await newReader()).id, consentText: 'Store it.' };
    const params = { id: records.customerId };
    const save = await agent.call(operationOf(operations, 'public.createCardSave'), { params, body, idempotencyKey: unique('task') });
    return { id: (save.data as { cardSaveId?: string } | undefined)?.cardSaveId ?? '' };
  };
  const newGiftCode = async () => {
    const gift = { amount: 5, reason: 'Late delivery' };
    return (await expectData(fixture().api.admin.post<{ code: string }>('/gift-cards', gift), 201)).code;
  };
  const newTender = async (kind: string) => ({
    id: (await create('public.createTender', { body: { kind, amount: 12, ...(kind === 'check' && { checkNumber: '7' }) } })).tenderId ?? '',
  });
  const newPlan = async () => {
    const invoice = { customerId: records.customerId, amount: 20 };
    return {
      id:
        (await create('public.createInstallmentPlan', { body: { invoice, count: 2, interval: 'monthly', consentText: 'Charge it.' } }))
          .installmentPlanId ?? '',
    };
  };
  const laterBody = async () => {
    // With a gateway that answers, a job charges the payment before it can be changed.
    await expectData(fixture().api.admin.post('/sandbox/gateway', { mode: 'down' }));
    const { customerId } = await createCustomerWithCard(fixture());
    await storeCard(fixture(), customerId, CARDS.visa, { consentText: 'Charge it later.' });
    return { customerId, amount: 5 };
  };
  const newLater = async () => ({ id: (await create('public.createQueuedPayment', { body: await laterBody() })).queuedPaymentId ?? '' });
  const link = async () => ({ url: (await create('public.createPaymentLink', { body: { amount: 20 } })).url ?? '' });

  /** Arguments of tools that need more than the IDs of existing records. */
  const GIVEN: Readonly<Record<string, () => Given | Promise<Given>>> = {
    provisionMerchant: () => ({ body: { name: unique('Shop') } }),
    getMerchant: () => ({ query: { id: records.merchantId } }),
    voidTransaction: async () => ({ body: await saleId() }),
    adjustTip: async () => ({ body: { ...(await saleId()), tipAmount: 5 } }),
    refundTransaction: async () => ({ body: { ...(await saleId()), amount: 5 } }),
    rerunTransaction: async () => {
      const limit = (maxAmount: number | null) =>
        expectData(fixture().api.admin.put(`/merchants/${records.merchantId}/fraud-settings`, { maxAmount }));
      await limit(5);
      const { transactionId } = (await fixture().api.admin.post<TransactionRecord>('/transactions', cardBody(12))).body.data;
      await limit(null);
      return { body: { transactionId } };
    },
    chargeToken: () => ({ body: { token: records.token, amount: 9 } }),
    describeToken: () => ({ body: { token: records.token } }),
    createCustomer: () => ({ body: { firstName: unique('Ann') } }),
    deleteCustomer: async () => ({ params: { id: (await createCustomerWithCard(fixture())).customerId } }),
    removePaymentMethod: async () => {
      const { customerId, defaultPaymentMethodId } = await createCustomerWithCard(fixture());
      return { params: { id: customerId, pmId: defaultPaymentMethodId ?? '' } };
    },
    createSubscription: () => ({
      body: { customerId: records.customerId, amount: 10, frequency: 'monthly', paymentMethodId: records.paymentMethodId },
    }),
    createPaymentLink: () => ({ body: { amount: 20 } }),
    shortenUrl: async () => ({ body: await link() }),
    shortenUrlSms: async () => ({ body: { ...(await link()), phone: '+12075550142' } }),
    shortenUrlPaymentSms: async () => ({ body: { ...(await link()), phone: '+12075550143' } }),
    createDispute: async () => ({ body: await saleId() }),
    acceptDispute: async () => ({ params: await newDispute() }),
    concludeDispute: async () => ({ params: await newDispute(), body: { outcome: 'lost' } }),
    submitDispute: async () => ({ params: await newDispute() }),
    reopenDispute: async () => ({ params: await submittedDispute() }),
    addDisputeAttachment: async () => ({
      params: await newDispute(),
      body: { item: 'delivery' },
      file: { field: 'file', name: 'slip.png', content: PNG },
    }),
    createItem: () => ({ body: { name: unique('Tea'), price: 3 } }),
    importItems: () => ({ file: { field: 'file', name: 'items.csv', content: Buffer.from(`name,price\n${unique('Milk')},2.50\n`) } }),
    orderItems: () => ({ body: { itemIds: [records.itemId] } }),
    grantDiscount: () => ({ body: { price: 20, discountAmount: 1, reason: 'Regular' } }),
    createOrder: () => ({ body: { amount: 5 } }),
    giftCardBalance: async () => ({ body: { code: await newGiftCode() } }),
    emailGiftCard: async () => ({ body: { code: await newGiftCode(), email: 'ida@friends.example' } }),
    createTender: () => ({ body: { kind: 'cash', amount: 12 } }),
    refundTender: async () => ({ params: await newTender('cash'), body: { full: true } }),
    returnCheck: async () => ({ params: await newTender('check') }),
    refundToGiftCard: async () => ({ body: { paymentId: (await newTender('cash')).id, amount: 1 } }),
    pairTerminal: () => ({ body: { code: 'SIM123', name: unique('reader') } }),
    updateTerminal: async () => ({ params: await newReader(), body: { workstation: 'Drawer 1' } }),
    checkTerminal: async () => ({ params: await newReader() }),
    removeTerminal: async () => ({ params: await newReader() }),
    cancelOnTerminal: async () => {
      const { id: terminalId } = await newReader();
      return { params: { id: (await startSale(fixture(), terminalId, 5)).transactionId } };
    },
    createCardSave: async () => ({
      params: { id: records.customerId },
      body: { terminalId: (await newReader()).id, consentText: 'Store it.' },
    }),
    cancelCardSave: async () => ({ params: await newCardSave() }),
    openShift: () => ({ body: { drawer: unique('drawer'), amount: 20 } }),
    payIntoShift: async () => ({ params: await newShift(), body: { amount: 5, reason: 'Change' } }),
    payOutOfShift: async () => ({ params: await newShift(), body: { amount: 5, reason: 'Milk' } }),
    closeShift: async () => ({ params: await newShift(), body: { amount: 20 } }),
    explainVariance: async () => {
      const params = await newShift();
      await create('public.closeShift', { params, body: { amount: 18 } });
      return { params, body: { note: 'A coin was lost.' } };
    },
    createInstallmentPlan: () => ({
      body: { invoice: { customerId: records.customerId, amount: 20 }, count: 2, interval: 'monthly', consentText: 'Charge it.' },
    }),
    previewInstallmentPlan: () => ({ body: { invoiceId: records.invoiceId, count: 2, interval: 'monthly' } }),
    pauseInstallmentPlan: async () => ({ params: await newPlan() }),
    resumeInstallmentPlan: async () => {
      const params = await newPlan();
      await create('public.pauseInstallmentPlan', { params });
      return { params };
    },
    changeInstallmentPlanMethod: async () => ({
      params: await newPlan(),
      body: { paymentMethodId: records.paymentMethodId, consentText: 'Charge this card.' },
    }),
    cancelInstallmentPlan: async () => ({ params: await newPlan() }),
    createQueuedPayment: async () => ({ body: await laterBody() }),
    releaseQueuedPayment: async () => ({ params: await newLater() }),
    cancelQueuedPayment: async () => ({ params: await newLater() }),
    replaceQueuedPayment: async () => ({ params: await newLater() }),
    generateOtp: () => ({ body: { type: 'email', destination: 'one@example.com' } }),
    verifyOtp: async () => {
      const destination = 'two@example.com';
      const { otpId = '' } = await create('public.generateOtp', { body: { type: 'email', destination } });
      const messages = await expectData(fixture().api.admin.get<{ to: string; body: string }[]>('/sandbox/messages'));
      const code = /\b\d{6}\b/.exec(messages.find(({ to }) => to === destination)?.body ?? '')?.[0] ?? '';
      return { body: { otpId, code } };
    },
    resendOtp: () => {
      // The service sends a code again after 30 seconds, for which the client waits.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
      return { body: { otpId: records.otpId } };
    },
  };

  afterEach(() => void vi.useRealTimers());

  test('for lists have ten short records by default, and all fields on request', async () => {
    const { tools, mcp } = agent;
    const lists = tools.filter(({ inputSchema }) => 'details' in inputSchema.properties && !inputSchema.required.includes('id'));
    expect(lists.length).toBeGreaterThan(10);
    for (const { name } of lists) {
      const { text } = await mcp.call(name, {});
      const { items, pagination } = JSON.parse(text) as { items: unknown[]; pagination: { limit: number } };
      expect([pagination.limit, items.length <= 10], name).toEqual([10, true]);
      expect(text.length, name).toBeLessThan(ANSWER_BYTES_MAX);
    }
    const long = await mcp.call('listTransactions', { details: true });
    expect(Object.keys(JSON.parse(long.text).items[0])).toEqual(expect.arrayContaining(['orderId', 'metadata']));
  });

  test('each work once', async () => {
    const failures: Record<string, string> = {};
    for (const { name } of agent.tools) {
      const operation = operationOf(operations, `public.${name}`);
      const known = operation.pathParameters.map((each) => [each, idOf(records, `/api/v1${operation.path}`, each)]);
      const { error, refused } = await agent.call(operation, { params: Object.fromEntries(known), ...(await GIVEN[name]?.()) });
      const problem = error?.code ?? refused;
      if (problem !== undefined) failures[name] = problem;
    }
    expect(failures).toEqual(REFUSED);
  });
});
