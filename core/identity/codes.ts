import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Work } from '#core/database';
import { isoTime, newId, ServiceError } from '#core/kernel';
import { SEALED_MESSAGE } from '#core/notifications';
import type { Needs } from './needs.ts';
import { CODES, type CodePurpose, type CodeRow } from './schema.ts';

const DIGITS = 6;
const LIFETIME_MS = 10 * 60_000;
const TRIES_MAX = 5;
const RESENDS_MAX = 3;
const RESEND_EVERY_MS = 30_000;

export interface NewCode {
  readonly tenantId: string;
  readonly purpose: CodePurpose;
  /** Whom it is for. */
  readonly subject: string;
  readonly channel: 'email' | 'sms';
  readonly destination: string;
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
export function createCodes(on: Needs) {
  const hash = (otpId: string, code: string) => createHmac('sha256', on.codeKey).update(`${otpId}|${code}`).digest('hex');
  const unknown = () => new ServiceError('NOT_FOUND', 'There is no such code, or it was used.', { field: 'otpId' });

  async function rowOf(otpId: string): Promise<CodeRow> {
    const [row] = await on.database.readAcrossTenants().find(CODES, { id: otpId }, { limit: 1 });
    if (!row || row.used_at !== null) throw unknown();
    return row;
  }

  /** The text with a fresh code, sealed before the work that writes it. */
  async function compose(tenantId: string, otpId: string, channel: 'email' | 'sms') {
    const code = String(randomInt(0, 10 ** DIGITS)).padStart(DIGITS, '0');
    const text = `Your code is ${code}. It is good for 10 minutes. If you did not ask for it, somebody else knows your password.`;
    const sealed = await on.secrets.seal(tenantId, SEALED_MESSAGE, text);
    return { codeHash: hash(otpId, code), body: { sealed }, subject: channel === 'email' ? 'Your sign-in code' : undefined };
  }

  function answer(otpId: string, expiresMs: number, nowMs: number): SentCode {
    return { otpId, expiresAt: isoTime(expiresMs), expiresIn: Math.max(0, Math.round((expiresMs - nowMs) / 1_000)) };
  }

  return {
    /** Sends a code; `also` is written with it. */
    async send(of: NewCode, also: (work: Work) => void): Promise<SentCode> {
      const now = on.tenants.clockOf(of.tenantId).now();
      const otpId = newId('otp', now);
      const { codeHash, body, subject } = await compose(of.tenantId, otpId, of.channel);
      const { tenantId, purpose, channel, destination } = of;
      await on.database.unitOfWork.run(tenantId, async (work) => {
        await work.insert(CODES, {
          tenant_id: tenantId,
          id: otpId,
          purpose,
          subject: of.subject,
          channel,
          destination,
          code_hash: codeHash,
          tries: 0,
          resends: 0,
          sent_ms: Date.now(),
          expires_ms: now + LIFETIME_MS,
          used_at: null,
          created_at: isoTime(now),
        });
        await on.notify(work, { tenantId, merchantId: null, channel, to: destination, subject, body, atMs: now });
        also(work);
      });
      return answer(otpId, now + LIFETIME_MS, now);
    },
    /** Sends a new code in the place of the last; RATE_LIMIT_EXCEEDED too soon or too often. */
    async resend(otpId: string): Promise<SentCode> {
      const { tenant_id: tenantId, channel } = await rowOf(otpId);
      const now = on.tenants.clockOf(tenantId).now();
      const { codeHash, body, subject } = await compose(tenantId, otpId, channel);
      return on.database.unitOfWork.run(tenantId, async (work) => {
        const row = await work.lockOne(CODES, { id: otpId });
        if (!row || row.used_at !== null) throw unknown();
        const waitMs = row.sent_ms + RESEND_EVERY_MS - Date.now();
        if (row.resends >= RESENDS_MAX || waitMs > 0) throw tooOften(row.resends >= RESENDS_MAX ? null : waitMs);
        await work.update(
          CODES,
          { id: otpId },
          { code_hash: codeHash, tries: 0, resends: row.resends + 1, sent_ms: Date.now(), expires_ms: now + LIFETIME_MS },
        );
        await on.notify(work, { tenantId, merchantId: null, channel, to: row.destination, subject, body, atMs: now });
        return answer(otpId, now + LIFETIME_MS, now);
      });
    },
    /** Uses a code up and answers whom it was for; VALIDATION_ERROR on `code` for a wrong or expired one, NOT_FOUND for a used or unknown one. */
    async verify(purpose: CodePurpose, otpId: string, code: string): Promise<CodeRow> {
      const { tenant_id: tenantId } = await rowOf(otpId);
      const now = on.tenants.clockOf(tenantId).now();
      const seen = await on.database.unitOfWork.run(tenantId, async (work) => {
        const row = await work.lockOne(CODES, { id: otpId });
        if (!row || row.used_at !== null || row.purpose !== purpose) throw unknown();
        if (row.tries >= TRIES_MAX || row.expires_ms <= now) return { row, right: false };
        const right = timingSafeEqual(Buffer.from(row.code_hash), Buffer.from(hash(otpId, code.replace(/\s/g, ''))));
        const tries = row.tries + 1;
        await work.update(CODES, { id: otpId }, right ? { tries, used_at: isoTime(now) } : { tries });
        return { row: { ...row, tries }, right };
      });
      if (seen.right) return seen.row;
      throw new WrongCode(seen.row, seen.row.expires_ms <= now);
    },
    async sweep(tenantId: string): Promise<void> {
      const before = on.tenants.clockOf(tenantId).now() - 24 * 3_600_000;
      await on.database.unitOfWork.run(tenantId, (work) =>
        work.run('DELETE FROM one_time_codes WHERE tenant_id = :tenantId AND expires_ms <= :before', { before }),
      );
    },
  };
}

/** A code that does not fit, with whom it was meant for. */
export class WrongCode extends ServiceError {
  readonly row: CodeRow;

  constructor(row: CodeRow, expired: boolean) {
    const attemptsRemaining = expired ? 0 : Math.max(0, TRIES_MAX - row.tries);
    const words = expired ? 'This code has expired; have a new one sent.' : 'This is not the code that was sent.';
    super('VALIDATION_ERROR', attemptsRemaining === 0 && !expired ? 'Too many wrong tries; have a new code sent.' : words, {
      field: 'code',
      details: { attemptsRemaining },
    });
    this.row = row;
  }
}

function tooOften(waitMs: number | null): ServiceError {
  const retryAfter = Math.max(1, Math.ceil((waitMs ?? LIFETIME_MS) / 1_000));
  const words =
    waitMs === null ? 'This code was sent as often as it may be; sign in again.' : `Wait ${retryAfter} seconds for another code.`;
  return new ServiceError('RATE_LIMIT_EXCEEDED', words, {
    details: { retryAfter, limit: RESENDS_MAX, remaining: 0, resetAt: isoTime(Date.now() + retryAfter * 1_000) },
  });
}
