import { expect, test } from 'vitest';
import { emailPage, type Letterhead, withoutUnsafeCharacters } from '../../../core/records/notifications/email-page.ts';
import { plainMessage, secretWords } from '../../../core/records/notifications/outcome.ts';
import { PAYER_TEXTS } from '../../../core/records/notifications/texts.ts';

const letterhead: Letterhead = {
  brand: {
    companyName: 'Harbor & Sons',
    logo: null,
    primaryColor: '#FFFF00',
    accentColor: '#00FF00',
    lines: ['1 Pier Street', '"quoted" <i>'],
  },
  language: 'es',
  email: null,
  country: 'US',
};
const page = (text: string, html: string | null = null) => emailPage({ letterhead, language: 'es', subject: 'A <b> & c', text, html });

test('divides text into paragraphs and escapes markup', () => {
  const made = page('One & two\nthree\n\n<img src=x onerror=alert(1)>');
  expect(made).toContain('One &amp; two<br>three</p>');
  expect(made).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(made).toContain('<title>A &lt;b&gt; &amp; c</title>');
  expect(made).toContain('&quot;quoted&quot; &lt;i&gt;');
  expect(made).toContain('<html lang="es">');
});

test('links a line that is only an address, and not words around one', () => {
  const made = page('Pay here:\nhttps://pay.example/s/1?a=1&b=2\nor see https://evil.example now\njavascript:alert(1)');
  expect([...made.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual(['https://pay.example/s/1?a=1&amp;b=2']);
});

test('darkens an unreadable color', () => {
  expect(page('x').toLowerCase()).not.toContain('#ffff00');
});

test('keeps the columns of a receipt, and removes empty lines around a text', () => {
  const receipt = '      Harbor Street Coffee\nPaid by       Visa ****1111';
  expect(withoutUnsafeCharacters(`\r\n \n${receipt}\n\n`)).toBe(receipt);
});

test('removes control and direction characters', () => {
  expect(withoutUnsafeCharacters('a\u0000b\u202ec\r\nd\te\u001b[31m')).toBe('abc\nd e[31m');
  expect(plainMessage('550 no\u0007\r\nsuch \u202euser', [])).toBe('550 no such user');
  expect(plainMessage('x'.repeat(1_000), []).length).toBe(300);
});

test('removes the code of a gift card from an answer that quotes it, also one of letters only', () => {
  const code = 'ABCD-EFGH-JKMN-PQRS';
  const words = secretWords(`Your gift card has the code ${code}. Show this code when you pay.`);
  expect(plainMessage(`554 refused: the code ${code}. Show`, words)).toBe('554 refused: the code •••. Show');
});

test('notifies payers of a failed payment in both languages', () => {
  const values = {
    amount: '12.00 USD',
    merchant: 'Harbor',
    contact: ['a@b.example', '+12075550142'],
    method: { kind: 'card', brand: 'visa', last4: '0002' },
    isDeclined: true,
    next: { kind: 'retry', date: 'Dec 1, 2026' },
    updateUrl: null,
  } as const;
  expect(PAYER_TEXTS.en.failedPayment(values)).toEqual({
    subject: 'Your payment to Harbor was declined',
    body: 'Your payment of 12.00 USD to Harbor did not go through: your Visa ending in 0002 was declined. We will try again on Dec 1, 2026. To use a different card or bank account, contact a@b.example or +12075550142.',
  });
  expect(PAYER_TEXTS.en.failedPayment({ ...values, updateUrl: 'https://pay.example/card/1' }).body).toMatch(
    /To use a different card, open this page: https:\/\/pay\.example\/card\/1$/,
  );
  expect(PAYER_TEXTS.es.failedPayment({ ...values, method: null, contact: [], next: { kind: 'paused' } })).toEqual({
    subject: 'Su suscripción con Harbor',
    body: 'Su pago de 12.00 USD a Harbor no se pudo realizar: no tenemos ninguna tarjeta ni cuenta bancaria registrada. Su suscripción está en pausa. No se le cobrará nada más hasta que se reanude. Por favor, indique a Harbor otra tarjeta o cuenta bancaria.',
  });
});
