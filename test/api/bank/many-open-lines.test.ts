// @module-tag full
import { expect } from 'vitest';
import { type BankShop, createBankShop, listBankLines, payOut, sendStatement } from '../../support/bank.ts';
import { ofx } from '../../support/bank-files.ts';
import { type ApiFixture, expectData, onBothDatabases } from '../../support/server.ts';

const DAY_MS = 86_400_000;
/** More lines than a page of the matching has, and than one look-up of suggestions once read. */
const OLDER_LINES = 5_100;

const dayAfter = (time: string, days: number) => new Date(Date.parse(time) + days * DAY_MS).toISOString().slice(0, 10);
const openPayouts = ({ api }: ApiFixture, { merchantId }: BankShop) =>
  expectData(api.admin.get<{ reference: string; missing: boolean }[]>(`/settlement/bank-payouts?merchantId=${merchantId}`));

onBothDatabases('lists a payout as missing only if none of thousands of open lines is suggested for it', async (fixture) => {
  const { api } = fixture;
  const shop = await createBankShop(fixture);
  await expectData(api.admin.post('/settlement/bank-rules', { merchantId: shop.merchantId, contains: 'CARD CHARGE', kind: 'fee' }), 201);
  const suggested = await payOut(fixture, shop, 410.25);
  const missing = await payOut(fixture, shop, 87.5);
  await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 21 * 86_400 }));
  const lines = [
    ...Array.from({ length: OLDER_LINES }, (_, index) => ({
      day: dayAfter(suggested.paidAt, -1),
      minor: -(100 + index),
      text: `CARD CHARGE ${index}`,
      reference: `C${index}`,
    })),
    {
      day: dayAfter(suggested.paidAt, 1),
      minor: Math.round(suggested.amount * 100),
      text: `PAYOUT ${suggested.reference}`,
      reference: 'P',
    },
    { day: dayAfter(suggested.paidAt, 20), minor: -1, text: 'LAST', reference: 'L' },
  ];
  await expectData(sendStatement(fixture, shop, ofx({ account: '9876543210', opening: 0, lines })));
  const missingByReference = async () => new Map((await openPayouts(fixture, shop)).map((payout) => [payout.reference, payout.missing]));
  expect(await missingByReference()).toEqual(
    new Map([
      [suggested.reference, false],
      [missing.reference, true],
    ]),
  );
  const line = (await listBankLines(fixture, shop, 'state=open')).find(({ text }) => text.includes(suggested.reference));
  await expectData(
    api.admin.post(`/settlement/bank-lines/${line?.lineId}/match`, { parts: [{ kind: 'ignore', amount: suggested.amount }] }),
  );
  expect((await missingByReference()).get(suggested.reference)).toBe(true);
});
