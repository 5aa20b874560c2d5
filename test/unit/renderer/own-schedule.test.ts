import { expect, test } from 'vitest';
import { type OwnInstallment, scheduleProblem, unplannedMinor } from '../../../renderer/shared/installments/own-schedule.ts';

const TERMS = { amountDue: 100, currency: 'USD', today: '2026-11-26' };
const rows = (...entries: readonly (readonly [dueDate: string, amount: string])[]): OwnInstallment[] =>
  entries.map(([dueDate, amount], index) => ({ id: index + 1, dueDate, amount }));

test('accepts ascending dates whose amounts add up to the amount due', () => {
  const schedule = rows(['2026-11-26', '40'], ['2026-12-24', '59.99'], ['2027-01-01', '0.01']);
  expect(scheduleProblem(schedule, TERMS)).toBeNull();
  expect(unplannedMinor(schedule, TERMS)).toBe(0);
});

test.each([
  ['a missing date', rows(['', '50'], ['2026-12-24', '50']), { id: 1, field: 'date', text: 'Enter a date.' }],
  ['a past date', rows(['2026-11-25', '50'], ['2026-12-24', '50']), { id: 1, field: 'date', text: 'The date is in the past.' }],
  [
    'a date before the former one',
    rows(['2026-12-24', '50'], ['2026-12-24', '50']),
    { id: 2, field: 'date', text: 'The date must be after the one before.' },
  ],
  ['an amount of 0', rows(['2026-11-26', '0'], ['2026-12-24', '100']), { id: 1, field: 'amount' }],
  ['an amount that cannot be read', rows(['2026-11-26', '5x'], ['2026-12-24', '50']), { id: 1, field: 'amount' }],
  ['a sum that is too low', rows(['2026-11-26', '50'], ['2026-12-24', '49.5']), { id: 2, field: 'amount', text: '0.50 USD is missing.' }],
  ['a sum that is too high', rows(['2026-11-26', '50'], ['2026-12-24', '51']), { id: 2, field: 'amount', text: '1.00 USD is too much.' }],
])('names the field with %s', (_, schedule, problem) => {
  expect(scheduleProblem(schedule, TERMS)).toMatchObject(problem);
});
