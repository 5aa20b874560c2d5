import { queriesOn, TENANT } from '#core/database';
import { READABLE_MERCHANTS } from '#core/processing/merchants';
import { type Balances, balancesOf } from '#core/records/ledger';
import type { Caller, Dependencies } from './dependencies.ts';

const queries = queriesOn(READABLE_MERCHANTS);

/** Balances of the merchants' accounts, and whether those of each merchant sum to zero as in double entry. */
export interface Accounts {
  readonly merchants: readonly Balances[];
  readonly balanced: boolean;
}

/** Returns the ledger accounts of the merchants in scope, including deleted merchants. */
export async function accounts(deps: Dependencies, actor: Caller, merchantId = actor.merchantId ?? undefined): Promise<Accounts> {
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const merchantIds =
    merchantId === undefined
      ? await deps.database.read(actor.tenantId).rows(queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT))
      : [{ id: merchantId }];
  const found = await balancesOf(
    deps.database,
    actor,
    merchantIds.map(({ id }) => id),
  );
  const merchants = found.sort((left, right) => order(left).localeCompare(order(right), 'en'));
  return {
    merchants,
    balanced: merchants.every((balances) => Object.values(balances.accounts).reduce((sum, { minor }) => sum + minor, 0) === 0),
  };
}

const order = ({ merchantId, currency }: Balances) => `${merchantId}/${currency}`;
