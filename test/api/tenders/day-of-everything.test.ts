import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCustomer, storeCard } from '../../support/customers.ts';
import { ANY_DATABASE, type ApiFixture, expectData, sized } from '../../support/server.ts';
import { allowSurcharges, createMerchant, settleOnRequest, zoneAtNoon } from '../../support/settlements.ts';
import { createUser, type SignedInUser } from '../../support/users.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';
import { checkDailyClose, checkLedger, checkLists, checkShift } from './mixed-day/check.ts';
import { type Day, DRAWERS, minorOf, noFigures } from './mixed-day/model.ts';
import { step, take, turn } from './mixed-day/steps.ts';

const ROLES = ['cashier', 'cashier', 'manager'] as const;

describeWithLedger(
  'a day of all kinds of payments at three drawers',
  (ledgerServer) => {
    test('agrees to the cent in Z reports, daily close, tips, lists, CSV files and ledger', {
      timeout: sized(120_000, 1_800_000),
    }, async () => {
      const { service } = ledgerServer();
      const people: SignedInUser[] = [];
      for (const role of ROLES) people.push(await createUser(service, role, { allMerchants: true }));
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: sized(60, 250), maxLength: sized(80, 400) }), async (steps) => {
          const day = await startDay(service, people);
          for (const drawer of DRAWERS.slice(1)) await turn(day, drawer, 10_000);
          for (const one of steps) await take(day, one);
          await checkDailyClose(day);
          for (const drawer of DRAWERS) if (day.open.has(drawer)) await turn(day, drawer, steps.length);
          let net = 0;
          for (const shift of day.shifts) net += minorOf((await checkShift(day, shift)).netSalesAmount ?? 0);
          const { shifts } = await expectData(
            service.api.admin.get<{ shifts: { payments: { zReportsAmount: number } } }>(
              `/reporting/daily-summary?merchantId=${day.merchantId}`,
            ),
          );
          expect(minorOf(shifts.payments.zReportsAmount)).toBe(net);
          await checkDailyClose(day);
          await checkLists(day);
          await checkLedger(day);
        }),
        { numRuns: sized(1, 6), endOnFailure: true },
      );
      expect(await ledgerServer().differences()).toEqual([]);
    });
  },
  'empty',
  ANY_DATABASE,
);

/** A merchant with surcharges and approval rules, whose day is at noon, and a customer with a stored card. */
async function startDay(service: ApiFixture, people: readonly SignedInUser[]): Promise<Day> {
  const { api } = service;
  const merchantId = await createMerchant(service, { timezone: await zoneAtNoon(service) });
  await settleOnRequest(service, merchantId);
  await allowSurcharges(service, merchantId);
  await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { otherTenders: ['Voucher'] }));
  const rules = { refundAbove: 30, voidAfterMinutes: 0, unlinkedCredit: true };
  await expectData(api.admin.put(`/approvals/rules?merchantId=${merchantId}`, { ...rules, currentPassword: api.adminPassword }));
  const { customerId } = await createCustomer(service, { merchantId });
  await storeCard(service, customerId, undefined, { consentText: 'Charge the installments.' });
  const sums = { declined: 0, refunds: 0, approved: 0, credits: { count: 0, minor: 0 } };
  return { service, merchantId, customerId, people, open: new Map(), shifts: [], outside: noFigures(), payments: [], tenders: [], ...sums };
}
