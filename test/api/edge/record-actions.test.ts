import { expect, test } from 'vitest';
import { createCustomer, createCustomerWithCard, storeCard, subscribe } from '../../support/customers.ts';
import { createInvoice, createPaymentLink, payInvoice } from '../../support/invoices.ts';
import { CARDS, createSale } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { closeShift, openShift, refundTender, takeTender } from '../../support/tenders.ts';
import { until } from '../../support/until.ts';
import { createUser } from '../../support/users.ts';
import { advanceClock } from '../../support/webhooks.ts';

interface Action {
  readonly allowed: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly maxAmount?: number;
  readonly choices?: readonly string[];
}

interface Detail {
  readonly actions: Readonly<Record<string, Action>>;
}

/** An operation on a record: its path below that of the record, or a complete one, with a body that every state accepts which allows it. */
interface Operation {
  readonly method?: 'put';
  readonly path: string | ((id: string) => string);
  readonly body?: (id: string, detail: Detail) => object;
}

interface Kind {
  readonly path: string;
  readonly operations: Readonly<Record<string, Operation>>;
  /** Functions that make a record in each state, and return its ID. */
  readonly states: Readonly<Record<string, (service: ApiFixture) => Promise<string>>>;
}

const CONSENT = { consentText: 'I agree to later charges.' };

const act =
  (path: string, make: (service: ApiFixture) => Promise<string>, operation: string, body: object = {}) =>
  async (service: ApiFixture) => {
    const id = await make(service);
    await expectData(service.api.admin.post(`${path}/${id}/${operation}`, body));
    return id;
  };

const invoice = async (service: ApiFixture) => {
  const { customerId } = await createCustomer(service);
  await storeCard(service, customerId, CARDS.visa, CONSENT);
  return (await createInvoice(service, customerId)).invoiceId;
};
const link = async (service: ApiFixture) => (await createPaymentLink(service, { amount: 20 })).invoiceId;
const paid = (amount: number) => async (service: ApiFixture) => {
  const id = await invoice(service);
  await payInvoice(service, id, { amount, paymentMethod: 'other' });
  return id;
};
const plan = async (service: ApiFixture) => {
  const invoiceId = await invoice(service);
  const body = { invoiceId, count: 2, interval: 'weekly', firstDate: '2039-01-05' };
  const { now } = await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'));
  const firstDate = new Date(Date.parse(now) + 3 * 86_400_000).toISOString().slice(0, 10);
  const made = await expectData(service.api.admin.post<{ installmentPlanId: string }>('/installment-plans', { ...body, firstDate }), 201);
  return made.installmentPlanId;
};
const subscription = (more: object) => async (service: ApiFixture) => {
  const { customerId } = await createCustomerWithCard(service);
  return (await subscribe(service, customerId, { ...more })).subscriptionId;
};
const declined = async (service: ApiFixture) => {
  const { customerId } = await createCustomerWithCard(service, CARDS.declined);
  return (await subscribe(service, customerId)).subscriptionId;
};
const dispute =
  (more: object = {}) =>
  async (service: ApiFixture) => {
    const { transactionId } = await createSale(service);
    return (await expectData(service.api.admin.post<{ disputeId: string }>('/disputes', { transactionId, ...more }), 201)).disputeId;
  };
const check = async (service: ApiFixture) => (await takeTender(service, 20, { kind: 'check', checkNumber: '1042' })).tenderId;
const cash = async (service: ApiFixture) => (await takeTender(service, 20, { kind: 'cash' })).tenderId;
let drawers = 0;
const shift = async (service: ApiFixture) => {
  drawers += 1;
  return (await openShift(service, { drawer: `Actions ${drawers}`, amount: 100 })).shiftId;
};
const closedShift = (note?: string) => async (service: ApiFixture) => {
  const id = await shift(service);
  await expectData(closeShift(service, id, { amount: 90, ...(note && { note }) }));
  return id;
};
const queued = async (service: ApiFixture) => {
  const { api } = service;
  const merchantId = await createMerchant(service);
  await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { chargeLaterMaxAmount: 100, chargeLaterMaxPerCustomer: 250 }));
  const [gateway] = await expectData(api.admin.get<{ id: string }[]>(`/merchants/${merchantId}/gateways`));
  await expectData(api.admin.post('/sandbox/gateway', { mode: 'down', gatewayId: gateway?.id }));
  const { customerId } = await createCustomer(service, { merchantId });
  await storeCard(service, customerId, CARDS.visa, CONSENT);
  const made = await expectData(api.admin.post<{ queuedPaymentId: string }>('/queued-payments', { customerId, amount: 20 }), 201);
  await until('the queue is not looking at the payment', async () => {
    const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
    const { jobs } = await expectData(api.admin.get<{ jobs: { name: string; nextAt: string | null }[] }>('/system/status'));
    const nextAt = jobs.find(({ name }) => name === 'queued-payments.send')?.nextAt ?? null;
    return nextAt === null || nextAt > now;
  });
  return made.queuedPaymentId;
};

const KINDS: Readonly<Record<string, Kind>> = {
  invoice: {
    path: '/invoices',
    operations: {
      update: { method: 'put', path: '', body: () => ({ note: 'Thanks' }) },
      send: { path: 'send', body: () => ({ email: 'ann@customer.example' }) },
      pay: { path: 'payment', body: (_, { actions }) => ({ amount: actions.pay?.maxAmount ?? 1, paymentMethod: 'other' }) },
      cancel: { path: 'cancel' },
      payInInstallments: { path: () => '/installment-plans', body: (invoiceId) => ({ invoiceId, count: 2, interval: 'weekly' }) },
    },
    states: {
      draft: invoice,
      'sent invoice': act('/invoices', invoice, 'send', { email: 'ann@customer.example' }),
      'partly paid invoice': paid(40),
      'paid invoice': paid(100),
      'canceled invoice': act('/invoices', invoice, 'cancel'),
      'invoice with a plan': async (service) => {
        const { api } = service;
        return (await expectData(api.admin.get<{ invoiceId: string }>(`/installment-plans/${await plan(service)}`))).invoiceId;
      },
      'payment link': link,
      'canceled link': act('/invoices', link, 'cancel'),
      'expired link': async (service) => {
        const { now } = await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'));
        const expiresAt = new Date(Date.parse(now) + 60_000).toISOString();
        const { invoiceId } = await createPaymentLink(service, { amount: 20, expiresAt });
        await advanceClock(service, 61);
        return invoiceId;
      },
    },
  },
  subscription: {
    path: '/recurring',
    operations: {
      pause: { path: 'pause' },
      resume: { path: 'resume' },
      skip: { path: 'skip-next' },
      cancel: { path: 'cancel' },
      update: { method: 'put', path: '', body: () => ({ planId: 'gold' }) },
      retry: { path: 'retry' },
    },
    states: {
      'active subscription': subscription({}),
      'paused subscription': act('/recurring', subscription({}), 'pause'),
      'past due subscription': declined,
      'canceled subscription': act('/recurring', subscription({}), 'cancel'),
      'subscription that ended': subscription({ totalPayments: 1 }),
    },
  },
  'installment plan': {
    path: '/installment-plans',
    operations: {
      pause: { path: 'pause' },
      resume: { path: 'resume' },
      cancel: { path: 'cancel' },
      update: {
        method: 'put',
        path: 'payment-method',
        body: (_, detail) => ({ paymentMethodId: (detail as Detail & { paymentMethodId: string }).paymentMethodId }),
      },
      retry: { path: 'retry' },
    },
    states: {
      'active plan': plan,
      'paused plan': act('/installment-plans', plan, 'pause'),
      'canceled plan': act('/installment-plans', plan, 'cancel'),
    },
  },
  dispute: {
    path: '/disputes',
    operations: {
      submit: { path: 'submit' },
      accept: { path: 'accept' },
      reopen: { path: 'reopen' },
      conclude: { path: 'conclude', body: (_, { actions }) => ({ outcome: actions.conclude?.choices?.[0] ?? 'won' }) },
    },
    states: {
      'open dispute': dispute(),
      inquiry: dispute({ stage: 'retrieval' }),
      'submitted dispute': act('/disputes', dispute(), 'submit'),
      'overdue dispute': async (service) => {
        const id = await act('/disputes', dispute(), 'submit')(service);
        await advanceClock(service, 20 * 86_400);
        return id;
      },
      'won dispute': act('/disputes', dispute(), 'conclude', { outcome: 'won' }),
      'lost dispute': act('/disputes', dispute(), 'conclude', { outcome: 'lost' }),
      'accepted dispute': act('/disputes', dispute(), 'accept'),
    },
  },
  'queued payment': {
    path: '/queued-payments',
    operations: { release: { path: 'release' }, cancel: { path: 'cancel' }, replace: { path: 'link' } },
    states: {
      'waiting payment': queued,
      'canceled payment': act('/queued-payments', queued, 'cancel'),
      'replaced payment': act('/queued-payments', queued, 'link'),
    },
  },
  tender: {
    path: '/tenders',
    operations: {
      refund: { path: 'refund', body: (_, { actions }) => ({ amount: actions.refund?.maxAmount ?? 1 }) },
      return: { path: 'return' },
    },
    states: {
      check,
      'returned check': act('/tenders', check, 'return'),
      'cash payment': cash,
      'partly refunded payment': async (service) => {
        const id = await cash(service);
        await expectData(refundTender(service, id, { amount: 5 }), 201);
        return id;
      },
      'refunded payment': async (service) => {
        const id = await cash(service);
        await expectData(refundTender(service, id), 201);
        return id;
      },
    },
  },
  shift: {
    path: '/shifts',
    operations: {
      payIn: { path: 'pay-in', body: () => ({ amount: 5, reason: 'Change' }) },
      payOut: { path: 'pay-out', body: () => ({ amount: 5, reason: 'Change' }) },
      close: { path: 'close', body: () => ({ amount: 100 }) },
      explain: { method: 'put', path: 'note', body: () => ({ note: 'Miscounted' }) },
    },
    states: { 'open shift': shift, 'closed shift': closedShift(), 'explained shift': closedShift('Miscounted') },
  },
};

const CASES = Object.entries(KINDS).flatMap(([kind, { states }]) => Object.keys(states).map((state) => [kind, state] as const));

describeOnAnyDatabase('what can be done with a record', (fixture) => {
  test.each(CASES)('says for a record of the kind %s (%s) exactly what its operations then do', async (kind, state) => {
    const { path, operations, states } = KINDS[kind] as Kind;
    const { admin } = fixture().api;
    for (const [name, { method = 'post', path: below, body }] of Object.entries(operations)) {
      const id = (await states[state]?.(fixture())) ?? '';
      const detail = await expectData(admin.get<Detail>(`${path}/${id}`));
      const target = typeof below === 'string' ? `${path}/${id}${below && `/${below}`}` : below(id);
      const answer = await admin[method](target, body?.(id, detail) ?? {});
      const { allowed, code, message } = detail.actions[name] ?? {};
      const refusal = answer.body.success ? {} : { code: answer.body.error.code, message: answer.body.error.message };
      expect({ name, allowed, code, message }).toEqual({
        name,
        allowed: answer.body.success,
        code: undefined,
        message: undefined,
        ...refusal,
      });
    }
  });

  test('names the remaining amounts and the outcomes that can be recorded', async () => {
    const { admin } = fixture().api;
    const actionsOf = async (path: string) => (await expectData(admin.get<Detail>(path))).actions;
    expect(await actionsOf(`/invoices/${await paid(40)(fixture())}`)).toMatchObject({ pay: { maxAmount: 60 } });
    expect(await actionsOf(`/tenders/${await cash(fixture())}`)).toMatchObject({ refund: { maxAmount: 20 } });
    expect((await actionsOf(`/disputes/${await dispute()(fixture())}`)).conclude?.choices).toEqual(['won', 'lost']);
    expect((await actionsOf(`/disputes/${await dispute({ stage: 'retrieval' })(fixture())}`)).conclude?.choices).toEqual([
      'won',
      'chargeback',
    ]);
  });

  test('refuses by the permissions of the caller first', async () => {
    const { headers } = await createUser(fixture(), 'viewer');
    const id = await invoice(fixture());
    const { actions } = await expectData(fixture().api.bare.get<Detail>(`/api/v1/invoices/${id}`, headers));
    expect(actions.cancel).toEqual({
      allowed: false,
      code: 'PERMISSION_DENIED',
      message: 'This requires the permission `invoices:write`.',
    });
  });
});
