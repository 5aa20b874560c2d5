import { expect, test } from 'vitest';
import { openTestCore } from '../../support/core.ts';
import { DATABASES } from '../../support/database-kinds.ts';

const BLOCK_LINES = 20;
const SALES = 2 * BLOCK_LINES + 10;
const CARD = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2039' } as const;

test.each(DATABASES)(
  'settles more lines than one block once each, also when four settlements start at the same time (%s)',
  async (kind) => {
    const { core, actor, close } = await openTestCore(undefined, kind, { settlementBlockLines: BLOCK_LINES });
    const { merchantId } = await core.merchants.merchantFor(actor);
    await Promise.all(
      Array.from({ length: SALES }, () =>
        core.payments.createPayment(actor, { type: 'sale', amount: '10.00', method: CARD, source: 'api' }),
      ),
    );
    const started = await Promise.allSettled(Array.from({ length: 4 }, () => core.settlement.settle(actor, merchantId)));
    const made = started.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    for (const one of started) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'RESOURCE_CONFLICT' });
    expect(made.map(({ amount, transactionCount }) => [amount.minor, transactionCount])).toEqual([[SALES * 1_000, SALES]]);
    await close();
  },
);
