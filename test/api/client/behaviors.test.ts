import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DocumentedOperation, documentedOperations, operationOf } from '../../support/documented-operations.ts';
import { startMcpClient } from '../../support/mcp-client.ts';
import { stopMcp } from '../../support/mcp-process.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { ANY_DATABASE, type ApiFixture, describeOnSmallData, expectData } from '../../support/server.ts';
import { CLIENTS, type Given, type Outcome, type TypedClient } from '../../support/typed-clients.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { registerEndpoint } from '../../support/webhooks.ts';

type Name = 'Node' | 'Python' | 'MCP';

/** A client with the server that it calls. */
interface Subject {
  readonly client: TypedClient;
  readonly fixture: ApiFixture;
  readonly call: (id: string, given?: Given) => Promise<Outcome>;
  /** A name that differs in each client, for idempotency keys and records. */
  readonly name: Name;
}

interface Behavior {
  readonly title: string;
  /** Clients that have the behavior; all by default. */
  readonly of?: readonly Name[];
  readonly check: (subject: Subject) => Promise<void>;
}

const TYPED = ['Node', 'Python'] as const;

async function tokenOf({ api }: ApiFixture, number: string): Promise<string> {
  const card = { cardNumber: number, expiryMonth: '12', expiryYear: '2039' };
  return (await expectData(api.public.post<{ token: string }>('/tokenize-card', card))).token;
}

const sell = ({ api }: ApiFixture, more: object = {}) =>
  expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(40), ...more }));

const BEHAVIORS: readonly Behavior[] = [
  {
    title: 'charges once for repeated calls with one key, and reports the replay',
    check: async ({ call, fixture, name }) => {
      const given = { body: { token: await tokenOf(fixture, CARDS.visa), amount: '12.50' }, idempotencyKey: `order-${name}` };
      const [first, second] = [await call('public.chargeToken', given), await call('public.chargeToken', given)];
      expect(first.data).toMatchObject({ status: 'approved', amount: 12.5 });
      expect(second.data).toEqual(first.data);
      expect([first.isReplayed, second.isReplayed]).toEqual([false, true]);
    },
  },
  {
    title: 'charges again for a call with a new key by default',
    of: TYPED,
    check: async ({ call, fixture }) => {
      const given = { body: { token: await tokenOf(fixture, CARDS.visa), amount: '12.50' } };
      const [first, second] = [await call('public.chargeToken', given), await call('public.chargeToken', given)];
      expect((first.data as TransactionRecord).transactionId).not.toBe((second.data as TransactionRecord).transactionId);
    },
  },
  {
    title: 'charges once for repeated calls without a key, and again after a decline',
    of: ['MCP'],
    check: async ({ call, fixture }) => {
      const given = { body: { token: await tokenOf(fixture, CARDS.visa), amount: '13.50' } };
      const [first, second] = [await call('public.chargeToken', given), await call('public.chargeToken', given)];
      expect(second).toMatchObject({ data: first.data, isReplayed: true });
      const declined = { body: { token: await tokenOf(fixture, CARDS.noFunds), amount: '13.50' } };
      const ids = [await call('public.chargeToken', declined), await call('public.chargeToken', declined)].map(
        ({ error }) => (error?.data as TransactionRecord | undefined)?.transactionId,
      );
      expect(new Set(ids).size).toBe(2);
    },
  },
  {
    title: 'names the approval that an operation waits for, as an error and not as its result',
    check: async ({ call, fixture, name }) => {
      const { transactionId } = await sell(fixture);
      const { merchantId } = fixture.credentials;
      const rules = (change: object) =>
        expectData(
          fixture.api.admin.put(`/approvals/rules?merchantId=${merchantId}`, { ...change, currentPassword: fixture.api.adminPassword }),
        );
      await rules({ refundAbove: 10 });
      const given = { body: { transactionId, amount: 20, reason: name } };
      const { data, error } = await call('public.refundTransaction', given).finally(() => rules({ inherited: true }));
      expect(data).toBeUndefined();
      expect(error).toMatchObject({ code: 'APPROVAL_REQUIRED', data: { approvalId: expect.stringMatching(/^apr_/) } });
      if (name !== 'MCP') expect(error?.name).toBe('ApprovalRequiredError');
    },
  },
  {
    title: 'throws a decline with the declined payment',
    check: async ({ call, fixture, name }) => {
      const { error } = await call('public.chargeToken', { body: { token: await tokenOf(fixture, CARDS.noFunds), amount: 12 } });
      expect(error).toMatchObject({ code: 'INSUFFICIENT_FUNDS', data: { status: 'declined' } });
      if (name !== 'MCP') expect(error?.name).toBe('DeclinedError');
    },
  },
  {
    title: 'throws the class of an error code, with the request ID and the field',
    check: async ({ call, fixture, name }) => {
      const { transactionId } = await sell(fixture);
      const { error } = await call('public.refundTransaction', { body: { transactionId, amount: 500 } });
      expect(error).toMatchObject({ code: 'INVALID_AMOUNT', field: 'amount', requestId: expect.stringMatching(/^req_/) });
      if (name !== 'MCP') expect(error?.name).toBe('InvalidAmountError');
    },
  },
  {
    title: 'reports the request ID of a success',
    of: TYPED,
    check: async ({ call }) => {
      expect(await call('public.getApiKey')).toMatchObject({ requestId: expect.stringMatching(/^req_/), isReplayed: false });
    },
  },
  {
    title: 'names the fields of a request that the service ignored',
    check: async ({ call, fixture }) => {
      const lineItems = [{ description: 'Tea', quantity: 1, unitPrice: 12, shelf: 'B 4' }];
      const { data, ignoredFields } = await call('public.chargeToken', {
        body: { token: await tokenOf(fixture, CARDS.visa), amount: 12, lineItems },
      });
      expect(data).toMatchObject({ status: 'approved' });
      expect(ignoredFields).toEqual(['lineItems.0.shelf']);
    },
  },
  {
    title: 'refuses a path without its parameter before anything is sent',
    check: async ({ call }) => {
      for (const id of ['', '..']) {
        const { refused, requestId } = await call('public.deleteCustomer', { params: { id } });
        expect([refused, requestId]).toEqual([expect.stringContaining('`id`'), null]);
      }
    },
  },
  {
    title: 'verifies a webhook that the server delivered',
    of: TYPED,
    check: async ({ client, fixture }) => {
      const receiver = await startReceiver();
      const endpoint = await registerEndpoint(fixture, receiver.url('/hook'), ['transaction.approved']);
      const { transactionId } = await sell(fixture);
      const [received] = await receiver.waitFor('/hook', 1);
      const event = await client.verify(Buffer.from(received?.body ?? ''), received?.headers as Record<string, string>, endpoint.secret);
      expect(event).toMatchObject({ type: 'transaction.approved', data: { transactionId } });
      await fixture.api.admin.delete(`/webhooks/${endpoint.id}`);
      await receiver.stop();
    },
  },
];

const SUBJECTS = [...CLIENTS, { name: 'MCP', start: startMcpClient, reason: undefined }] as const;

describeOnSmallData('clients of the API', ANY_DATABASE, (fixture) => {
  let operations: DocumentedOperation[];
  beforeAll(async () => {
    operations = await documentedOperations(fixture());
  });
  afterAll(stopMcp);

  describe.each(SUBJECTS)('$name', ({ name, start, reason }) => {
    let client: TypedClient;
    beforeAll(async () => {
      if (reason === undefined) client = await start(fixture());
    });
    afterAll(() => client?.close());

    test.for(BEHAVIORS.filter(({ of }) => of === undefined || of.includes(name)))('$title', async ({ check }, { skip }) => {
      skip(reason !== undefined, reason);
      const call = (id: string, given?: Given) => client.call(operationOf(operations, id), given);
      await check({ client, fixture: fixture(), call, name });
    });
  });
});
