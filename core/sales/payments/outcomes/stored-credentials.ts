import { integer, table, text, UniqueViolation } from '#core/database';
import { isoTime, money, storedCurrency } from '#core/kernel';
import type { Outcome, StoredCredential } from '#core/processing/gateways';
import { isStanding } from '#shared/channels';
import type { Dependencies } from '../dependencies.ts';
import type { TransactionRow } from '../schema.ts';

type Purpose = StoredCredential['purpose'];

/** References for later charges of a stored card or account at one gateway. A reference is valid for its purpose only. */
export const STORED_CREDENTIALS = table(
  'stored_credentials',
  {
    tenant_id: text,
    token: text,
    gateway_id: text,
    purpose: text.of<Purpose>(),
    chain_reference: text,
    /** Amount of the first charge, which some processors require. */
    amount_minor: integer,
    currency: text,
    created_at: text,
  },
  { key: ['tenant_id', 'token', 'gateway_id', 'purpose'] },
);

/** Returns the reason why the payment's card is or will be stored; null if it is not. */
function purposeOf(row: TransactionRow): Purpose | null {
  if (row.type === 'credit') return null;
  const { channel } = row;
  if (channel === 'recurring' || channel === 'installment') return channel;
  return row.save_consent !== null || row.method === 'token' ? 'unscheduled' : null;
}

const keyOf = ({ token, gateway_id }: TransactionRow, purpose: Purpose) => ({ token, gateway_id: gateway_id ?? '', purpose });

/**
 * Returns the stored-credential details that card schemes require: whether the payment is the first of its kind at this gateway, and who
 * initiated it.
 */
export async function storedCredentialOf(deps: Dependencies, row: TransactionRow): Promise<StoredCredential | undefined> {
  const purpose = purposeOf(row);
  const initiator = row.channel !== null && isStanding(row.channel) ? 'merchant' : 'customer';
  if (purpose === null || !deps.gateways.isLive(row.tenant_id)) return undefined;
  const first = await deps.database.read(row.tenant_id).one(STORED_CREDENTIALS, keyOf(row, purpose));
  if (!first) {
    const networkTransactionId = await deps.networkTransactionId(row.tenant_id, row.customer_id, row.token);
    if (networkTransactionId === null) return { use: 'first', initiator: 'customer', purpose };
    // The first charge of an imported card was made at another processor.
    return { use: 'later', initiator, purpose, networkTransactionId };
  }
  return {
    use: 'later',
    initiator,
    purpose,
    first: { credentialReference: first.chain_reference, amount: money(first.amount_minor, storedCurrency(first.currency)) },
  };
}

/** Stores the reference of the first approved payment, to which later charges refer. If it is missing, the next payment counts as the first one. */
export async function storeCredential(deps: Dependencies, row: TransactionRow, outcome: Outcome): Promise<void> {
  const purpose = purposeOf(row);
  if (purpose === null || outcome.kind !== 'approved' || outcome.credentialReference === undefined) return;
  const { tenant_id, amount_minor, currency } = row;
  const credential = { ...keyOf(row, purpose), chain_reference: outcome.credentialReference, amount_minor, currency };
  try {
    await deps.database.unitOfWork.transaction(tenant_id, async (work) =>
      work.insert(STORED_CREDENTIALS, { tenant_id, ...credential, created_at: isoTime(deps.clockOf(tenant_id).now()) }),
    );
  } catch (error) {
    // A reference exists already. The payment itself is not affected.
    if (error instanceof UniqueViolation) return;
    deps.report('The reference of the first charge of a stored card could not be stored', { transactionId: row.id, cause: error });
  }
}
