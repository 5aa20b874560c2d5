import type { Actor } from '#core/kernel';
import { PAYER_TEXTS, recipientOf } from '#core/records/notifications';
import type { CodeMessage, CodeScope, Codes } from './codes.ts';
import type { Dependencies } from './dependencies.ts';
import type { SentPasscode } from './records.ts';
import type { CodeRow } from './schema.ts';

/** Details of a passcode for an integrator; only the customer gets the code itself. */
/** One-time passcodes for an integrator's own customers, each within its tenant and merchant. */
export function createPasscodes(deps: Dependencies, codes: Codes) {
  const scopeOf = (actor: Actor): CodeScope => ({
    purpose: 'verification',
    tenantId: actor.tenantId,
    covers: (row) => actor.merchantId === null || row.subject === actor.merchantId,
  });
  const resource = (otpId: string) => `public/otp/${otpId}`;

  async function messageOf(actor: Actor, merchantId?: string): Promise<CodeMessage> {
    const merchant = await deps.merchantFor(actor, merchantId);
    return { merchantId: merchant.merchantId, texts: PAYER_TEXTS[merchant.language].passcode(merchant.companyName) };
  }

  return {
    /** Sends a code in the name of the caller's merchant. @throws ServiceError INVALID_EMAIL, INVALID_PHONE (E.164). */
    async generate(actor: Actor, input: { readonly type: 'email' | 'sms'; readonly destination: string }): Promise<SentPasscode> {
      const destination = recipientOf(input.type, input.destination, 'destination');
      const codeMessage = await messageOf(actor);
      const subject = codeMessage.merchantId ?? '';
      const sent = await codes.send(
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
    },
    /**
     * Checks a code, which works once. @throws ServiceError VALIDATION_ERROR on `code` for a wrong or expired code, NOT_FOUND for a used or
     * unknown one.
     */
    async verify(actor: Actor, otpId: string, code: string): Promise<void> {
      await codes.verify(scopeOf(actor), otpId, code, (work) =>
        deps.audit(work, { actor, action: 'otp.verified', resource: resource(otpId) }),
      );
    },
    /** Sends a new code that replaces the last one. @throws ServiceError RATE_LIMIT_EXCEEDED if requested too soon or too often. */
    async resend(actor: Actor, otpId: string): Promise<SentPasscode> {
      const sent = await codes.resend(
        scopeOf(actor),
        otpId,
        (row: CodeRow) => messageOf(actor, row.subject),
        (work) => deps.audit(work, { actor, action: 'otp.resent', resource: resource(otpId) }),
      );
      return { otpId: sent.otpId, expiresAt: sent.expiresAt };
    },
  };
}
