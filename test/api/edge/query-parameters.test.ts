import { beforeAll, expect, test } from 'vitest';
import { storeCard, subscribe } from '../../support/customers.ts';
import { withoutReferences } from '../../support/openapi.ts';
import { createOwnedRecords, idOf, type OwnedRecords } from '../../support/owned-records.ts';
import { CARDS, createSale } from '../../support/sales.ts';
import { ANY_DATABASE, describeOnSmallData, expectData } from '../../support/server.ts';
import { createUnconfirmedPayment } from '../../support/unconfirmed-payments.ts';

interface Schema {
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: string;
  readonly schema: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
}

/** Values that no record has, by the name of a parameter. Every parameter with another name gets a text that names nothing. */
const OTHER_VALUES: Readonly<Record<string, readonly string[]>> = {
  limit: ['1'],
  page: ['2'],
  days: ['9999'],
  count: ['1'],
  month: ['2030-01'],
  currency: ['JPY'],
  minAmount: ['987654321'],
  maxAmount: ['0.01'],
  amount: ['987654.32'],
  last4: ['0000'],
  archive: ['1999'],
  startDate: ['2039-01-01'],
  endDate: ['1999-01-01'],
  date: ['2030-01-02'],
  from: ['2039-01-01'],
  to: ['1999-01-01'],
  fromDate: ['2039-01-01'],
  toDate: ['1999-01-01'],
  dueBefore: ['1999-01-01T00:00:00.000Z'],
  paidSince: ['2039-01-01T00:00:00.000Z'],
  settlementDate: ['1999-01-01'],
  capturedFrom: ['2039-01-01'],
  capturedTo: ['1999-01-01'],
  refundedFrom: ['2039-01-01'],
  refundedTo: ['1999-01-01'],
};
/** Parameters of lists that have no records in the sample data. */
const INVISIBLE = ['admin.listBackups startDate', 'admin.listBackups endDate'];
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
/** Responses that differ with each request, because the request is recorded in them or because a PDF contains its time. */
const RECORDING = ['admin.exportAuditLog', 'admin.listRequests', 'admin.exportJournal', 'admin.periodClosePdf'];

describeOnSmallData('the parameters of queries', ANY_DATABASE, (fixture) => {
  let records: OwnedRecords;
  let drawer: string;
  let endpointOfKey: string;

  beforeAll(async () => {
    await createOwnedRecords(fixture());
    records = await createOwnedRecords(fixture());
    await storeCard(fixture(), records.customerId, CARDS.refundDeclined);
    await subscribe(fixture(), records.customerId);
    const endpoint = { url: 'https://nowhere.invalid/', events: ['*'] };
    ({ id: endpointOfKey } = await expectData(fixture().api.public.post<{ id: string }>('/webhooks', endpoint), 201));
    await createSale(fixture(), 12, { lineItems: [{ description: 'Tea', quantity: 1, unitPrice: 12 }] });
    await createUnconfirmedPayment(fixture());
    const { admin } = fixture().api;
    await expectData(admin.post('/tenders', { kind: 'cash', amount: 2, orderId: records.orderId }), 201);
    await expectData(admin.post('/sandbox/gateway', { mode: 'slow', gatewayId: records.gatewayId }));
    ({ drawer } = await expectData(admin.get<{ drawer: string }>(`/shifts/${records.shiftId}`)));
    // The totals of shifts cover closed ones.
    const closed = await expectData(admin.post<{ shiftId: string }>('/shifts/open', { drawer: 'Closed drawer', amount: 0 }), 201);
    await expectData(admin.post(`/shifts/${closed.shiftId}/close`, { amount: 1 }));
  });

  test('each change the response', async () => {
    const { api } = fixture();
    const text = (await api.bare.get('/openapi.json')).text;
    const document = withoutReferences(JSON.parse(text) as { paths: Record<string, Record<string, Operation>> });
    const ignored: string[] = [];
    const unstable: string[] = [];
    for (const [path, { get: operation }] of Object.entries(document.paths)) {
      const queries = (operation?.parameters ?? []).filter((each) => each.in === 'query');
      if (operation === undefined || queries.length === 0) continue;
      const surface = path.startsWith('/api/v1/public/') ? api.public : api.admin;
      const filled = path
        .replace(/^\/api\/v1(\/public)?/, '')
        .replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          path.includes('/public/webhooks/{id}') ? endpointOfKey : idOf(records, path, name),
        );
      const required = queries.filter((each) => each.required).map(({ name, example = '' }) => [name, example]);
      const read = async (more: Readonly<Record<string, string>>) => {
        const query = new URLSearchParams({ ...Object.fromEntries(required), ...more });
        const answer = await surface.get(`${filled}?${query}`);
        return `${answer.status} ${answer.text.replaceAll(TIME, '')}`;
      };
      const plain = await read({});
      if ((await read({})) !== plain) unstable.push(operation.operationId);
      for (const { name, schema } of queries) {
        const choices = (schema.anyOf ?? [schema]).flatMap((each) => (each.const === undefined ? [] : [each.const]));
        if (choices.length === 1) continue;
        const own = { drawer: [drawer], gatewayId: [records.gatewayId] }[name];
        const values = choices.length > 0 ? choices : (own ?? OTHER_VALUES[name] ?? ['nothing-of-this-name']);
        let isUsed = false;
        for (const value of values) isUsed ||= (await read({ [name]: value })) !== plain;
        if (!isUsed) ignored.push(`${operation.operationId} ${name}`);
      }
    }
    expect(unstable.toSorted()).toEqual(RECORDING.toSorted());
    expect(ignored.toSorted()).toEqual(INVISIBLE.toSorted());
  });
});
