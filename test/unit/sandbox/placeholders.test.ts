import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { SANDBOX_CARDS } from '#core/processing/gateways';
import {
  ANY,
  type Bindings,
  differenceOf,
  IdNames,
  resolvePlaceholders,
  storedRequest,
  storedResponse,
  withPlaceholders,
} from '../../../core/operation/sandbox/recorder/placeholders.ts';
import { parseRecording } from '../../../core/operation/sandbox/recorder/recording-file.ts';
import { startIn } from '../../../core/operation/sandbox/recorder/start.ts';
import { nameOfTestData, testDataOf } from '../../../core/operation/sandbox/recorder/test-data-names.ts';

const START = startIn('UTC', Date.parse('2026-11-24T10:00:00.000Z'));
const TXN = 'txn_01m86q76bs00003fm5bma91khe';
const OTHER_TXN = 'txn_01m86q76bs00003fm5bma91khf';
const bindings = (): Bindings => ({ ids: new Map(), start: startIn('UTC', Date.parse('2027-02-01T10:00:00.000Z')) });

describe('names of test data', () => {
  test.each(Object.keys(SANDBOX_CARDS))('names the test card %s and finds it again', (number) => {
    const name = nameOfTestData('CardNumber', number);
    expect(name).not.toContain(number.slice(-6));
    expect(testDataOf(name)).toBe(number);
  });

  test('keeps the length, first digit, last four digits and validity of another card', () => {
    const name = nameOfTestData('number', '4012 8888 8888 1881');
    expect(name).toBe('$card(other-16-4-1881)');
    expect(testDataOf(name)).toMatch(/^4\d{11}1881$/);
    expect(nameOfTestData('number', testDataOf(name))).toBe(name);
    expect(testDataOf(nameOfTestData('number', '4012888888881882'))).toBe('4111111111111112');
  });

  test.each(['123', '901', '903', '904', '1123', '1901'])('keeps the outcome of the security code %s', (code) => {
    expect(testDataOf(nameOfTestData('cvv', code))).toBe(code);
  });

  test('refuses unknown names', () => {
    expect(() => testDataOf('$card(unknown)')).toThrow('is not a test card');
  });
});

describe('placeholders', () => {
  const names = new IdNames();
  const recorded = withPlaceholders(
    { transactionId: TXN, other: OTHER_TXN, link: `/pay/${TXN}`, createdAt: '2026-11-24T10:05:00.500Z', dueDate: '2026-12-01', amount: 5 },
    names,
    START,
  );

  test('name IDs in the order of their appearance, and times and dates relative to the start', () => {
    expect(recorded).toEqual({
      transactionId: '$txn1',
      other: '$txn2',
      link: '/pay/$txn1',
      createdAt: '$time(300.5)',
      dueDate: '$date(7)',
      amount: 5,
    });
  });

  test('match other IDs and times at the same places, and bind the names', () => {
    const bound = bindings();
    const actual = {
      transactionId: OTHER_TXN,
      other: TXN,
      link: `/pay/${OTHER_TXN}`,
      createdAt: '2027-02-01T10:05:02.000Z',
      dueDate: '2027-02-08',
      amount: 5,
    };
    expect(differenceOf(recorded, actual, bound)).toBeNull();
    expect(resolvePlaceholders({ id: '$txn1', at: '$time(60)', day: '$date(1)' }, bound, testDataOf)).toEqual({
      id: OTHER_TXN,
      at: '2027-02-01T10:01:00.000Z',
      day: '2027-02-02',
    });
    expect(differenceOf('$txn1', TXN, bound)).toMatchObject({ expected: '$txn1', actual: TXN });
  });

  test.each([
    ['a value', { a: { b: 1 } }, { a: { b: 2 } }, 'a.b'],
    ['a missing field', { a: 1, b: 2 }, { a: 1 }, 'b'],
    ['a new field', { a: 1 }, { a: 1, b: 2 }, 'b'],
    ['the length of a list', { list: [1] }, { list: [1, 2] }, 'list.1'],
    ['a time', '$time(10)', '2027-02-01T10:01:00.000Z', ''],
    ['a date', '$date(1)', '2027-02-03', ''],
  ])('find %s that differs', (_, expected, actual, place) => {
    expect(differenceOf(expected, actual, bindings())?.place).toBe(place);
  });

  test('accept the length of months for dates that are a month ahead', () => {
    expect(differenceOf('$date(31)', '2027-03-01', bindings())).toBeNull();
  });

  test('storage contains no card number, security code or secret', () => {
    const request = {
      CardNumber: '4111111111111111',
      CVV: '123',
      bankAccount: { accountNumber: '000123456789' },
      note: 'call 4111111111111111',
    };
    expect(storedRequest(request)).toEqual({
      CardNumber: '$card(visa)',
      CVV: '$cvv(match)',
      bankAccount: { accountNumber: '$account(6789)' },
      note: 'call ****1111',
    });
    expect(storedResponse({ secret: 'whsec_x', authCode: '1', status: 'approved' })).toEqual({
      secret: ANY,
      authCode: ANY,
      status: 'approved',
    });
  });
});

describe('recording file', () => {
  const header = '{"paydesk":"recording","version":1,"name":"x","startsAt":"10:00:00.000","steps":1}';

  test.each([
    ['', 'Line 1 is not a JSON object.'],
    ['{}', 'The first line must be the header'],
    [header.replace('10:00:00', '25:00:00'), 'The first line must be the header'],
    [`${header}\n[]`, 'Line 2 is not a JSON object.'],
    [`${header}\n{"step":1}`, 'Line 2 is not a step'],
  ])('refuses %j', async (text, message) => {
    await expect(parseRecording(Readable.from([text]))).rejects.toThrow(message);
  });
});
