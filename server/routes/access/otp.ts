import { Type } from 'typebox';
import { SentPasscode } from '#core/access/identity';
import { EXAMPLE_ID } from '#core/platform/fields';
import { route, Success } from '#server/http';
import { AlwaysTrue, PasscodeIn, Text } from '#server/schemas';

const shared = { surface: 'public', method: 'POST', tag: 'Public API', scope: 'merchant', permission: 'notifications:write' } as const;
const OtpId = Text(60, 'ID that `/otp/generate` returned', `otp_${EXAMPLE_ID}`);

export const publicOtp = [
  route({
    ...shared,
    path: '/otp/generate',
    id: 'public.generateOtp',
    summary: 'Send a one-time passcode',
    description: 'Six digits, valid for ten minutes and five attempts, in the language of the merchant.',
    body: PasscodeIn,
    response: Success(SentPasscode),
    errors: ['INVALID_EMAIL', 'INVALID_PHONE', 'MERCHANT_NOT_FOUND'],
    run: ({ core, actor, body }) => core.identity.passcodes.generate(actor, body),
  }),
  route({
    ...shared,
    path: '/otp/verify',
    id: 'public.verifyOtp',
    summary: 'Check a one-time passcode',
    description:
      'A wrong or expired passcode is VALIDATION_ERROR on `code`, with `details.attemptsRemaining`; a used or unknown one is NOT_FOUND.',
    body: Type.Object({ otpId: OtpId, code: Text(20, 'six digits') }),
    response: Success(Type.Object({ verified: AlwaysTrue })),
    errors: ['NOT_FOUND'],
    run: ({ core, actor, body }) => core.identity.passcodes.verify(actor, body.otpId, body.code),
    show: () => ({ verified: true }) as const,
  }),
  route({
    ...shared,
    path: '/otp/resend',
    id: 'public.resendOtp',
    summary: 'Send a new one-time passcode',
    description: 'At most every 30 seconds and three times in total; then RATE_LIMIT_EXCEEDED with `details.retryAfter`.',
    body: Type.Object({ otpId: OtpId }),
    response: Success(SentPasscode),
    errors: ['NOT_FOUND', 'RATE_LIMIT_EXCEEDED'],
    run: ({ core, actor, body }) => core.identity.passcodes.resend(actor, body.otpId),
  }),
];
