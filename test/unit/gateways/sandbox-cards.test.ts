import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CARD_DECLINE_CODES } from '../../../core/processing/gateways/decline-codes.ts';
import { SANDBOX_CARDS } from '../../../core/processing/gateways/sandbox/cards.ts';
import { TEST_CARDS } from '../../../renderer/shared/card-readers/test-cards.ts';

const numbersBy = (outcomes: readonly string[]) =>
  Object.entries(SANDBOX_CARDS)
    .filter(([, outcome]) => outcomes.includes(outcome))
    .map(([number]) => number)
    .sort();
const shownIn = (name: string) =>
  TEST_CARDS.filter(({ group }) => group === name)
    .flatMap(({ cards }) => cards.map(({ number }) => number))
    .sort();

test('has a sandbox card for every decline code', () => {
  const outcomes: readonly string[] = Object.values(SANDBOX_CARDS);
  expect(CARD_DECLINE_CODES.filter((code) => !outcomes.includes(code))).toEqual([]);
});

test('documents every sandbox card with its outcome', () => {
  const page = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (\d{15,16}) +\| (\w+) +\|/gm)].map(([, number, outcome]) => [number, outcome]);
  expect(rows).toHaveLength(Object.keys(SANDBOX_CARDS).length);
  expect(Object.fromEntries(rows)).toEqual(SANDBOX_CARDS);
});

test('covers every decline and fault of the sandbox by a test card of the virtual terminal', () => {
  expect(shownIn('Declined')).toEqual(numbersBy(CARD_DECLINE_CODES));
  expect(shownIn('Errors')).toEqual(
    numbersBy(['answer_lost', 'never_received', 'stays_unconfirmed', 'gateway_error', 'refund_declined', 'refund_declined_once']),
  );
  expect(numbersBy(['approved', 'prepaid_balance'])).toEqual(expect.arrayContaining(shownIn('Approved')));
});
