import { createCipheriv, createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { Conclusion } from './raw-sqlite.ts';
import type { SaleRows } from './rows.ts';

const KEY = createSecretKey(Buffer.alloc(32, 7));
const API_KEY = `pk_sandbox_${'0'.repeat(40)}`;
const hmac = (text: string, encoding: 'hex' | 'base64url' = 'hex') => createHmac('sha256', KEY).update(text).digest(encoding);

/**
 * Completes the rows of a request with the work that Paydesk promises for a sale, as short as it can be written: the credential is hashed, key and request are
 * fingerprinted, and the card is encrypted and fingerprinted. The caller looks for a repeated key, and chains the audit entries.
 */
export function promisedSale(sale: SaleRows, key: string, body: Readonly<Record<string, unknown>>): SaleRows {
  createHash('sha256').update(API_KEY).digest('hex');
  const { CVV: _, ...fingerprinted } = body;
  const fingerprint = hmac(JSON.stringify(fingerprinted));
  const hashedKey = hmac(key, 'base64url');
  const card = String(body.CardNumber);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', KEY, nonce).setAAD(Buffer.from(sale.intent.vault_entries.id));
  const sealed = Buffer.concat([nonce, cipher.update(card), cipher.final(), cipher.getAuthTag()]).toString('base64');
  const { intent, result } = sale;
  return {
    ...sale,
    result: { ...result, key: hashedKey },
    intent: {
      ...intent,
      idempotency_keys: { ...intent.idempotency_keys, key: hashedKey, fingerprint },
      vault_entries: { ...intent.vault_entries, sealed, fingerprint: hmac(card) },
    },
  };
}

/** Returns a function that chains the audit entries of a group of sales to those before them. */
export function chainOfAudit() {
  let lastHash = '';
  return <One extends Pick<Conclusion, 'audit'>>(conclusions: readonly One[]): One[] =>
    conclusions.map((conclusion) => {
      const audit = { ...conclusion.audit, previous_hash: lastHash };
      lastHash = hmac(JSON.stringify(audit));
      return { ...conclusion, audit: { ...audit, hash: lastHash } };
    });
}
