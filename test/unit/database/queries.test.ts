import { describe, expect, expectTypeOf, test } from 'vitest';
import { given, integer, listOf, lit, prepared, queriesOn, type RowOf, readModel, TENANT, table, text } from '#core/database';
import { statementOf } from '../../../core/database/queries.ts';

const ORDERS = table(
  'orders_of_test',
  { tenant_id: text, id: text, status: text.of<'open' | 'closed'>(), n: integer },
  { key: ['tenant_id', 'id'] },
);
const LINES = table('lines_of_test', { tenant_id: text, order_id: text, amount: integer }, { key: ['tenant_id', 'order_id'] });
const queries = queriesOn(ORDERS, LINES);
const orders = queries.selectFrom('orders_of_test').where('tenant_id', '=', TENANT);

describe('a query as SQL', () => {
  test('binds parameters and the tenant, and inlines constants and limits', () => {
    const query = orders.select('id').where('status', '=', lit('open')).where('n', '>', 5).limit(20).offset(40);
    expect(statementOf(query)).toEqual({
      sql: `select "id" from "orders_of_test" where "tenant_id" = :tenantId and "status" = 'open' and "n" > :p1 limit 20 offset :p2`,
      params: { p1: 5, p2: 40 },
    });
  });

  test('lists all columns by name', () => {
    expect(statementOf(orders.selectAll()).sql).toBe(
      'select "tenant_id", "id", "status", "n" from "orders_of_test" where "tenant_id" = :tenantId',
    );
    const joined = queries.selectFrom('orders_of_test as o').innerJoin('lines_of_test as l', 'l.order_id', 'o.id').selectAll('l');
    expect(statementOf(joined).sql).toContain('select "l"."tenant_id", "l"."order_id", "l"."amount" from');
  });

  test('counts rows', () => {
    expect(statementOf(orders.select(({ fn }) => fn.countAll<number>().as('n'))).sql).toContain('select count(*) as "n" from');
    const inner = orders.selectAll();
    const outer = queries.selectFrom(inner.as('some')).select(({ fn }) => fn.countAll<number>().as('n'));
    expect(statementOf(outer).sql).toContain('select count(*) as "n" from (select "tenant_id", "id", "status", "n" from');
  });

  test('compiles a query once and binds its values later', () => {
    const query = prepared(orders.select('id').where('id', '=', given('order')));
    expect(statementOf(query).sql).toContain('"id" = :order');
    expect(statementOf(query)).toBe(statementOf(query));
  });
});

test('pads a list of values to one of a few lengths', () => {
  expect(listOf(['a', 'b'])).toEqual(['a', 'b', 'b', 'b', 'b', 'b', 'b', 'b']);
  expect(listOf(Array.from({ length: 33 }, String))).toHaveLength(128);
  expect(() => listOf([])).toThrow('a list has 1 to 512 values');
});

test('limits a read model to the columns that its owner names', () => {
  const readable = readModel(ORDERS, ['tenant_id', 'id']);
  expect(statementOf(queriesOn(readable).selectFrom('orders_of_test').select('id')).sql).toBe('select "id" from "orders_of_test"');
  expectTypeOf<RowOf<typeof readable>>().toEqualTypeOf<Pick<RowOf<typeof ORDERS>, 'tenant_id' | 'id'>>();
});
