import type { Frequency } from '#core/billing/recurring';

const DAY = 86_400_000;
const HALF_DAY = DAY / 2;
const RETRY_DAYS = [1, 3, 5, 7];
const SCHEDULE_DAYS = 16;

const text = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const midnight = (date: string) => Date.parse(`${date}T00:00:00Z`);
const lastOfMonth = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();

/** Returns true if a subscription that started on a day is due on a date, from the date alone. */
function isPaidOn(start: string, frequency: Frequency, date: string): boolean {
  if (date < start) return false;
  const days = (midnight(date) - midnight(start)) / DAY;
  if (frequency === 'daily') return true;
  if (frequency === 'weekly' || frequency === 'biweekly') return days % (frequency === 'weekly' ? 7 : 14) === 0;
  const [from, to] = [new Date(midnight(start)), new Date(midnight(date))];
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const every = { monthly: 1, quarterly: 3, semiannually: 6, annually: 12 }[frequency];
  return months % every === 0 && to.getUTCDate() === Math.min(from.getUTCDate(), lastOfMonth(to));
}

export interface Plan {
  readonly start: string;
  readonly frequency: Frequency;
  readonly end: string | null;
  readonly total: number | null;
}

/** A subscription computed with a calendar, in UTC, one day after the other. */
export class Model {
  readonly plan: Plan;
  status: 'active' | 'past_due' | 'paused' | 'cancelled' | 'expired' = 'active';
  readonly paid: string[] = [];
  /** The first date that may still be charged. */
  next: string;
  /** True if the card on file is declined. */
  declines: boolean;
  #failures = 0;
  /** First of the successive unpaid periods. */
  #unpaidSince: string | null = null;
  #retryAt = 0;
  #now: number;

  constructor(plan: Plan, nowMs: number, declines: boolean) {
    this.plan = plan;
    this.next = plan.start;
    this.#now = nowMs;
    this.declines = declines;
    this.#runUntil(nowMs);
  }

  /** Returns the next date of the calendar from a day on, whether or not the subscription has ended by then. */
  #dateFrom(day: string): string {
    let at = midnight(day);
    while (!isPaidOn(this.plan.start, this.plan.frequency, text(at))) at += DAY;
    return text(at);
  }

  get nextDate(): string | null {
    if (this.status === 'past_due') return text(this.#retryAt);
    const date = this.#dateFrom(this.next);
    return this.status === 'active' && (this.plan.end === null || date <= this.plan.end) ? date : null;
  }

  advance(days: number): void {
    this.#runUntil(this.#now + days * DAY);
  }

  pause(): boolean {
    if (this.status !== 'active' && this.status !== 'past_due') return false;
    this.status = 'paused';
    this.#failures = 0;
    return true;
  }

  resume(): boolean {
    if (this.status !== 'paused') return false;
    this.status = 'active';
    const [from = ''] = [this.next, text(this.#now)].sort().reverse();
    this.next = this.#dateFrom(from);
    this.#unpaidSince = null;
    return true;
  }

  skip(): boolean {
    if (this.status !== 'active' || this.nextDate === null) return false;
    this.next = text(midnight(this.nextDate) + DAY);
    return true;
  }

  cancel(): boolean {
    if (this.status === 'cancelled' || this.status === 'expired') return false;
    this.status = 'cancelled';
    return true;
  }

  /** Retries after a new card, which is no retry of the schedule. */
  retry(): void {
    if (this.status === 'past_due' && !this.declines) this.#charge();
  }

  /** Time advances by half days: charges at midnight, operations of a person at noon, retries whole days after the failure. */
  #runUntil(toMs: number): void {
    for (;;) {
      this.#settle();
      if (this.#now >= toMs) return;
      this.#now += HALF_DAY;
    }
  }

  #settle(): void {
    const today = text(this.#now);
    if (this.status === 'past_due' && this.#now >= this.#retryAt) this.#charge();
    while (this.status === 'active' && this.nextDate !== null && this.nextDate <= today) this.#charge();
    if (this.status === 'active' && this.nextDate === null && this.plan.end !== null && today > this.plan.end) this.status = 'expired';
  }

  /** Charges the period of this day; earlier ones are skipped. */
  #charge(): void {
    const today = text(this.#now);
    const until = this.plan.end !== null && this.plan.end < today ? this.plan.end : today;
    let period = this.#dateFrom(this.next);
    for (let date = this.#dateFrom(text(midnight(period) + DAY)); date <= until; date = this.#dateFrom(text(midnight(date) + DAY)))
      period = date;
    if (this.declines) {
      if (period !== this.#dateFrom(this.next)) this.#failures = 0;
      this.next = period;
      this.#unpaidSince ??= period;
      const isTooLong = this.#unpaidSince < period && this.#now >= midnight(this.#unpaidSince) + SCHEDULE_DAYS * DAY;
      const days = isTooLong ? undefined : RETRY_DAYS[this.#failures];
      this.#failures += 1;
      this.status = days === undefined ? 'cancelled' : 'past_due';
      const following = this.#dateFrom(text(midnight(period) + DAY));
      const hasFollowing = this.plan.end === null || following <= this.plan.end;
      this.#retryAt = Math.min(this.#now + (days ?? 0) * DAY, hasFollowing ? midnight(following) : Number.POSITIVE_INFINITY);
      return;
    }
    this.#unpaidSince = null;
    this.paid.push(period);
    this.#failures = 0;
    this.next = text(midnight(period) + DAY);
    this.status = this.plan.total !== null && this.paid.length >= this.plan.total ? 'expired' : 'active';
  }
}
