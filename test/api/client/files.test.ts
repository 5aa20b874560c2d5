import { beforeAll, expect, test } from 'vitest';
import { STRIPE_HEADER, stripeRow } from '../../support/customer-file.ts';
import { type DocumentedOperation, documentedOperations, operationOf } from '../../support/documented-operations.ts';
import { createOwnedRecords, idOf, type OwnedRecords, PNG } from '../../support/owned-records.ts';
import { MAPPING } from '../../support/reconciliation.ts';
import { ANY_DATABASE, describeOnSmallData, expectData } from '../../support/server.ts';
import { CLIENTS } from '../../support/typed-clients.ts';
import { until } from '../../support/until.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Form {
  readonly name: string;
  readonly content: string | Buffer;
  readonly fields?: Fields;
}

/** Operations with a form or a file that only a server without an account has. */
const ELSEWHERE = ['setup.restore'];

describeOnSmallData('files of the typed clients', ANY_DATABASE, (fixture) => {
  let operations: DocumentedOperation[];
  let records: OwnedRecords;

  beforeAll(async () => {
    operations = (await documentedOperations(fixture())).filter(({ id }) => !ELSEWHERE.includes(id));
  });

  /** Creates the records of a client: some files can be read or sent once only. */
  async function createRecords(): Promise<void> {
    records = await createOwnedRecords(fixture());
    // A replay moves the clock, which waits for deliveries to this endpoint, whose host does not exist.
    await expectData(fixture().api.admin.delete(`/webhooks/${records.endpointId}`));
  }

  const paramsOf = ({ path, pathParameters }: DocumentedOperation) =>
    Object.fromEntries(pathParameters.map((name) => [name, idOf(records, `/api/v1${path}`, name)]));

  const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'admin.exportJournal': { startDate: '2026-11-01', endDate: '2026-11-30', format: 'csv' },
  };

  test('are in fields of forms that the client for Node sends as files', () => {
    const names = operations.flatMap(({ form }) => form?.files ?? []);
    expect(new Set(names)).toEqual(new Set(['file']));
  });

  test.for(CLIENTS)(
    'arrive with their type and name from every operation that returns one, in $name',
    async ({ start, reason }, { skip }) => {
      skip(reason !== undefined, reason);
      await createRecords();
      const client = await start(fixture());
      for (const operation of operations.filter(({ isFile }) => isFile)) {
        const given = { params: paramsOf(operation), query: QUERIES[operation.id] ?? {} };
        const outcome = await until(operation.id, async () => {
          const answer = await client.call(operation, given);
          // The service prepares an export of customers in the background.
          return answer.error?.code === 'RESOURCE_CONFLICT' ? false : answer;
        });
        expect(outcome.error, operation.id).toBeUndefined();
        expect(outcome.file, operation.id).toMatchObject({
          type: expect.stringMatching(/^(text|application)\/[a-z.+-]+/),
          name: expect.stringMatching(/^[\w.-]+\.\w+$/),
        });
        expect(outcome.file?.content.length, operation.id).toBeGreaterThan(0);
        if (outcome.file?.type.startsWith('application/pdf'))
          expect(outcome.file.content.subarray(0, 5).toString(), operation.id).toBe('%PDF-');
      }
      client.close();
    },
  );

  test.for(CLIENTS)('leave in every operation that takes a form, in $name', async ({ name, start, reason }, { skip }) => {
    skip(reason !== undefined, reason);
    await createRecords();
    const client = await start(fixture());
    const recording = await client.call(operationOf(operations, 'admin.downloadSandboxRecording'), { params: { id: records.recordingId } });
    const day = new Date().toISOString().slice(0, 10);
    const items: Form = { name: 'items.csv', content: `name,price\nTea of ${name},3.50\n`, fields: { dryRun: 'true' } };
    const giftCards: Form = {
      name: 'cards.csv',
      content: 'code,balance\n1234567890123456789012345,5.00\n',
      fields: { merchantId: records.merchantId, dryRun: 'true' },
    };
    const document: Form = { name: 'slip.png', content: PNG, fields: { item: 'delivery' } };
    const statement: Form = {
      name: 'statement.csv',
      content: `date,text,amount\n${day},ACME,12.00\n`,
      fields: { bankAccountId: records.bankAccountId, mapping: { date: 'date', text: ['text'], amount: 'amount' } },
    };
    const forms: Readonly<Record<string, Form>> = {
      'public.importItems': items,
      'admin.importItems': items,
      'public.importGiftCards': giftCards,
      'admin.importGiftCards': giftCards,
      'public.addDisputeAttachment': document,
      'admin.addDisputeAttachment': document,
      'admin.importCardRanges': { name: 'ranges.csv', content: 'firstDigits,funding\n411111,credit\n' },
      'admin.readCustomerImport': {
        name: 'customers.csv',
        content: `${STRIPE_HEADER}\n${stripeRow(2)}`,
        fields: { merchantId: records.merchantId },
      },
      'admin.importSettlements': {
        name: 'settlements.csv',
        content: `id,amount,date\n${records.transactionId},40.00,${day}\n`,
        fields: { mapping: MAPPING },
      },
      'admin.importBankStatement': statement,
      'admin.replaySandboxRecording': { name: 'recording.jsonl', content: recording.file?.content ?? '' },
    };
    for (const operation of operations.filter(({ form }) => form !== undefined)) {
      const form = forms[operation.id];
      if (form === undefined) throw new Error(`Add the form of ${operation.id}.`);
      const file = { field: 'file', name: form.name, content: Buffer.from(form.content) };
      const { error, refused, data } = await client.call(operation, {
        params: paramsOf(operation),
        file,
        ...(form.fields && { body: form.fields }),
      });
      expect([error, refused], operation.id).toEqual([undefined, undefined]);
      expect(data, operation.id).toBeTypeOf('object');
    }
    client.close();
  });
});
