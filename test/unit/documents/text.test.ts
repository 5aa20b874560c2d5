import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money, parseCurrency } from '#core/kernel';
import { brandOf, escapeHtml, formatDay, formatMoney, formatTime, plain, plainLines, readableColor } from '#core/platform/documents';

describe('plain text', () => {
  test('reduces text to one line without control, format and direction characters', () => {
    expect(plain('  a\tb\r\nc\u001b@\u0000 \u202eevil\u2066\u200b\ufeff ')).toBe('a b c @ evil');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(plain(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test('keeps accents, other scripts and pictographs', () => {
    for (const text of ['Señora Peña', 'naïve café', '株式会社 東京', 'مرحبا', '👍 ok', 'Жук', 'हिन्दी']) expect(plain(text)).toBe(text);
  });

  test('limits combining marks so that they do not overlap other lines', () => {
    expect([...plain(`Z${'\u0301'.repeat(50)}a`)].length).toBeLessThan(8);
  });

  test('reduces a card number to its last four digits, however it is written', () => {
    for (const number of [
      '4111111111111111',
      '4111 1111-1111.1111',
      '4111\u200b1111\u200b1111\u200b1111',
      '４１１１１１１１１１１１１１１１',
      '3782 822463 10005',
    ])
      expect(plain(`card ${number}, thanks`)).toMatch(/^card \*{4}(1111|0005), thanks$/);
    expect(plain('order 1234567890123456')).toBe('order 1234567890123456');
  });

  test('drops empty lines of multi-line text', () => {
    expect(plainLines('one\r\n\r\n two \u001b\nthree')).toEqual(['one', 'two', 'three']);
    expect(plainLines(null)).toEqual([]);
  });

  test('escapes text for elements and attributes', () => {
    expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;');
  });
});

describe('displayed money and time', () => {
  test.each([
    [450_000, 'USD', '4,500.00 USD'],
    [5, 'USD', '0.05 USD'],
    [-1_000, 'USD', '-10.00 USD'],
    [450_000, 'JPY', '450,000 JPY'],
    [1_234_567, 'KWD', '1,234.567 KWD'],
    [450_000, 'HUF', '4,500.00 HUF'],
    [9_007_199_254_740_991, 'USD', '90,071,992,547,409.91 USD'],
  ])('formats %s minor units of %s as %s', (minor, code, written) => {
    for (const language of ['en', 'es'] as const) expect(formatMoney(money(minor, parseCurrency(code)), language)).toBe(written);
  });

  test('formats dates and times in time zone and language, with plain spaces', () => {
    const iso = '2026-03-08T06:59:59.000Z';
    expect(formatTime(iso, 'America/New_York', 'en')).toBe('Mar 8, 2026, 1:59 AM');
    expect(formatTime(iso, 'Asia/Tokyo', 'en')).toBe('Mar 8, 2026, 3:59 PM');
    expect(formatTime(iso, 'America/New_York', 'es')).toMatch(/^8 mar 2026, 1:59 a\. ?m\.$/);
    expect(formatDay('2026-12-31', 'en')).toBe('Dec 31, 2026');
    expect(formatDay('2026-12-31', 'es')).toBe('31 dic 2026');
  });
});

describe('brand colors', () => {
  const channel = (part: number) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (hex: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16))) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (left: string, right: string) => {
    const [dark, light] = [luminance(left), luminance(right)].sort((a, b) => a - b) as [number, number];
    return (light + 0.05) / (dark + 0.05);
  };

  test('darkens brand colors until they are readable, and keeps those that already are', () => {
    const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(hex, hex, (color, ground) => {
        expect(contrast(readableColor(color, ground), ground)).toBeGreaterThanOrEqual(4.5);
      }),
    );
    expect(readableColor('#0f5c73', '#ffffff')).toBe('#0f5c73');
  });
});

describe('the brand of a merchant', () => {
  const merchant = {
    name: 'Harbour\u0000 Cycle Works',
    email: 'shop@harbour.example',
    phone: null,
    address: '1 Quay Street',
    city: 'Portland',
    state: 'ME',
    zip: '04101',
    branding: { logoUrl: null, primaryColor: '#0F5C73', accentColor: 'red;}', companyName: '' },
  };

  test('lists name and address of the merchant, a line each', () => {
    const brand = brandOf(merchant);
    expect(brand.companyName).toBe('Harbour Cycle Works');
    expect(brand.lines).toEqual(['1 Quay Street', 'Portland, ME 04101', 'shop@harbour.example']);
    expect(brand.accentColor).toMatch(/^#[0-9a-f]{6}$/i);
  });

  test('shows a stored logo, and loads none from another host', () => {
    const withLogo = (logoUrl: string) => brandOf({ ...merchant, branding: { ...merchant.branding, logoUrl } }).logo;
    expect(withLogo('data:image/png;base64,iVBORw0KGgo=')).toMatchObject({ type: 'image/png' });
    expect(withLogo('https://cdn.example/logo.png')).toBeNull();
    expect(withLogo('data:image/svg+xml;base64,PHN2Zz4=')).toBeNull();
  });
});
