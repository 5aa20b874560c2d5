import type { Database } from '#core/database';
import type { ChangeFeed } from '#core/platform/change-feed';
import { createGatewayAccounts } from './gateway-account.ts';
import { createRows } from './rows.ts';

/** Cached rows of merchants and gateways, and the decrypted accounts of gateways. */
export type MerchantDirectory = ReturnType<typeof createMerchantDirectory>;

export function createMerchantDirectory({
  database,
  changes,
  ...accountNeeds
}: { readonly database: Database; readonly changes: ChangeFeed } & Omit<Parameters<typeof createGatewayAccounts>[0], 'rows'>) {
  const rows = createRows(database, changes);
  return { rows, accounts: createGatewayAccounts({ rows, ...accountNeeds }) };
}
