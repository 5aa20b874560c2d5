import type { Work } from '#core/database';
import type { Actor } from '#core/kernel';
import { PAYER_TEXTS } from '#core/records/notifications';
import type { Language } from '#shared/languages';
import { type CodeScope, sendCode, verifyCode } from './codes.ts';
import type { Dependencies } from './dependencies.ts';
import type { CodeRow } from './schema.ts';

/** Link on whose page a code is entered, and the payer who opened it. */
export interface PageOfCode {
  readonly actor: Actor;
  /** ID of the link; a code works on its page only. */
  readonly subject: string;
}

const resource = (subject: string) => `customer-page-links/${subject}`;

/** Sends a code and returns its ID. @throws ServiceError RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED. */
export async function sendPageCode(
  deps: Dependencies,
  {
    actor,
    subject,
    channel,
    destination,
    language,
  }: PageOfCode & { readonly channel: 'email' | 'sms'; readonly destination: string; readonly language: Language },
): Promise<string> {
  const { tenantId } = actor;
  const { merchantId, companyName } = await deps.merchantFor(actor);
  const message = { merchantId, language, texts: PAYER_TEXTS[language].passcode(companyName) };
  const { otpId } = await sendCode(deps, { tenantId, purpose: 'customer-page', subject, channel, destination, message }, (work) =>
    deps.audit(work, { actor, action: 'customer_page.code_sent', resource: resource(subject), merchantId, after: { channel } }),
  );
  return otpId;
}

/**
 * Checks a code, which works once; `alsoWrite` runs in the same unit of work. @throws ServiceError VALIDATION_ERROR on `code` if it is wrong or expired,
 * NOT_FOUND if it was used or is of another page.
 */
export async function verifyPageCode(
  deps: Dependencies,
  { actor, subject }: PageOfCode,
  codeId: string,
  code: string,
  alsoWrite: (work: Work, row: CodeRow) => Promise<void>,
): Promise<void> {
  const scope: CodeScope = { purpose: 'customer-page', tenantId: actor.tenantId, covers: (row) => row.subject === subject };
  await verifyCode(deps, scope, codeId, code, async (work, row) => {
    await alsoWrite(work, row);
    deps.audit(work, { actor, action: 'customer_page.confirmed', resource: resource(subject), merchantId: actor.merchantId });
  });
}
