import { expect, test } from 'vitest';
import type { Merchant } from '#core/processing/merchants';
import { invoiceEmail, invoiceSms } from '../../../core/billing/invoicing/invoice-email.ts';
import type { InvoiceRow } from '../../../core/billing/invoicing/schema.ts';

const HOSTILE = '<img src=x onerror=alert(1)>\u202e\u001b[31m"\'&';
const merchant = (language: 'en' | 'es', companyName = 'Harbor & Sons') =>
  ({
    name: companyName,
    email: null,
    phone: null,
    address: null,
    city: null,
    state: null,
    zip: null,
    timezone: 'UTC',
    language,
    branding: { logoUrl: null, primaryColor: '#ffff00', accentColor: '#ffff00', companyName },
  }) as unknown as Merchant;
const row = (overrides: Partial<InvoiceRow> = {}) =>
  ({
    kind: 'invoice',
    number: 'INV-000007',
    status: 'draft',
    sent_at: null,
    currency: 'USD',
    amount_minor: 450_000,
    paid_minor: 50_000,
    due_date: '2027-01-31',
    description: null,
    expires_ms: null,
    ...overrides,
  }) as InvoiceRow;
const addresses = { url: 'https://pay.example.com/pay/x', shortUrl: 'https://pay.example.com/s/y', isLocalOnly: false };

test("names amount, due date and page in the merchant's language", () => {
  const email = invoiceEmail(row(), merchant('en'), addresses, undefined);
  expect(email.subject).toBe('Invoice INV-000007 from Harbor & Sons: 4,000.00 USD');
  expect(email.body).toBe(
    'Harbor & Sons has sent you invoice INV-000007.\n4,000.00 USD is due on Jan 31, 2027.\n\nView and pay online:\nhttps://pay.example.com/pay/x',
  );
  const spanish = invoiceEmail(row({ status: 'overdue', sent_at: 'before' }), merchant('es'), addresses, undefined);
  expect(spanish.subject).toBe('Recordatorio: factura INV-000007 de Harbor & Sons, 4,000.00 USD por pagar');
  expect(spanish.body).toContain('venció el');
  expect(invoiceSms(row(), merchant('en'), addresses)).toBe(
    'Invoice INV-000007 from Harbor & Sons, 4,000.00 USD: https://pay.example.com/s/y',
  );
  expect(invoiceSms(row({ kind: 'link' }), merchant('es'), addresses)).toBe(
    'Pague 4,000.00 USD a Harbor & Sons: https://pay.example.com/s/y',
  );
});

test('keeps typed text as text: no tag, no control character, no second line in a subject', () => {
  const email = invoiceEmail(row({ description: HOSTILE }), merchant('en', `${HOSTILE}\r\nBcc: x@evil.example`), addresses, HOSTILE);
  expect(email.subject).not.toMatch(/\p{Cc}|\p{Cf}/u);
  expect(email.html).not.toMatch(/<img|\p{Cc}|\p{Cf}/u);
  expect(email.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(email.body).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
});

test('keeps the button readable with any brand color', () => {
  const { html } = invoiceEmail(row(), merchant('en'), addresses, undefined);
  expect(html).not.toContain('background:#ffff00');
  expect(html).toMatch(/background:#[0-9a-f]{6};color:#ffffff/);
});
