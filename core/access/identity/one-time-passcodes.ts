import type { Actor } from '#core/kernel';
import { PAYER_TEXTS, recipientOf } from '#core/records/notifications';
import { type CodeMessage, type CodeScope, resendCode, sendCode, verifyCode } from './codes.ts';
import type { Dependencies } from './dependencies.ts';
import type { SentPasscode } from './records.ts';
import type { CodeRow } from './schema.ts';

const scopeOf = (actor: Actor): CodeScope => ({
  purpose: 'verification',
  tenantId: actor.tenantId,
  covers: (row) => actor.merchantId === null || row.subject === actor.merchantId,
});

const resource = (otpId: string) => `public/otp/${otpId}`;

async function messageOf(deps: Dependencies, actor: Actor, merchantId?: string): Promise<CodeMessage> {
  const merchant = await deps.merchantFor(actor, merchantId);
  return { merchantId: merchant.merchantId, texts: PAYER_TEXTS[merchant.language].passcode(merchant.companyName) };
}

/** Sends a code in the name of the caller's merchant. @throws ServiceError INVALID_EMAIL, INVALID_PHONE (E.164). */
export async function generatePasscode(
  deps: Dependencies,
  actor: Actor,
  input: { readonly type: 'email' | 'sms'; readonly destination: string },
): Promise<SentPasscode> {
  const destination = recipientOf(input.type, input.destination, 'destination');
  const codeMessage = await messageOf(deps, actor);
  const subject = codeMessage.merchantId ?? '';
  const sent = await sendCode(
    deps,
    { tenantId: actor.tenantId, purpose: 'verification', subject, channel: input.type, destination, message: codeMessage },
    (work, otpId) =>
      deps.audit(work, {
        actor,
        action: 'otp.sent',
        resource: resource(otpId),
        merchantId: codeMessage.merchantId,
        after: { channel: input.type },
      }),
  );
  return { otpId: sent.otpId, expiresAt: sent.expiresAt };
}

/**
 * Checks a code, which works once. @throws ServiceError VALIDATION_ERROR on `code` for a wrong or expired code, NOT_FOUND for a used or
 * unknown one.
 */
export async function verifyPasscode(deps: Dependencies, actor: Actor, otpId: string, code: string): Promise<void> {
  await verifyCode(deps, scopeOf(actor), otpId, code, (work) =>
    deps.audit(work, { actor, action: 'otp.verified', resource: resource(otpId) }),
  );
}

/** Sends a new code that replaces the last one. @throws ServiceError RATE_LIMIT_EXCEEDED if requested too soon or too often. */
export async function resendPasscode(deps: Dependencies, actor: Actor, otpId: string): Promise<SentPasscode> {
  const sent = await resendCode(
    deps,
    scopeOf(actor),
    otpId,
    (row: CodeRow) => messageOf(deps, actor, row.subject),
    (work) => deps.audit(work, { actor, action: 'otp.resent', resource: resource(otpId) }),
  );
  return { otpId: sent.otpId, expiresAt: sent.expiresAt };
}
