import { brandOf } from '../card-brands.ts';
import type { CardPresent, Outcome } from '../outcome.ts';
import type { TerminalInquiry } from '../terminals.ts';
import { authCodeFrom, referenceFrom } from './answers.ts';
import type { Client } from './client.ts';
import { actionsOf, failedBy, findTransaction, isDone, notShownYet, typeOf, undetermined, VISIBLE_WITHIN_MS } from './inquire.ts';
import { TRANSACTION_STATES } from './mapping.ts';
import { childrenOf, textOf } from './xml.ts';

/** A verification that succeeded without the card being stored, as in an account without the processor's vault. */
const NOT_STORED = {
  kind: 'not-sent',
  reason: 'The processor checked the card and did not store it. Ask the processor whether the account has its Customer Vault.',
  retry: 'error',
} as const;
const CARD_NUMBER = /(\d{4})$/;
const EXPIRY = /^(\d{2})(\d{2})$/;

type Inquired = Awaited<ReturnType<typeof findTransaction>>;

/**
 * Asks the records about the verification of a card on a reader. It is approved only if the processor's vault has the card under our reference, because the
 * result of the verification says nothing about the vault.
 */
export async function inquireVerification(
  client: Client,
  { processorRef, at }: TerminalInquiry,
): Promise<Outcome | { readonly kind: 'not-found' }> {
  const found: Inquired = await findTransaction(client, { order_id: processorRef });
  if (found.kind === 'not-found') return notShownYet({ at }, VISIBLE_WITHIN_MS);
  if (found.kind !== 'found') return found;
  const { transaction } = found;
  const action = actionsOf(transaction).find((each) => typeOf(each) === 'validate');
  const reference = referenceFrom(textOf(transaction, 'transaction_id'));
  const state = TRANSACTION_STATES[textOf(transaction, 'condition') ?? ''];
  if (action === undefined || reference === undefined || state === undefined) return undetermined();
  if (state === 'open') return { kind: 'pending', reference, reason: 'in_progress' };
  if (state === 'abandoned') return { kind: 'not-sent', reason: 'The processor abandoned the verification.', retry: 'error' };
  if (!isDone(action)) return failedBy(client, action);
  const card = await cardInVault(client, processorRef);
  if (typeof card === 'string') return { kind: 'unknown', cause: card };
  if (card === undefined) return NOT_STORED;
  const authCode = authCodeFrom(textOf(transaction, 'authorization_code'));
  return { kind: 'approved', reference, storedAs: processorRef, cardPresent: card, ...(authCode && { authCode }) };
}

/** Returns the card of an entry of the processor's vault; undefined if there is no such entry, or the reason why it is not known. */
async function cardInVault(client: Client, vaultId: string): Promise<CardPresent | string | undefined> {
  const response = await client.query({ report_type: 'customer_vault', customer_vault_id: vaultId });
  if (response.kind !== 'answer') return response.reason;
  const entries = childrenOf(response.root, 'customer_vault').flatMap((vault) => childrenOf(vault, 'customer'));
  const entry = entries.find((each) => textOf(each, 'customer_vault_id') === vaultId);
  if (entry === undefined) return undefined;
  const number = textOf(entry, 'cc_number') ?? '';
  const [, last4] = CARD_NUMBER.exec(number) ?? [];
  if (last4 === undefined) return undefined;
  const [, expiryMonth, year] = EXPIRY.exec(textOf(entry, 'cc_exp') ?? '') ?? [];
  const brand = brandOf(textOf(entry, 'cc_type') ?? '', number);
  return { brand, last4, ...(expiryMonth && { expiryMonth, expiryYear: `20${year}` }) };
}
