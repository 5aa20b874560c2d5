import type { Actor } from '#core/kernel';
import { PAYER_WORDS, recipientOf } from '#core/notifications';
import type { CodeLetter, CodeScope, Codes } from './codes.ts';
import type { Needs } from './needs.ts';
import type { CodeRow } from './schema.ts';

/** What an integrator is told of a passcode: the code itself reaches its customer alone. */
export interface SentPasscode {
  readonly otpId: string;
  readonly expiresAt: string;
}

/** One-time passcodes for an integrator's own customers (specification 4.1, decisions 7), each within its tenant and merchant. */
export function createPasscodes(on: Needs, codes: Codes) {
  const scopeOf = (by: Actor): CodeScope => ({
    purpose: 'verification',
    tenantId: by.tenantId,
    covers: (row) => by.merchantId === null || row.subject === by.merchantId,
  });
  const resource = (otpId: string) => `public/otp/${otpId}`;

  async function letterOf(by: Actor, merchantId?: string): Promise<CodeLetter> {
    const merchant = await on.merchantFor(by, merchantId);
    return { merchantId: merchant.merchantId, words: PAYER_WORDS[merchant.language].passcode(merchant.companyName) };
  }

  return {
    /** Sends a code in the name of the caller's merchant. INVALID_EMAIL, INVALID_PHONE (E.164). */
    async generate(by: Actor, of: { readonly type: 'email' | 'sms'; readonly destination: string }): Promise<SentPasscode> {
      const destination = recipientOf(of.type, of.destination, 'destination');
      const letter = await letterOf(by);
      const subject = letter.merchantId ?? '';
      const sent = await codes.send(
        { tenantId: by.tenantId, purpose: 'verification', subject, channel: of.type, destination, letter },
        (work, otpId) =>
          on.audit(work, { by, action: 'otp.sent', resource: resource(otpId), merchantId: letter.merchantId, after: { channel: of.type } }),
      );
      return { otpId: sent.otpId, expiresAt: sent.expiresAt };
    },
    /** Uses a code up. VALIDATION_ERROR on `code` for a wrong or expired one, NOT_FOUND for a used or unknown one. */
    async verify(by: Actor, otpId: string, code: string): Promise<void> {
      await codes.verify(scopeOf(by), otpId, code, (work) => on.audit(work, { by, action: 'otp.verified', resource: resource(otpId) }));
    },
    /** Sends a fresh code in the place of the last; RATE_LIMIT_EXCEEDED too soon or too often. */
    async resend(by: Actor, otpId: string): Promise<SentPasscode> {
      const sent = await codes.resend(
        scopeOf(by),
        otpId,
        (row: CodeRow) => letterOf(by, row.subject),
        (work) => on.audit(work, { by, action: 'otp.resent', resource: resource(otpId) }),
      );
      return { otpId: sent.otpId, expiresAt: sent.expiresAt };
    },
  };
}
