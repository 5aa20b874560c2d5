import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVENT_TYPES, isSecurityName, WEBHOOK_EVENTS } from '#shared/webhook-events';
import { eventRow } from '../../../core/records/webhooks/emit.ts';
import { renderBody } from '../../../core/records/webhooks/event.ts';
import { eventTypeOf } from '../../../core/records/webhooks/event-type.ts';
import type { EventRow } from '../../../core/records/webhooks/schema.ts';
import { schemaErrorsOf } from '../../support/events.ts';

const DOCUMENT = join(import.meta.dirname, '../../../docs/webhooks.md');

const row = (data: unknown, test = 0): EventRow => ({
  tenant_id: 'ten_1',
  id: 'evt_1',
  n: 1,
  type: 'refund.processed',
  merchant_id: 'mer_1',
  resource_id: 'txn_1',
  data: JSON.stringify(data),
  test,
  created_at: '2026-11-20T09:00:00.000Z',
});

describe('the body', () => {
  test('sends the envelope of the specification under the registered name, with the data as first written', () => {
    expect(renderBody(row({ amount: 10, reason: 'été "torn"\u2028' }), 'refund.approved')).toBe(
      '{"id":"evt_1","type":"refund.approved","createdAt":"2026-11-20T09:00:00.000Z","data":{"amount":10,"reason":"été \\"torn\\"\u2028"},"tenantId":"ten_1","merchantId":"mer_1"}',
    );
  });

  test('has an amount of core as a number in major units', () => {
    const event = { tenantId: 'ten_1', merchantId: 'mer_1', type: 'refund.processed', resourceId: 'txn_1', atMs: 0 } as const;
    const data = { amount: { minor: 1_990, currency: 'USD' }, tipAmount: { minor: 0, currency: 'USD' }, reason: null };
    expect(eventRow({ ...event, data }, false).data).toBe('{"amount":19.9,"tipAmount":0,"reason":null}');
  });

  test('marks a test event, and no other event', () => {
    expect(JSON.parse(renderBody(row({}, 1), 'refund.processed'))).toMatchObject({ test: true });
    expect(JSON.parse(renderBody(row({}), 'refund.processed'))).not.toHaveProperty('test');
  });

  test('contains no merchant for an event that concerns none', () => {
    expect(JSON.parse(renderBody({ ...row({}), merchant_id: '' }, 'security.sign_in'))).toMatchObject({
      tenantId: 'ten_1',
      merchantId: null,
    });
  });

  test('carries any data unchanged, in the same bytes each time', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const event = row(data);
        const body = renderBody(event, 'refund.processed');
        expect(body).toBe(renderBody({ ...event }, 'refund.processed'));
        const read = JSON.parse(body) as { data: unknown; tenantId: string };
        expect(JSON.stringify(read.data)).toBe(JSON.stringify(JSON.parse(event.data)));
        expect(read.tenantId).toBe('ten_1');
      }),
    );
  });
});

describe('event types', () => {
  test.each(EVENT_TYPES)('accepts %s as itself', (type) => {
    expect(eventTypeOf(type, 'events')).toBe(type);
  });

  test('refund.approved is another name of refund.processed', () => {
    expect(eventTypeOf('refund.approved', 'eventType')).toBe('refund.processed');
  });

  test.each(['', '*', 'refund', 'refund.*', 'Refund.Processed', ' refund.processed', 'toString', '__proto__', 'constructor'])(
    'refuses %j as an event type',
    (name) => {
      expect(() => eventTypeOf(name, 'eventType')).toThrowError(expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'eventType' }));
    },
  );
});

test.each(EVENT_TYPES)('has sample data of %s that matches its declaration', (type) => {
  expect(schemaErrorsOf(type, WEBHOOK_EVENTS[type].sample('2026-11-20T09:00:00.000Z'))).toEqual([]);
});

/** PAYDESK_WRITE_EVENTS=1 writes the table again. */
test('docs/webhooks.md lists every type about payments with the fields of its data', async () => {
  const document = await readFile(DOCUMENT, 'utf8');
  const lines = document.split('\n');
  const [first, last] = [lines.findIndex(isRow), lines.findLastIndex(isRow)];
  if (process.env.PAYDESK_WRITE_EVENTS === '1') lines.splice(first, last - first + 1, ...rows());
  if (process.env.PAYDESK_WRITE_EVENTS === '1') await writeFile(DOCUMENT, lines.join('\n'));
  expect(lines.filter(isRow).map(plain)).toEqual(rows());
});

const isRow = (line: string) => /^\| `(?!security)[a-z_]+\./.test(line);
const plain = (line: string) => line.replaceAll(/\s+/g, ' ');

function rows(): string[] {
  const types = EVENT_TYPES.filter((type) => !isSecurityName(type));
  return types.map((type) => {
    const { properties, required } = WEBHOOK_EVENTS[type].data as { properties?: object; required?: string[] };
    const optional = Object.keys(properties ?? {}).filter((name) => !required?.includes(name));
    return `| \`${type}\` | ${required?.join(', ')}${optional.length > 0 ? `; may have ${optional.join(', ')}` : ''} |`;
  });
}
