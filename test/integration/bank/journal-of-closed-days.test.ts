import { afterEach, describe, expect, test, vi } from 'vitest';
import { addDays } from '#core/kernel';
import { openTestCore } from '../../support/core.ts';
import { DATABASES } from '../../support/database-kinds.ts';
import { CARDS } from '../../support/sales.ts';

const DAY_MS = 86_400_000;

afterEach(() => vi.restoreAllMocks());

describe.each(DATABASES)('journal of closed days (%s)', (kind) => {
  test('contains a late movement as new in the export of the day on which it is booked', async () => {
    const { core, actor, close } = await openTestCore(undefined, kind);
    const today = new Date().toISOString().slice(0, 10);
    const closedDay = addDays(today, -3);
    await core.bank.closePeriod(actor, { period: closedDay });
    // Another server with a slow clock takes a payment.
    const real = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => real() - 3 * DAY_MS);
    await core.payments.createPayment(actor, {
      type: 'sale',
      amount: '20.00',
      method: { kind: 'card', number: CARDS.visa, expiryMonth: '12', expiryYear: '2039', cvv: '123' },
      source: 'api',
    });
    vi.restoreAllMocks();
    const newIn = async (startDate: string, endDate: string) => {
      const { journalExportId, newEntries } = await core.journal.createExport(actor, { startDate, endDate, only: 'new' });
      const file = await core.journal.file(actor, journalExportId, 'csv');
      const rows = file.kind === 'table' ? file.rows : [];
      expect(rows).toHaveLength(newEntries * 2);
      return rows.map((row) => [row[2], row[5]]);
    };
    expect(await newIn(closedDay, closedDay)).toEqual([]);
    const booked = [addDays(closedDay, 1), closedDay];
    expect(await newIn(addDays(closedDay, 1), today)).toEqual([booked, booked]);
    expect(await newIn(closedDay, today)).toEqual([]);
    await close();
  });
});
