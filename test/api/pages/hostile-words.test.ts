import { expect, test } from 'vitest';
import { customer } from '../../support/customers.ts';
import { describeOnAnyDatabase, expectData } from '../../support/server.ts';

import { XSS } from './hostile.ts';
import { CARD_FORM, hidden, look, pathOf, press } from './payer.ts';

/** Elements and attributes that the page itself never has. */
const ALIVE =
  /<(?!\/?(?:html|head|body|meta|title|link|style|script|p|br|header|main|footer|section|div|h1|h2|span|table|caption|thead|tbody|tfoot|tr|th|td|form|input|fieldset|legend|label|button|a|ul|li|dl|dt|dd|strong|noscript|img)\b|!doctype)/i;
const HANDLER = /<[^>]*\s(?:on\w+|srcdoc|formaction)\s*=/i;

describeOnAnyDatabase('hostile names', (on) => {
  test('renders hostile names without additional elements, handlers or addresses', { timeout: 120_000 }, async () => {
    const fixture = on();
    const { api } = fixture;
    for (const text of XSS) {
      const { customerId } = await customer(fixture, { firstName: text.slice(0, 90), lastName: text.slice(0, 90) });
      const item = { description: text, quantity: 1, unitPrice: 5 };
      const body = { customerId, items: [item], note: `${text}\n${text}`, description: text };
      const { url } = await expectData(api.admin.post<{ url: string }>('/invoices', body), 201);
      const page = await look(fixture, pathOf(url));
      const form = { ...hidden(page), ...CARD_FORM, number: '1', name: text, email: text, zip: text };
      for (const { status, text: markup } of [page, await press(fixture, pathOf(url), form)]) {
        expect([200, 400]).toContain(status);
        expect(markup).not.toMatch(ALIVE);
        expect(markup.replaceAll(/"[^"]*"/g, '""')).not.toMatch(HANDLER);
        expect(markup.match(/<script/g)).toHaveLength(1);
        expect(markup.match(/<img/g)).toBeNull();
      }
    }
  });
});
