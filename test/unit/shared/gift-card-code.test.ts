import { describe, expect, test } from 'vitest';
import { isWholeGiftCardCode } from '#shared/gift-card-code';
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
