import { expect, test } from 'vitest';
import { queriesOn, TENANT as TENANT_OF_READ } from '#core/database';
import { CUSTOMER_WORDS } from '../../../core/sales/customers/schema.ts';
import { foundBy } from '../../../core/sales/customers/search-words.ts';
import { openTestDatabase } from '../../support/databases.ts';
import { DATABASES } from '../../support/server.ts';

const TENANT = 'ten_a';
const hexOf = (word: string) => Buffer.from(word).toString('hex');

test.each(DATABASES)('finds the same customers whether they are few or many, on %s', async (kind) => {
  const { database, close } = await openTestDatabase(kind);
  try {
    const store = async (from: number, to: number) => {
      await database.unitOfWork.transaction(TENANT, async (work) => {
        for (let n = from; n < to; n += 1) {
          const words = ['quirina', `quirina${n}@payer.example`, n % 2 === 0 ? 'even' : 'odd'];
          for (const word of words) work.insert(CUSTOMER_WORDS, { tenant_id: TENANT, word: hexOf(word), customer_id: `cus_${n}` });
        }
      });
    };
    /** Returns the number of customers of a text, and whether their IDs were listed. */
    const search = async (text: string) => {
      const found = await foundBy({ database }, TENANT, text);
      if (found === null) return null;
      if (Array.isArray(found)) return [new Set(found.filter((id) => id !== '')).size, 'listed'];
      const customers = queriesOn(CUSTOMER_WORDS).selectFrom('customer_words').select('customer_id').distinct();
      const rows = await database
        .read(TENANT)
        .rows(customers.where('tenant_id', '=', TENANT_OF_READ).where('customer_id', 'in', found as never));
      return [rows.length, 'queried'];
    };
    expect([await search('quirina'), await search(' '), await search('...')]).toEqual([[0, 'listed'], null, [0, 'listed']]);
    await store(0, 256);
    expect([await search('quirina'), await search('quir even')]).toEqual([
      [256, 'listed'],
      [128, 'listed'],
    ]);
    await store(256, 600);
    expect([await search('quirina'), await search('quirina odd'), await search('quirina7@')]).toEqual([
      [600, 'queried'],
      [300, 'queried'],
      [1, 'listed'],
    ]);
  } finally {
    await close();
  }
});
