import { queriesOn, TENANT } from '#core/database';
import { type Balances, balancesOf } from '#core/ledger';
import { READABLE_MERCHANTS } from '#core/merchants';
import type { By, Needs } from './needs.ts';

const queries = queriesOn(READABLE_MERCHANTS);

/** What the accounts of merchants hold, and whether each one's add up to nothing, as double entry has it. */
export interface Accounts {
  readonly merchants: readonly Balances[];
  readonly balanced: boolean;
}

/** The accounts of the merchants in scope, those of deleted ones too. */
export async function accounts(on: Needs, by: By, merchantId = by.merchantId ?? undefined): Promise<Accounts> {
  if (merchantId !== undefined) await on.merchantFor(by, merchantId);
  const known =
    merchantId === undefined
      ? await on.database.read(by.tenantId).rows(queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT))
      : [{ id: merchantId }];
  const found = await balancesOf(
    on.database,
    by,
    known.map(({ id }) => id),
  );
  const merchants = found.sort((left, right) => order(left).localeCompare(order(right), 'en'));
  return { merchants, balanced: merchants.every((own) => Object.values(own.accounts).reduce((sum, { minor }) => sum + minor, 0) === 0) };
}

const order = ({ merchantId, currency }: Balances) => `${merchantId}/${currency}`;
