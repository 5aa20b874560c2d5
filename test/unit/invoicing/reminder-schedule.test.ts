import { describe, expect, test } from 'vitest';
import { lifeOf, nextReminder, nextRun, runDayAt, type Schedule, stepOn } from '../../../core/billing/invoicing/reminders/schedule.ts';

const settings = (days: readonly number[], more: Partial<Schedule> = {}): Schedule => ({
  enabled: true,
  steps: days.map((each) => ({ days: each, channel: 'email', texts: {} })),
  sendAt: '09:00',
  weekdays: [1, 2, 3, 4, 5],
  country: null,
  ...more,
});
const USUAL = settings([-3, 0, 7, 14]);
const FACTS = { dueDate: '2026-11-18', sentDay: '2026-11-01', promisedDate: null, sinceDay: '2026-01-01', sent: [] };
const daysOf = (facts: Partial<typeof FACTS>, of = USUAL, zone = 'UTC') =>
  lifeOf({ ...FACTS, ...facts }, of, zone).map(({ step, atMs }) => `${step.days} ${new Date(atMs).toISOString().slice(0, 16)}`);

describe('schedule of reminders', () => {
  test('sends each reminder at the local time of its day, and those of a weekend on Monday', () => {
    // 2026-11-15 is a Sunday.
    expect(daysOf({})).toEqual(['-3 2026-11-16T09:00', '0 2026-11-18T09:00', '7 2026-11-25T09:00', '14 2026-12-02T09:00']);
  });

  test('moves reminders from public holidays of the country, unless they are sent on Sundays', () => {
    const facts = { dueDate: '2026-11-26', sinceDay: '2026-01-01' };
    const [usual, daily] = [settings([0, 29]), settings([0, 29], { weekdays: [0, 1, 2, 3, 4, 5, 6] })];
    // Thanksgiving and Christmas Day; December 26 and 28 are holidays in the United Kingdom.
    expect(daysOf(facts, { ...usual, country: 'US' })).toEqual(['0 2026-11-27T09:00', '29 2026-12-28T09:00']);
    expect(daysOf(facts, { ...usual, country: 'GB' })).toEqual(['0 2026-11-26T09:00', '29 2026-12-29T09:00']);
    expect(daysOf(facts, { ...daily, country: 'US' })).toEqual(['0 2026-11-26T09:00', '29 2026-12-25T09:00']);
    expect(runDayAt({ ...usual, country: 'US' }, 'UTC', Date.parse('2026-11-26T09:00:00Z'))).toBeNull();
    expect(runDayAt({ ...usual, country: 'GB' }, 'UTC', Date.parse('2026-11-26T09:00:00Z'))).toBe('2026-11-26');
    // Only Mondays are left, and the holidays of two years follow one another.
    expect(daysOf({ dueDate: '2028-12-25', sentDay: '2028-12-01' }, settings([0], { weekdays: [1], country: 'US' }))).toEqual([
      '0 2029-01-08T09:00',
    ]);
  });

  test('sends one reminder if two of them move to the same day, the later one', () => {
    expect(daysOf({ dueDate: '2026-11-14' }, settings([0, 1, 2, 3]))).toEqual(['2 2026-11-16T09:00', '3 2026-11-17T09:00']);
  });

  test('counts days across the ends of months and years, and a leap day', () => {
    expect(
      daysOf({ dueDate: '2028-02-29', sentDay: '2028-01-31' }, settings([-29, 0, 1, 366], { weekdays: [0, 1, 2, 3, 4, 5, 6] })),
    ).toEqual(['0 2028-02-29T09:00', '1 2028-03-01T09:00', '366 2029-03-01T09:00']);
  });

  test('keeps the local time when clocks change', () => {
    const all = settings([0, 1], { weekdays: [0, 1, 2, 3, 4, 5, 6] });
    const facts = { sentDay: '2026-01-01', sinceDay: '2026-01-01' };
    // New York: clocks forward on March 8, back on November 1.
    expect(daysOf({ ...facts, dueDate: '2026-03-07' }, all, 'America/New_York')).toEqual(['0 2026-03-07T14:00', '1 2026-03-08T13:00']);
    expect(daysOf({ ...facts, dueDate: '2026-10-31' }, all, 'America/New_York')).toEqual(['0 2026-10-31T13:00', '1 2026-11-01T14:00']);
    // Samoa skipped December 30, 2011.
    expect(daysOf({ dueDate: '2011-12-29', sentDay: '2011-01-01', sinceDay: '2011-01-01' }, all, 'Pacific/Apia')).toEqual([
      '0 2011-12-29T19:00',
      '1 2011-12-30T19:00',
    ]);
  });

  test('sends nothing on the day of sending, before reminders were switched on, or before a promised day has passed', () => {
    expect(daysOf({ sentDay: '2026-11-18' })).toEqual(['7 2026-11-25T09:00', '14 2026-12-02T09:00']);
    expect(lifeOf({ ...FACTS, sinceDay: '2026-11-25' }, USUAL, 'UTC').map(({ step }) => step.days)).toEqual([7, 14]);
    expect(lifeOf({ ...FACTS, promisedDate: '2026-11-25' }, USUAL, 'UTC').map(({ step }) => step.days)).toEqual([14]);
  });

  test('sends a missed reminder up to seven days later, and only the last of several', () => {
    expect(stepOn(FACTS, USUAL, '2026-11-25')?.days).toBe(7);
    expect(stepOn(FACTS, settings([0]), '2026-11-25')?.days).toBe(0);
    expect(stepOn(FACTS, settings([0]), '2026-11-26')).toBeNull();
    expect(stepOn({ ...FACTS, sent: [{ days: 7, day: '2026-11-25' }] }, USUAL, '2026-11-25')).toBeNull();
    expect(stepOn({ ...FACTS, sent: [{ days: 7, day: '2026-11-25' }] }, USUAL, '2026-11-27')).toBeNull();
  });

  test('runs only within three hours of its time, before nine in the evening, on its days', () => {
    const at = (time: string) => Date.parse(`2026-11-18T${time}:00Z`);
    expect(runDayAt(USUAL, 'UTC', at('08:59'))).toBeNull();
    expect(runDayAt(USUAL, 'UTC', at('09:00'))).toBe('2026-11-18');
    expect(runDayAt(USUAL, 'UTC', at('11:59'))).toBe('2026-11-18');
    expect(runDayAt(USUAL, 'UTC', at('12:00'))).toBeNull();
    expect(runDayAt({ ...USUAL, sendAt: '20:00' }, 'UTC', at('21:00'))).toBeNull();
    expect(runDayAt(USUAL, 'UTC', Date.parse('2026-11-21T09:00:00Z'))).toBeNull();
  });

  test('finds the next run after a time', () => {
    const runAfter = (time: string, of = USUAL, zone = 'UTC') => new Date(nextRun(of, zone, Date.parse(time))).toISOString();
    expect(runAfter('2026-11-18T08:00:00Z')).toBe('2026-11-18T09:00:00.000Z');
    expect(runAfter('2026-11-18T09:00:00Z')).toBe('2026-11-19T09:00:00.000Z');
    expect(runAfter('2026-11-20T10:00:00Z')).toBe('2026-11-23T09:00:00.000Z');
    expect(runAfter('2026-11-20T10:00:00Z', { ...USUAL, weekdays: [0] }, 'Asia/Kolkata')).toBe('2026-11-22T03:30:00.000Z');
  });

  test('names the reminder that follows now', () => {
    const next = nextReminder(FACTS, USUAL, 'UTC', Date.parse('2026-11-18T10:00:00Z'));
    expect(next).toMatchObject({ step: { days: 0 }, atMs: Date.parse('2026-11-19T09:00:00Z') });
    const sent = [{ days: 0, day: '2026-11-18' }];
    expect(nextReminder({ ...FACTS, sent }, USUAL, 'UTC', Date.parse('2026-11-18T10:00:00Z'))).toMatchObject({
      step: { days: 7 },
      atMs: Date.parse('2026-11-25T09:00:00Z'),
    });
  });
});
