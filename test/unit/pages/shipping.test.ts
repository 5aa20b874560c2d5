import { describe, expect, test } from 'vitest';
import { countriesIn, readShipping, type ShippingValues, shippingProblem, shippingText } from '../../../server/pages/pay/shipping.ts';

const HOME = { country: 'US' };
const address = (more: Partial<ShippingValues> = {}): ShippingValues => ({
  shippingStreet: '12 Pier Road',
  shippingCity: 'Portland',
  shippingState: 'ME',
  shippingZip: '04101',
  shippingCountry: 'US',
  ...more,
});

describe('the shipping address of a pay page', () => {
  test('is one text, and names the country only if it is not that of the merchant', () => {
    expect(shippingText(address(), HOME)).toBe('12 Pier Road, Portland, ME 04101');
    expect(shippingText(address(), { country: 'CA' })).toBe('12 Pier Road, Portland, ME 04101, United States');
    const french = address({
      shippingStreet: '1 rue Cler',
      shippingCity: 'Paris',
      shippingState: '',
      shippingZip: '75007',
      shippingCountry: 'FR',
    });
    expect(shippingText(french, HOME)).toBe('1 rue Cler, Paris, 75007, France');
  });

  test('requires state and postal code only where addresses have both', () => {
    for (const field of ['shippingState', 'shippingZip'] as const) {
      expect(shippingProblem(field, address({ [field]: '' }))).toBe('missing');
      expect(shippingProblem(field, address({ [field]: '', shippingCountry: 'IE' }))).toBeNull();
    }
    expect(shippingProblem('shippingStreet', address({ shippingStreet: '' }))).toBe('missing');
    expect(shippingProblem('shippingStreet', address({ shippingStreet: 'x'.repeat(121) }))).toBe('wrong');
    for (const shippingCountry of ['XX', 'EU', 'usa'])
      expect(shippingProblem('shippingCountry', address({ shippingCountry }))).toBe('wrong');
  });

  test('has the country of the merchant by default, and at most 300 characters', () => {
    expect(readShipping((name) => (name === 'shippingCountry' ? '' : 'x'), HOME).shippingCountry).toBe('US');
    const longest = address({
      shippingStreet: 's'.repeat(120),
      shippingCity: 'c'.repeat(60),
      shippingState: 't'.repeat(40),
      shippingZip: '9'.repeat(12),
    });
    for (const [shippingCountry] of countriesIn('en')) {
      const text = shippingText({ ...longest, shippingCountry }, HOME);
      expect(text.length).toBeLessThanOrEqual(300);
    }
  });

  test('lists countries by their names in the language of the page', () => {
    const [spanish, english] = [countriesIn('es'), countriesIn('en')];
    expect(spanish).toContainEqual(['DE', 'Alemania']);
    expect(english).toContainEqual(['DE', 'Germany']);
    expect(english.length).toBeGreaterThan(240);
    for (const code of ['EU', 'UN', 'ZZ']) expect(english.map(([each]) => each)).not.toContain(code);
  });
});
