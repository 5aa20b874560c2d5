import { queriesOn, TENANT } from '#core/database';
import { type Balances, balancesOf } from '#core/ledger';
import { READABLE_MERCHANTS } from '#core/merchants';
import type { By, Dependencies } from './dependencies.ts';

const queries = queriesOn(READABLE_MERCHANTS);

/** Balances of the merchants' accounts, and whether those of each merchant sum to zero as in double entry. */
export interface Accounts {
  readonly merchants: readonly Balances[];
  readonly balanced: boolean;
}

/** The accounts of the merchants in scope, those of deleted ones too. */
export async function accounts(deps: Dependencies, actor: By, merchantId = actor.merchantId ?? undefined): Promise<Accounts> {
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const known =
    merchantId === undefined
      ? await deps.database.read(actor.tenantId).rows(queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT))
      : [{ id: merchantId }];
  const found = await balancesOf(
    deps.database,
    actor,
    known.map(({ id }) => id),
  );
  const merchants = found.sort((left, right) => order(left).localeCompare(order(right), 'en'));
  return { merchants, balanced: merchants.every((own) => Object.values(own.accounts).reduce((sum, { minor }) => sum + minor, 0) === 0) };
}

const order = ({ merchantId, currency }: Balances) => `${merchantId}/${currency}`;
