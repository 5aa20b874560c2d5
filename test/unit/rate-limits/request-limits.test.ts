import { expect, test } from 'vitest';
import { parseRequestLimits } from '#core/platform/rate-limits';

test('reads limits per minute, hour and day', () => {
  expect(parseRequestLimits('600, 20000,200000')).toEqual([600, 20_000, 200_000]);
});

test.each(['', '600', '600,20000', '1,2,3,4', '0,1,1', '-1,1,1', '1.5,1,1', 'a,b,c', '1,,1', '9999999999,1,1'])(
  'refuses %j as limits',
  (text) => {
    expect(() => parseRequestLimits(text)).toThrow('Limits are three whole numbers');
  },
);
