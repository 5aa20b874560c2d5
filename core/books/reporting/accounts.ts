import { queriesOn, TENANT } from '#core/database';
import type { Caller } from '#core/kernel';
import { READABLE_MERCHANTS } from '#core/processing/merchants';
import { type Account, type Balances, balancesOf } from '#core/records/ledger';
import type { Dependencies } from './dependencies.ts';
import { accountName, type Ledger } from './records.ts';

const queries = queriesOn(READABLE_MERCHANTS);

/** Returns the ledger accounts of the merchants in scope, including deleted merchants. */
export async function accounts(deps: Dependencies, actor: Caller, merchantId = actor.merchantId ?? undefined): Promise<Ledger> {
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
    merchants: merchants.map(({ accounts: balances, ...merchant }) => ({ ...merchant, accounts: named(balances) })),
    balanced: merchants.every((balances) => Object.values(balances.accounts).reduce((sum, { minor }) => sum + minor, 0) === 0),
  };
}

const named = (balances: Balances['accounts']) =>
  Object.fromEntries(
    Object.entries(balances).map(([account, balance]) => [accountName(account as Account), balance]),
  ) as Ledger['merchants'][number]['accounts'];
const order = ({ merchantId, currency }: Balances) => `${merchantId}/${currency}`;
