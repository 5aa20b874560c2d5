import { type Actor, money, ServiceError, storedCurrency, type TenantTime } from '#core/kernel';
import { formatDay, formatMoney } from '#core/platform/documents';
import { PAYER_TEXTS, recipientOf, SEALED_MESSAGE } from '#core/records/notifications';
import { shownCode } from './code.ts';
import type { Dependencies } from './dependencies.ts';
import { statusAt } from './expiry.ts';
import { checkIsActive } from './operation.ts';
import { findByCode } from './redeem.ts';

/** Time after which a code that could not be sent is discarded. */
const EXPIRY_MS = 86_400_000;

/** Code to send to its holder. */
export interface GiftCardEmail {
  readonly code: string;
  readonly email: string;
  readonly merchantId?: string;
}

/**
 * Sends a code by email. The caller names it, because no card stores its code. The message stores it encrypted until it is sent, and cannot be sent again.
 * @throws ServiceError as `balanceByCode()`; INVALID_EMAIL; RESOURCE_CONFLICT unless the card is active and email is set up; DAILY_LIMIT_EXCEEDED.
 */
export async function emailCode(
  deps: Dependencies,
  actor: Actor,
  { code, email, merchantId }: GiftCardEmail,
): Promise<{ readonly messageId: string }> {
  const merchant = await deps.merchantFor(actor, merchantId);
  const to = recipientOf('email', email, 'email');
  const row = await findByCode(deps, actor, merchant.merchantId, { code });
  const { tenantId } = actor;
  checkIsActive({ ...row, status: statusAt(row, merchant, deps.clockOf(tenantId).now()) });
  if (!(await deps.delivers(tenantId, 'email')))
    throw new ServiceError('RESOURCE_CONFLICT', 'Email is not set up on this account yet, so the code cannot be sent.', {
      details: { reason: 'no_delivery' },
    });
  const { language, name } = merchant;
  const { subject, body } = PAYER_TEXTS[language].giftCard({
    merchant: name,
    code: shownCode(code),
    balance: formatMoney(money(row.balance_minor, storedCurrency(row.currency)), language),
    lastDay: row.expires_on && formatDay(row.expires_on, language),
  });
  const sealed = await deps.secrets.seal(tenantId, SEALED_MESSAGE, body);
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const atMs = deps.clockOf(tenantId).now();
    const messageId = await deps.notify(work, {
      tenantId,
      merchantId: merchant.merchantId,
      channel: 'email',
      kind: 'gift-card',
      resourceId: row.id,
      to,
      subject,
      body: { sealed },
      expiresMs: (atMs + EXPIRY_MS) as TenantTime,
      atMs,
      cause: 'request',
    });
    const after = { messageId, to };
    deps.audit(work, { actor, action: 'gift_card.emailed', resource: `gift-cards/${row.id}`, merchantId: merchant.merchantId, after });
    return { messageId };
  });
}
