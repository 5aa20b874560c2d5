import { describe, expect, test } from 'vitest';
import { integer, table, text } from '#core/database';
import { KeyLookUps, keyColumnOf } from '../../../core/database/key-look-ups.ts';
import type { BulkCall } from '../../../core/database/postgres-bulk.ts';

const CARS = table('look_up_cars', { tenant_id: text, id: text, color: text, doors: integer }, { key: ['tenant_id', 'id'] });
const RENTALS = table('look_up_rentals', { tenant_id: text, car: text, n: integer }, { key: ['tenant_id', 'car', 'n'] });
const STORED = [
  { tenant_id: 'ten_1', id: 'car_1', color: 'red', doors: 3 },
  { tenant_id: 'ten_1', id: 'car_2', color: 'blue', doors: 5 },
  { tenant_id: 'ten_2', id: 'car_1', color: 'green', doors: 5 },
];

/** Returns look-ups in stored cars, and the statements that they send. */
function lookUpsInCars() {
  const calls: BulkCall[] = [];
  const lookUps = new KeyLookUps(async (call) => {
    calls.push(call);
    const [tenantId, keys] = call.values as [string, string | string[]];
    return STORED.filter(({ tenant_id, id }) => tenant_id === tenantId && [keys].flat().includes(id));
  });
  return { lookUps, calls };
}

describe('look-ups by key', () => {
  test('sends one statement for each tenant in a turn of the event loop', async () => {
    const { lookUps, calls } = lookUpsInCars();
    const found = await Promise.all([
      lookUps.find(CARS, 'ten_1', 'car_2'),
      lookUps.find(CARS, 'ten_2', 'car_1'),
      lookUps.find(CARS, 'ten_1', 'car_3'),
      lookUps.find(CARS, 'ten_1', 'car_1'),
    ]);
    expect(found).toEqual([STORED[1], STORED[2], null, STORED[0]]);
    expect(calls.map(({ values }) => values)).toEqual([
      ['ten_1', ['car_2', 'car_3', 'car_1']],
      ['ten_2', 'car_1'],
    ]);
  });

  test('returns an object of its own to each caller of the same row', async () => {
    const { lookUps, calls } = lookUpsInCars();
    const [first, second] = await Promise.all([lookUps.find(CARS, 'ten_1', 'car_1'), lookUps.find(CARS, 'ten_1', 'car_1')]);
    expect(first).toEqual(second);
    expect(first).not.toBe(second);
    expect(calls).toHaveLength(1);
  });

  test('sends several statements for more keys than one statement looks up', async () => {
    const { lookUps, calls } = lookUpsInCars();
    const found = await Promise.all(Array.from({ length: 300 }, (_, at) => lookUps.find(CARS, 'ten_1', `car_${at}`)));
    expect(found.filter((row) => row !== null)).toHaveLength(2);
    expect(calls).toHaveLength(2);
  });

  test('fails every look-up of a failed statement, and none after it', async () => {
    let failures = 1;
    const lookUps = new KeyLookUps(async () => {
      if (failures-- > 0) throw new Error('The database is away.');
      return [];
    });
    const results = await Promise.allSettled([lookUps.find(CARS, 'ten_1', 'car_1'), lookUps.find(CARS, 'ten_1', 'car_2')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await lookUps.find(CARS, 'ten_1', 'car_1')).toBeNull();
  });

  test('serves conditions that are exactly the key of a row', () => {
    const tenant_id = 'ten_1';
    expect(keyColumnOf(CARS, { tenant_id, id: 'car_1' })).toBe('id');
    expect(keyColumnOf(CARS, { tenant_id, id: 'car_1', color: undefined })).toBe('id');
    expect(keyColumnOf(CARS, { tenant_id, id: 'car_1', color: 'red' })).toBeNull();
    expect(keyColumnOf(CARS, { tenant_id, id: null })).toBeNull();
    expect(keyColumnOf(CARS, { tenant_id, color: 'red' })).toBeNull();
    expect(keyColumnOf(CARS, { id: 'car_1' })).toBeNull();
    expect(keyColumnOf(RENTALS, { tenant_id, car: 'car_1' })).toBeNull();
  });
});
