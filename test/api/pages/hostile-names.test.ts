import { expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { describeOnAnyDatabase, expectData } from '../../support/server.ts';

import { XSS } from './hostile-names.ts';
import { CARD_FORM, openPage, pathOf, prefilledFields, submitForm } from './pay-page-client.ts';

/** Elements and attributes that the page never contains. */
const ALIVE =
  /<(?!\/?(?:html|head|body|meta|title|link|style|script|p|br|header|main|footer|section|div|h1|h2|span|table|caption|thead|tbody|tfoot|tr|th|td|form|input|fieldset|legend|label|button|a|ul|li|dl|dt|dd|strong|noscript|img)\b|!doctype)/i;
const HANDLER = /<[^>]*\s(?:on\w+|srcdoc|formaction)\s*=/i;

describeOnAnyDatabase('hostile names', (service) => {
  test('renders hostile names without additional elements, handlers or addresses', { timeout: 120_000 }, async () => {
    const fixture = service();
    const { api } = fixture;
    for (const text of XSS) {
      const { customerId } = await createCustomer(fixture, { firstName: text.slice(0, 90), lastName: text.slice(0, 90) });
      const item = { description: text, quantity: 1, unitPrice: 5 };
      const body = { customerId, items: [item], note: `${text}\n${text}`, description: text };
      const { url } = await expectData(api.admin.post<{ url: string }>('/invoices', body), 201);
      const page = await openPage(fixture, pathOf(url));
      const form = { ...prefilledFields(page), ...CARD_FORM, number: '1', name: text, email: text, zip: text };
      for (const { status, text: markup } of [page, await submitForm(fixture, pathOf(url), form)]) {
        expect([200, 400]).toContain(status);
        expect(markup).not.toMatch(ALIVE);
        expect(markup.replaceAll(/"[^"]*"/g, '""')).not.toMatch(HANDLER);
        expect(markup.match(/<script/g)).toHaveLength(1);
        expect(markup.match(/<img/g)).toBeNull();
      }
    }
  });
});
