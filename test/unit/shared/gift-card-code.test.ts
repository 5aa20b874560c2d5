import { describe, expect, test } from 'vitest';
import { isMadeGiftCardCode, isWholeGiftCardCode } from '#shared/gift-card-code';
import { newCode } from '../../../core/sales/gift-cards/code.ts';

describe('whole codes of gift cards', () => {
  const CODES = [
    'X4TN-81QB-0KDW-7K2M',
    'x4tn 81qb 0kdw 7k2m',
    'X4TN81QB0KDW7K2M',
    // O, I and L as they are read on the card.
    'x4tn-8lqb-okdw-7k2m',
    'ABCD-EFGH-JKMN-PQRS',
    '6006491234567890123456789',
    '60064-91234-56789-01234-56789',
    'AB12-CD345-XYZ987-1234',
    'GIFT2026A7Q9X4TN',
    ';6006491234567890=4912?',
    '%B6006491234567890^GIFT^4912?',
  ];
  const OTHERS = [
    '7K2M',
    // A printed code that is so short needs its PIN.
    'GIFT2026A7Q9',
    'X4TN-81QB',
    '+44 20 7946 0958',
    '442079460958123',
    '(212) 555-0148',
    'ida@friends.example',
    'gcd_01KB0000000000000000000000',
    'INV-2026-00012',
    'Christopherson-Smithers',
    'Wohnungsbaugesellschaft',
    'Hotel 21 Barcelona',
    '3 Brothers Plumbing',
    'Anna Lena Mary Lou',
    '',
    '%',
  ];
  test.each(CODES)('include %s', (code) => expect(isWholeGiftCardCode(code)).toBe(true));
  test.each(OTHERS)('do not include "%s"', (text) => expect(isWholeGiftCardCode(text)).toBe(false));

  test('include every new code, in groups and in one word', () => {
    const codes = Array.from({ length: 2_000 }, newCode);
    expect(codes.filter((code) => !isWholeGiftCardCode(code) || !isWholeGiftCardCode(code.replaceAll('-', '').toLowerCase()))).toEqual([]);
  });
});

describe('the shape of codes that Paydesk made', () => {
  test.each(['X4TN-81QB-0KDW-7K2M', 'x4tn 81qb 0kdw 7k2m', 'X4TN81QB0KDW7K2M', '%X4TN81QB0KDW7K2M?', ';X4TN-81QB-0KDW-7K2M?'])(
    'includes %s',
    (code) => expect(isMadeGiftCardCode(code)).toBe(true),
  );

  test.each([
    'WEB2026000001234',
    'ORDER-2026-00012',
    '2026-1130-0001-0042',
    'SHOP-2026-WEST-0042',
    'US2026WEB0000123',
    '113-1234567-1234567',
    '1234567890123456',
    '5f3a9c0e1b2d4a77',
    '8RT54821AB1234567',
    'pi_3NxYz2abCdEf45',
    'gcd_01KB0000000000000000000000',
    'txn_01kb0000000000000000000000',
    'ida@friends.example',
    'Anne Jane Mary Beth',
    '4111 1111 1111 1111',
    '',
    '%',
  ])('excludes "%s"', (text) => expect(isMadeGiftCardCode(text)).toBe(false));

  test('includes at least 96 of 100 new codes, in groups and in one word', () => {
    const codes = Array.from({ length: 2_000 }, newCode);
    for (const shown of [codes, codes.map((code) => code.replaceAll('-', '').toLowerCase())])
      expect(shown.filter(isMadeGiftCardCode).length).toBeGreaterThan(0.96 * codes.length);
  });
});
