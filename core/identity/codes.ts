import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { queriesOn, TENANT, type Work } from '#core/database';
import { isoTime, later, newId, ServiceError } from '#core/kernel';
import { type CodeTexts, SEALED_MESSAGE } from '#core/notifications';
import type { Dependencies } from './dependencies.ts';
import { CODES, type CodePurpose, type CodeRow } from './schema.ts';

const DIGITS = 6;
const LIFETIME_MS = 10 * 60_000;
const TRIES_MAX = 5;
const RESENDS_MAX = 3;
const RESEND_EVERY_MS = 30_000;

interface NewCode {
  readonly tenantId: string;
  readonly purpose: CodePurpose;
  /** User that the code is for; for a verification the merchant that requested it. */
  readonly subject: string;
  readonly channel: 'email' | 'sms';
  readonly destination: string;
  readonly letter: CodeEmail;
}

/** Message that carries a code. */
export interface CodeEmail {
  /** null where the tenant itself writes, to a user. */
  readonly merchantId: string | null;
  readonly words: CodeTexts;
}

/** Which codes a caller may speak of; any other is as if it did not exist. */
export interface CodeScope {
  readonly purpose: CodePurpose;
  /** Null if only the code itself identifies the tenant. */
  readonly tenantId: string | null;
  readonly covers?: (row: CodeRow) => boolean;
  /** Accepts another code in the place of the one that was sent: of an authenticator app, or a recovery code. */
  readonly accepts?: (work: Work, row: CodeRow, code: string) => Promise<boolean>;
}

/** A code that was sent (decisions 7). */
export interface SentCode {
  readonly otpId: string;
  readonly expiresAt: string;
  /** Seconds. */
  readonly expiresIn: number;
}

export type Codes = ReturnType<typeof createCodes>;

/** One-time codes: six digits, ten minutes of the tenant's time, five tries, three resends thirty real seconds apart (decisions 7, 11). */
export function createCodes(deps: Dependencies) {
  const hash = (otpId: string, code: string) => createHmac('sha256', deps.codeKey).update(`${otpId}|${code}`).digest('hex');
  const unknown = () => new ServiceError('NOT_FOUND', 'There is no such code, or it was used.', { field: 'otpId' });

  const isGood = (row: CodeRow | null, { purpose, covers }: CodeScope): row is CodeRow =>
    row !== null && row.used_at === null && row.purpose === purpose && (covers?.(row) ?? true);

  async function rowOf(scope: CodeScope, otpId: string): Promise<CodeRow> {
    const read = scope.tenantId === null ? deps.database.readAcrossTenants() : deps.database.read(scope.tenantId);
    const row = await read.one(CODES, { id: otpId });
    if (!isGood(row, scope)) throw unknown();
    return row;
  }

  /** The text with a fresh code, sealed before the work that writes it. */
  async function compose(
    { tenantId, purpose, subject: userId, channel }: Pick<NewCode, 'tenantId' | 'purpose' | 'subject' | 'channel'>,
    otpId: string,
    { merchantId, words }: CodeEmail,
  ) {
    const code = String(randomInt(0, 10 ** DIGITS)).padStart(DIGITS, '0');
    const sealed = await deps.secrets.seal(tenantId, SEALED_MESSAGE, words.text(code));
    const subject = channel === 'email' ? words.subject : undefined;
    const resourceId = purpose === 'sign-in' ? userId : undefined;
    return {
      codeHash: hash(otpId, code),
      message: { tenantId, merchantId, channel, kind: 'code', resourceId, subject, body: { sealed } } as const,
    };
  }

  function answer(otpId: string, expiresMs: number, nowMs: number): SentCode {
    return { otpId, expiresAt: isoTime(expiresMs), expiresIn: Math.max(0, Math.round((expiresMs - nowMs) / 1_000)) };
  }

  return {
    /** Sends a code; `also` is written with it. */
    async send(of: NewCode, also: (work: Work, otpId: string) => void): Promise<SentCode> {
      const now = deps.tenants.clockOf(of.tenantId).now();
      const otpId = newId('otp', now);
      const { codeHash, message } = await compose(of, otpId, of.letter);
      const { tenantId, destination } = of;
      await deps.database.unitOfWork.run(tenantId, async (work) => {
        work.insert(CODES, { ...rowOfCode(of, now, codeHash), id: otpId });
        await deps.notify(work, { ...message, to: destination, expiresMs: later(now, LIFETIME_MS), atMs: now });
        also(work, otpId);
      });
      return answer(otpId, now + LIFETIME_MS, now);
    },
    /** Begins a sign-in whose code comes from an authenticator app: nothing is sent. `also` is written with it. */
    async expect(tenantId: string, userId: string, also: (work: Work) => void): Promise<SentCode> {
      const now = deps.tenants.clockOf(tenantId).now();
      const row = rowOfCode({ tenantId, purpose: 'sign-in', subject: userId, channel: 'totp', destination: '' }, now, '');
      await deps.database.unitOfWork.run(tenantId, async (work) => {
        work.insert(CODES, row);
        also(work);
      });
      return answer(row.id, row.expires_ms, now);
    },
    /** Sends a new code in the place of the last; RATE_LIMIT_EXCEEDED too soon or too often. */
    async resend(
      scope: CodeScope,
      otpId: string,
      letterOf: (row: CodeRow) => CodeEmail | Promise<CodeEmail>,
      also: (work: Work) => void = () => {},
    ): Promise<SentCode> {
      const seen = await rowOf(scope, otpId);
      const { tenant_id: tenantId, channel } = seen;
      if (channel === 'totp')
        throw new ServiceError('RESOURCE_CONFLICT', 'The code is in the authenticator app. Nothing is sent.', {
          details: { reason: 'authenticator_app' },
        });
      const now = deps.tenants.clockOf(tenantId).now();
      const { codeHash, message } = await compose({ ...seen, tenantId, channel }, otpId, await letterOf(seen));
      return deps.database.unitOfWork.run(tenantId, async (work) => {
        const row = await work.lockOne(CODES, { id: otpId });
        if (!isGood(row, scope)) throw unknown();
        const waitMs = row.sent_ms + RESEND_EVERY_MS - Date.now();
        if (row.resends >= RESENDS_MAX || waitMs > 0) throw tooOften(row.resends >= RESENDS_MAX ? null : waitMs);
        await work.update(
          CODES,
          { id: otpId },
          { code_hash: codeHash, tries: 0, resends: row.resends + 1, sent_ms: Date.now(), expires_ms: now + LIFETIME_MS },
        );
        await deps.notify(work, { ...message, to: row.destination, expiresMs: later(now, LIFETIME_MS), atMs: now });
        also(work);
        return answer(otpId, now + LIFETIME_MS, now);
      });
    },
    /**
     * Uses a code and returns its subject. @throws ServiceError VALIDATION_ERROR on `code` if it is wrong or expired, NOT_FOUND if it was
     * used or is unknown.
     */
    async verify(scope: CodeScope, otpId: string, code: string, also: (work: Work) => void = () => {}): Promise<CodeRow> {
      const { tenant_id: tenantId } = await rowOf(scope, otpId);
      const now = deps.tenants.clockOf(tenantId).now();
      const seen = await deps.database.unitOfWork.run(tenantId, async (work) => {
        const row = await work.lockOne(CODES, { id: otpId });
        if (!isGood(row, scope)) throw unknown();
        if (row.tries >= TRIES_MAX || row.expires_ms <= now) return { row, right: false };
        const isSent = isSame(row.code_hash, hash(otpId, code.replace(/\s/g, '')));
        const right = isSent || ((await scope.accepts?.(work, row, code)) ?? false);
        const tries = row.tries + 1;
        await work.update(CODES, { id: otpId }, right ? { tries, used_at: isoTime(now) } : { tries });
        if (right) also(work);
        return { row: { ...row, tries }, right };
      });
      if (seen.right) return seen.row;
      throw new WrongCode(seen.row, seen.row.expires_ms <= now);
    },
    async sweep(tenantId: string): Promise<void> {
      const before = deps.tenants.clockOf(tenantId).now() - 24 * 3_600_000;
      await deps.database.unitOfWork.run(tenantId, (work) =>
        work.change(queriesOn(CODES).deleteFrom('one_time_codes').where('tenant_id', '=', TENANT).where('expires_ms', '<=', before)),
      );
    },
  };
}

/** A row of a code that was not tried yet. */
function rowOfCode(
  of: Pick<CodeRow, 'purpose' | 'subject' | 'channel' | 'destination'> & { readonly tenantId: string },
  nowMs: number,
  codeHash: string,
): CodeRow {
  const { tenantId, purpose, subject, channel, destination } = of;
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

function isSame(kept: string, given: string): boolean {
  return kept.length === given.length && timingSafeEqual(Buffer.from(kept), Buffer.from(given));
}

/** A wrong code, with the subject that it was meant for. */
export class WrongCode extends ServiceError {
  readonly row: CodeRow;

  constructor(row: CodeRow, expired: boolean) {
    const attemptsRemaining = expired ? 0 : Math.max(0, TRIES_MAX - row.tries);
    super('VALIDATION_ERROR', wrongCodeText(row.channel, attemptsRemaining, expired), { field: 'code', details: { attemptsRemaining } });
    this.row = row;
  }
}

function wrongCodeText(channel: CodeRow['channel'], attemptsRemaining: number, expired: boolean): string {
  if (channel === 'totp')
    return attemptsRemaining === 0
      ? 'Too many wrong codes, or too late. Sign in again.'
      : 'This code is not right, or was used already. Wait for the next one in your app.';
  if (expired) return 'This code has expired; have a new one sent.';
  return attemptsRemaining === 0 ? 'Too many wrong tries; have a new code sent.' : 'This is not the code that was sent.';
}

function tooOften(waitMs: number | null): ServiceError {
  const retryAfter = Math.max(1, Math.ceil((waitMs ?? LIFETIME_MS) / 1_000));
  const words =
    waitMs === null ? 'This code was sent as often as it may be; ask for a new one.' : `Wait ${retryAfter} seconds for another code.`;
  return new ServiceError('RATE_LIMIT_EXCEEDED', words, {
    details: { retryAfter, limit: RESENDS_MAX, remaining: 0, resetAt: isoTime(Date.now() + retryAfter * 1_000) },
  });
}
