import { describe, expect } from 'vitest';
import { STRIPE_HEADER, stripeRow, testCard } from '../../support/customer-file.ts';
import { type ImportRecord, linesOf, runImport, sendCustomers } from '../../support/customer-transfer.ts';
import { expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

interface CustomerRecord {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly notes: string | null;
  readonly address: { zip?: string } | null;
  readonly externalIds: readonly { source: string; id: string }[];
  readonly defaultPaymentMethod: { last4: string } | null;
}

describe('importing lists of customers', () => {
  onAnyDatabase('names the customers of unreadable cards, and imports them without the card if the shop wants so', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const content = [
      STRIPE_HEADER,
      stripeRow(1, { number: 'XXXXXXXXXXXX1111' }),
      stripeRow(2, { number: '4111111111111112' }),
      stripeRow(3, { month: '13' }),
      stripeRow(4),
      stripeRow(5, { customer: 'cus_Old4', number: '4.11E+15', name: 'Ann Marsh4' }),
      stripeRow(6, { number: '4532015112830366' }),
    ].join('\n');
    const read = await expectData(sendCustomers(fixture, content, merchantId), 201);
    expect(read.planned).toMatchObject({ create: 1, rejected: 5 });
    const planned = await linesOf(fixture, read.importId);
    expect(planned.map(({ action, reason, name, externalId }) => [action, reason, name, externalId])).toEqual([
      ['rejected', 'masked_card_number', 'Ann Marsh1', 'cus_Old1'],
      ['rejected', 'invalid_card_number', 'Ann Marsh2', 'cus_Old2'],
      ['rejected', 'invalid_expiry', 'Ann Marsh3', 'cus_Old3'],
      ['create', null, 'Ann Marsh4', 'cus_Old4'],
      ['rejected', 'rounded_card_number', 'Ann Marsh4', 'cus_Old4'],
      ['rejected', 'not_a_test_card', 'Ann Marsh6', 'cus_Old6'],
    ]);
    const done = await runImport(fixture, read.importId, { unreadableCards: 'omit' });
    expect(done.results).toMatchObject({ create: 5, duplicate: 1, rejected: 0 });
    const customers = await expectData(fixture.api.admin.get<CustomerRecord[]>(`/customers?merchantId=${merchantId}`));
    expect(customers.map(({ lastName, defaultPaymentMethod }) => [lastName, defaultPaymentMethod?.last4 ?? null]).sort()).toEqual([
      ['Marsh1', null],
      ['Marsh2', null],
      ['Marsh3', null],
      ['Marsh4', testCard(4).slice(-4)],
      ['Marsh6', null],
    ]);
  });

  onAnyDatabase(
    'imports nobody whose ID a spreadsheet has rounded, because rounded IDs of several customers are equal',
    async (fixture) => {
      const merchantId = await createMerchant(fixture);
      const content = [
        'Customer ID,Name,Email',
        '1.23457E+11,Ann Marsh,ann@customer.example',
        '1.23457E+11,Bob Shore,bob@customer.example',
      ];
      const read = await expectData(sendCustomers(fixture, content.join('\n'), merchantId), 201);
      expect((await linesOf(fixture, read.importId)).map(({ action, reason, name }) => [action, reason, name])).toEqual([
        ['rejected', 'rounded_id', 'Ann Marsh'],
        ['rejected', 'rounded_id', 'Bob Shore'],
      ]);
    },
  );

  onAnyDatabase('leaves the customers of unreadable cards out by default', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const content = [STRIPE_HEADER, stripeRow(1, { number: 'XXXX1111' }), stripeRow(2)].join('\n');
    const read = await expectData(sendCustomers(fixture, content, merchantId), 201);
    const done = await runImport(fixture, read.importId);
    expect(done).toMatchObject({ unreadableCards: 'skip', results: { create: 1, rejected: 1 } });
    expect((await linesOf(fixture, read.importId))[0]).toMatchObject({
      action: 'rejected',
      reason: 'masked_card_number',
      isImported: false,
    });
  });

  onAnyDatabase('imports a list of another product once, however often it is sent', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const content = [
      'Harbor Shop, customer contact list',
      'Customer,Main Email,Main Phone,Street Address,City,State,ZIP,Open Balance',
      '"van der Berg, Anna Maria",anna@customer.example,0044 20 7946 0958,1 Main St,Portland,ME,4101,12.50',
      '"Marsh, Ann",,(207) 555-0142,2 Main St,Portland,ME,4101,',
    ].join('\n');
    const read = await expectData(sendCustomers(fixture, content, merchantId), 201);
    expect(read).toMatchObject({ provider: 'list', planned: { create: 2 }, ignoredColumns: ['Open Balance'] });
    const customersOf = async () => (await linesOf(fixture, read.importId)).map(({ name, customer }) => [name, customer]);
    expect(await customersOf()).toEqual([
      [
        'Anna Maria van der Berg',
        { company: null, email: 'anna@customer.example', phone: '+442079460958', address: '1 Main St, Portland, ME, 04101' },
      ],
      ['Ann Marsh', { company: null, email: null, phone: '+12075550142', address: '2 Main St, Portland, ME, 04101' }],
    ]);
    await runImport(fixture, read.importId);
    expect((await customersOf()).map(([, customer]) => customer)).toEqual([null, null]);
    const customers = await expectData(fixture.api.admin.get<CustomerRecord[]>(`/customers?merchantId=${merchantId}`));
    expect(customers.map(({ firstName, lastName, phone, address }) => [lastName, firstName, phone, address?.zip]).sort()).toEqual([
      ['Marsh', 'Ann', '+12075550142', '04101'],
      ['van der Berg', 'Anna Maria', '+442079460958', '04101'],
    ]);
    const again = await expectData(sendCustomers(fixture, content, merchantId), 201);
    expect(again.planned).toMatchObject({ create: 0, duplicate: 2 });
  });

  onAnyDatabase('asks for the columns of an unknown list, and reads it with a mapping', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const content = `Kunde;Post;Karte;Ablauf\nAnn Marsh;ann@customer.example;${testCard(1)};12/35\n`;
    const error = await expectError(sendCustomers(fixture, content, merchantId), 400, 'VALIDATION_ERROR', 'file');
    expect(error.details).toEqual({ line: 1, columns: ['Kunde', 'Post', 'Karte', 'Ablauf'] });
    const mapping = { name: 'Kunde', email: 'Post', number: 'Karte', expiry: 'Ablauf' };
    const read = await expectData(sendCustomers(fixture, content, merchantId, mapping), 201);
    expect(read.planned).toMatchObject({ create: 1 });
    await expectError(sendCustomers(fixture, content, merchantId, { title: 'Kunde' }), 400, 'VALIDATION_ERROR');
    const unchanged = await expectData(fixture.api.admin.get<ImportRecord[]>(`/customers/imports?merchantId=${merchantId}`));
    expect(unchanged).toHaveLength(1);
  });
});
