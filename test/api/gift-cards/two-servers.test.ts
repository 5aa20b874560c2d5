import { afterAll, expect, test } from 'vitest';
import { getGiftCard, giveGiftCard, liabilityOf, redeem } from '../../support/gift-cards.ts';
import { type apiOf, FULL } from '../../support/server.ts';
import { startWorkstations, type Workstations } from '../../support/workstations.ts';

let stations: Workstations | undefined;
afterAll(() => stations?.stop());

test('lets 64 parallel redemptions at two workstations never exceed the balance of a card', { ...FULL, timeout: 120_000 }, async () => {
  stations = await startWorkstations(2);
  const [one, other] = stations.apis as [ReturnType<typeof apiOf>, ReturnType<typeof apiOf>];
  const { giftCardId, code } = await giveGiftCard({ api: one }, 10);
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, index) => redeem({ api: index % 2 === 0 ? one : other }, code ?? '', 3)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(await getGiftCard({ api: other }, giftCardId)).toMatchObject({ balance: 1 });
  const { ledger, cards } = await liabilityOf({ api: one });
  expect(ledger).toBe(cards);
});
