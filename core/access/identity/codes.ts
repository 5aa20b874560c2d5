import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { queriesOn, TENANT, type Work } from '#core/database';
import { isoTime, later, newId, ServiceError } from '#core/kernel';
import { type CodeTexts, SEALED_MESSAGE } from '#core/records/notifications';
import type { Language } from '#shared/languages';
import type { Dependencies } from './dependencies.ts';
import type { SentCode } from './records.ts';
import { CODES, type CodePurpose, type CodeRow } from './schema.ts';

/** A code has six digits. It is valid for ten minutes of the tenant's time and five attempts, and can be resent three times, 30 real seconds apart. */
const DIGITS = 6;
const LIFETIME_MS = 10 * 60_000;
const ATTEMPTS_MAX = 5;
const RESENDS_MAX = 3;
const RESEND_EVERY_MS = 30_000;

interface NewCode {
  readonly tenantId: string;
  readonly purpose: CodePurpose;
  /** User that the code is for; for a verification the merchant that requested it. */
  readonly subject: string;
  readonly channel: 'email' | 'sms';
  readonly destination: string;
  readonly message: CodeMessage;
}

/** Message that carries a code. */
export interface CodeMessage {
  /** Null for a message of the tenant to one of its users. */
  readonly merchantId: string | null;
  readonly texts: CodeTexts;
  /** Language of the texts; by default that of the merchant. */
  readonly language?: Language;
}

/** Limits the codes that a caller can use. Any other code counts as unknown. */
export interface CodeScope {
  readonly purpose: CodePurpose;
  /** Null if only the code itself identifies the tenant. */
  readonly tenantId: string | null;
  readonly covers?: (row: CodeRow) => boolean;
  /** Accepts another code instead of the one that was sent: of an authenticator app, or a recovery code. */
  readonly accepts?: (work: Work, row: CodeRow, code: string) => Promise<boolean>;
}

const hash = (deps: Dependencies, otpId: string, code: string) =>
  createHmac('sha256', deps.codeKey).update(`${otpId}|${code}`).digest('hex');

const unknownCode = () => new ServiceError('NOT_FOUND', 'This code does not exist or was already used.', { field: 'otpId' });

const isUsable = (row: CodeRow | null, { purpose, covers }: CodeScope): row is CodeRow =>
  row !== null && row.used_at === null && row.purpose === purpose && (covers?.(row) ?? true);

/** Returns a code that can still be used. @throws ServiceError NOT_FOUND. */
export async function findCode(deps: Dependencies, scope: CodeScope, otpId: string): Promise<CodeRow> {
  const read = scope.tenantId === null ? deps.database.readAcrossTenants() : deps.database.read(scope.tenantId);
  const row = await read.one(CODES, { id: otpId });
  if (!isUsable(row, scope)) throw unknownCode();
  return row;
}

/** Returns a new code's hash and its message, whose text is encrypted before the unit of work that writes it. */
async function compose(
  deps: Dependencies,
  { tenantId, purpose, subject: userId, channel }: Pick<NewCode, 'tenantId' | 'purpose' | 'subject' | 'channel'>,
  otpId: string,
  { merchantId, texts, language }: CodeMessage,
) {
  const code = String(randomInt(0, 10 ** DIGITS)).padStart(DIGITS, '0');
  const sealed = await deps.secrets.seal(tenantId, SEALED_MESSAGE, texts.text(code));
  const subject = channel === 'email' ? texts.subject : undefined;
  const resourceId = purpose === 'sign-in' ? userId : undefined;
  return {
    codeHash: hash(deps, otpId, code),
    message: { tenantId, merchantId, channel, kind: 'code', resourceId, subject, body: { sealed }, ...(language && { language }) } as const,
  };
}

function sentCode(otpId: string, expiresMs: number, nowMs: number): SentCode {
  return { otpId, expiresAt: isoTime(expiresMs), expiresIn: Math.max(0, Math.round((expiresMs - nowMs) / 1_000)) };
}

/** Sends a code. `alsoWrite` adds records to the same unit of work. */
export async function sendCode(
  deps: Dependencies,
  input: NewCode,
  alsoWrite: (work: Work, otpId: string) => void | Promise<void>,
): Promise<SentCode> {
  const now = deps.tenants.clockOf(input.tenantId).now();
  const otpId = newId('otp', now);
  const { codeHash, message } = await compose(deps, input, otpId, input.message);
  const { tenantId, destination } = input;
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    work.insert(CODES, { ...rowOfCode(input, now, codeHash), id: otpId });
    await deps.notify(work, { ...message, to: destination, expiresMs: later(now, LIFETIME_MS), atMs: now, cause: 'request' });
    await alsoWrite(work, otpId);
  });
  return sentCode(otpId, now + LIFETIME_MS, now);
}

/**
 * Starts a sign-in whose code comes from an authenticator app, so nothing is sent. `alsoWrite` adds records to the same unit of work.
 */
export async function expectCode(
  deps: Dependencies,
  tenantId: string,
  userId: string,
  alsoWrite: (work: Work) => Promise<void>,
): Promise<SentCode> {
  const now = deps.tenants.clockOf(tenantId).now();
  const row = rowOfCode({ tenantId, purpose: 'sign-in', subject: userId, channel: 'totp', destination: '' }, now, '');
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    work.insert(CODES, row);
    await alsoWrite(work);
  });
  return sentCode(row.id, row.expires_ms, now);
}

/** Sends a new code that replaces the last one. @throws ServiceError RATE_LIMIT_EXCEEDED if requested too soon or too often. */
export async function resendCode(
  deps: Dependencies,
  scope: CodeScope,
  otpId: string,
  messageOf: (row: CodeRow) => CodeMessage | Promise<CodeMessage>,
  alsoWrite: (work: Work) => void = () => {},
): Promise<SentCode> {
  const codeRow = await findCode(deps, scope, otpId);
  const { tenant_id: tenantId, channel } = codeRow;
  if (channel === 'totp')
    throw new ServiceError('RESOURCE_CONFLICT', 'The code is in the authenticator app. Nothing is sent.', {
      details: { reason: 'authenticator_app' },
    });
  const now = deps.tenants.clockOf(tenantId).now();
  const { codeHash, message } = await compose(deps, { ...codeRow, tenantId, channel }, otpId, await messageOf(codeRow));
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(CODES, { id: otpId });
    if (!isUsable(row, scope)) throw unknownCode();
    const waitMs = row.sent_ms + RESEND_EVERY_MS - Date.now();
    if (row.resends >= RESENDS_MAX || waitMs > 0) throw resendLimit(row.resends >= RESENDS_MAX ? null : waitMs);
    await work.update(
      CODES,
      { id: otpId },
      { code_hash: codeHash, tries: 0, resends: row.resends + 1, sent_ms: Date.now(), expires_ms: now + LIFETIME_MS },
    );
    await deps.notify(work, { ...message, to: row.destination, expiresMs: later(now, LIFETIME_MS), atMs: now, cause: 'request' });
    alsoWrite(work);
    return sentCode(otpId, now + LIFETIME_MS, now);
  });
}

/**
 * Uses a code and returns its subject. @throws ServiceError VALIDATION_ERROR on `code` if it is wrong or expired, NOT_FOUND if it was
 * used or is unknown.
 */
export async function verifyCode(
  deps: Dependencies,
  scope: CodeScope,
  otpId: string,
  code: string,
  alsoWrite: (work: Work, row: CodeRow) => void | Promise<void> = () => {},
): Promise<CodeRow> {
  const { tenant_id: tenantId } = await findCode(deps, scope, otpId);
  const now = deps.tenants.clockOf(tenantId).now();
  const result = await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(CODES, { id: otpId });
    if (!isUsable(row, scope)) throw unknownCode();
    if (row.tries >= ATTEMPTS_MAX || row.expires_ms <= now) return { row, right: false };
    const isSentCode = isSame(row.code_hash, hash(deps, otpId, code.replace(/\s/g, '')));
    const isRight = isSentCode || ((await scope.accepts?.(work, row, code)) ?? false);
    const attempts = row.tries + 1;
    await work.update(CODES, { id: otpId }, isRight ? { tries: attempts, used_at: isoTime(now) } : { tries: attempts });
    if (isRight) await alsoWrite(work, row);
    return { row: { ...row, tries: attempts }, right: isRight };
  });
  if (result.right) return result.row;
  throw new WrongCode(result.row, result.row.expires_ms <= now);
}

export async function deleteOldCodes(deps: Dependencies, tenantId: string): Promise<void> {
  const before = deps.tenants.clockOf(tenantId).now() - 24 * 3_600_000;
  await deps.database.unitOfWork.transaction(tenantId, (work) =>
    work.execute(queriesOn(CODES).deleteFrom('one_time_codes').where('tenant_id', '=', TENANT).where('expires_ms', '<=', before)),
  );
}

/** Returns the row of a new code. */
function rowOfCode(
  input: Pick<CodeRow, 'purpose' | 'subject' | 'channel' | 'destination'> & { readonly tenantId: string },
  nowMs: number,
  codeHash: string,
): CodeRow {
  const { tenantId, purpose, subject, channel, destination } = input;
  return {
    tenant_id: tenantId,
    id: newId('otp', nowMs),
    purpose,
    subject,
    channel,
    destination,
    code_hash: codeHash,
    tries: 0,
    resends: 0,
    used_at: null,
    sent_ms: Date.now(),
    expires_ms: nowMs + LIFETIME_MS,
    created_at: isoTime(nowMs),
  };
}

function isSame(stored: string, given: string): boolean {
  return stored.length === given.length && timingSafeEqual(Buffer.from(stored), Buffer.from(given));
}

/** Error of a wrong code, with the row of the code. */
export class WrongCode extends ServiceError {
  readonly row: CodeRow;

  constructor(row: CodeRow, expired: boolean) {
    const attemptsRemaining = expired ? 0 : Math.max(0, ATTEMPTS_MAX - row.tries);
    super('VALIDATION_ERROR', wrongCodeText(row.channel, attemptsRemaining, expired), { field: 'code', details: { attemptsRemaining } });
    this.row = row;
  }
}

function wrongCodeText(channel: CodeRow['channel'], attemptsRemaining: number, expired: boolean): string {
  if (channel === 'totp')
    return attemptsRemaining === 0
      ? 'There were too many wrong codes, or the sign-in has expired. Sign in again.'
      : 'This code is wrong or was already used. Wait for the next one in your app.';
  if (expired) return 'This code has expired. Request a new one.';
  return attemptsRemaining === 0 ? 'There were too many wrong codes. Request a new one.' : 'This code is wrong.';
}

function resendLimit(waitMs: number | null): ServiceError {
  const retryAfter = Math.max(1, Math.ceil((waitMs ?? LIFETIME_MS) / 1_000));
  const message =
    waitMs === null
      ? 'This code can no longer be resent. Request a new one.'
      : `Wait ${retryAfter} seconds before you request another code.`;
  return new ServiceError('RATE_LIMIT_EXCEEDED', message, {
    details: { retryAfter, limit: RESENDS_MAX, remaining: 0, resetAt: isoTime(Date.now() + retryAfter * 1_000) },
  });
}
