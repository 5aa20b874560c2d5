import { describe, expect, test } from 'vitest';
// The readers have no effect outside of the capability, so they are tested from inside.
import { type CustomerMapping, FileFault, type RecordRules, readCustomers } from '../../../core/operation/customer-transfer/files/index.ts';
import { checkBankAccount, checkCard } from '../../../core/records/vault/checks.ts';
import { STRIPE_HEADER, stripeRow, testCard } from '../../support/customer-file.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const RULES: RecordRules = {
  checkCard: (card) => checkCard(card, NOW),
  checkBankAccount,
  phoneOf: (text) => (/\d{10}/.test(text.replace(/\D/g, '')) ? `+1${text.replace(/\D/g, '').slice(-10)}` : null),
  allowsCard: () => true,
  country: 'US',
};

/** Reads a file in pieces of a few bytes, so that every boundary of a piece is met. */
async function read(content: string | Buffer, pieceBytes = 7, mapping?: CustomerMapping) {
  const bytes = Buffer.from(content);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const records = [];
  for await (const record of readCustomers(pieces(), RULES, mapping)) records.push(record);
  return records;
}

const CARD = testCard(1);

describe('recognizing the layout of a file', () => {
  const cases: readonly [string, string, string][] = [
    ['CSV of Stripe cards', `${STRIPE_HEADER}\n${stripeRow(1)}\n`, 'stripe'],
    [
      'CSV of Stripe bank accounts',
      'customer_id,customer_created,name,email,description,default_source,bank_account_id,routing_number,account_number,account_holder_name,account_holder_type,country,use\ncus_1,2021-06-09T00:08:59Z,Ann Marsh,a@b.example,,ba_1,ba_1,110000000,000123456789,Ann Marsh,individual,US,checking',
      'stripe',
    ],
    [
      'JSON of Stripe',
      JSON.stringify([
        {
          id: 'cus_1',
          name: 'Ann Marsh',
          email: 'a@b.example',
          cards: [{ id: 'card_1', number: CARD, exp_month: 1, exp_year: 2031, address_city: 'Bath' }],
        },
      ]),
      'stripe',
    ],
    [
      'JSON of Stripe with lists as objects',
      JSON.stringify({
        data: [
          {
            id: 'cus_1',
            name: 'Ann Marsh',
            sources: { object: 'list', data: [{ id: 'card_1', number: CARD, exp_month: 1, exp_year: 2031 }] },
          },
        ],
      }),
      'stripe',
    ],
    [
      'CSV of Authorize.Net',
      `CustomerProfileId,CustomerPaymentProfileId,Email,BillTo FirstName,BillTo LastName,CardNumber,ExpirationDate\n10001,20001,a@b.example,Ann,Marsh,${CARD},2031-01\n`,
      'authorizenet',
    ],
    [
      'JSON of Authorize.Net',
      JSON.stringify({
        profiles: [
          {
            customerProfileId: '10001',
            email: 'a@b.example',
            paymentProfiles: [
              {
                customerPaymentProfileId: '20001',
                billTo: { firstName: 'Ann', lastName: 'Marsh', city: 'Bath' },
                payment: { creditCard: { cardNumber: CARD, expirationDate: '2031-01' } },
                originalNetworkTransId: '0123456789ABCDE',
              },
            ],
          },
        ],
      }),
      'authorizenet',
    ],
    [
      'CSV of NMI',
      `customer_vault_id;first_name;last_name;email;postal_code;cc_number;cc_exp;check_aba;check_account\n500;Ann;Marsh;a@b.example;04101;${CARD};0131;;\n`,
      'nmi',
    ],
    [
      'JSON of NMI',
      JSON.stringify({
        nm_response: {
          customer_vault: {
            customer: [{ customer_vault_id: '500', first_name: 'Ann', last_name: 'Marsh', cc_number: CARD, cc_exp: '131' }],
          },
        },
      }),
      'nmi',
    ],
    [
      'JSON Lines of Paydesk',
      `{"format":"paydesk-customers","version":1}\n${JSON.stringify({ customerId: 'cus_1', firstName: 'Ann', lastName: 'Marsh', paymentMethods: [{ paymentMethodId: 'pm_1', cardNumber: CARD, expiryMonth: '01', expiryYear: '2031' }] })}\n`,
      'paydesk',
    ],
    ['CSV of Paydesk', `customerId,lastName,firstName,cardNumber,expiryMonth,expiryYear\nA1,Marsh,Ann,${CARD},01,2031`, 'paydesk'],
  ];
  test.each(cases)('reads %s in pieces of any size', async (_, content, provider) => {
    for (const size of [1, 7, 4_096]) {
      const [first, ...others] = await read(content, size);
      expect(others).toEqual([]);
      expect(first).toMatchObject({
        provider,
        reason: null,
        record: { customer: { firstName: 'Ann', lastName: expect.stringMatching(/^Marsh/) } },
      });
      expect(first?.record?.source).not.toBeNull();
    }
  });

  test('keeps identifiers, addresses, the default card and the reference of the network', async () => {
    const [record] = await read(`${STRIPE_HEADER}\n${stripeRow(1)}`);
    expect(record?.record).toMatchObject({
      ids: [{ source: 'stripe', id: 'cus_Old1' }],
      methodId: 'card_1',
      networkTransactionId: '012345678901',
      isDefault: true,
      customer: {
        email: 'ann1@customer.example',
        address: { street: '1 Main St, Apt 1', city: 'Portland', state: 'ME', zip: '04101', country: 'US' },
      },
      source: { kind: 'card', number: CARD, expiryMonth: '12', expiryYear: '2035', brand: 'visa' },
    });
  });
});

test.each([2, '1'])("refuses Paydesk's own layout with the version %j", async (version) => {
  const fault = await read(`${JSON.stringify({ format: 'paydesk-customers', version })}\n{"customerId":"A","firstName":"Ann"}\n`).catch(
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(FileFault);
  expect(fault).toMatchObject({ line: 1, message: 'only version 1 of this layout can be read' });
});

describe('wrong lines of a file', () => {
  const row = (cells: string) => `customerId,firstName,email,notes,cardNumber,expiryMonth,expiryYear,routingNumber,accountNumber\n${cells}`;
  test.each([
    ['no name', `A,,,,${CARD},1,2031,,`, 'missing_name'],
    ['no identifier', `,Ann,,,${CARD},1,2031,,`, 'missing_id'],
    ['a wrong email address', `A,Ann,ann@,,${CARD},1,2031,,`, 'invalid_email'],
    ['a card number in a text', `A,Ann,,card ${CARD},${CARD},1,2031,,`, 'card_number_in_text'],
    ['a text that is too long', `A,${'x'.repeat(101)},,,${CARD},1,2031,,`, 'text_too_long'],
    ['a NUL character', `A,An\u0000n,,,${CARD},1,2031,,`, 'unreadable'],
    ['more cells than columns', `A,Ann,,,${CARD},1,2031,,,,more`, 'unreadable'],
  ])('rejects a line with %s and reads the next one', async (_, line, reason) => {
    const records = await read(row(`${line}\nB,Bo,,,${testCard(2)},1,2031,,`));
    expect(records).toMatchObject([
      { line: 2, record: null, reason },
      { line: 3, reason: null },
    ]);
    expect(JSON.stringify(records[0])).not.toContain('4111');
  });

  test.each([
    ['a wrong check digit', `A,Ann,,,4111111111111112,1,2031,,`, 'invalid_card_number'],
    ['a number that a spreadsheet rounded', `A,Ann,,,4.11111E+15,1,2031,,`, 'rounded_card_number'],
    ['a masked number', `A,Ann,,,XXXXXXXXXXXX1111,1,2031,,`, 'masked_card_number'],
    ['a wrong month', `A,Ann,,,${CARD},13,2031,,`, 'invalid_expiry'],
    ['no expiry', `A,Ann,,,${CARD},,,,`, 'invalid_expiry'],
    ['a wrong routing number', `A,Ann,,,,,,123456789,12345`, 'invalid_bank_account'],
  ])('keeps the customer of a line with %s without it, for a decision of the shop', async (_, line, reason) => {
    const [record] = await read(row(line));
    expect(record).toMatchObject({
      reason,
      person: { name: 'Ann', externalId: 'A' },
      record: { source: null, isMethodUnreadable: true, customer: { firstName: 'Ann' } },
    });
    expect(JSON.stringify(record)).not.toContain('4111');
  });

  test('names the person of a line that is rejected', async () => {
    const [record] = await read(row(`A,Ann ${CARD},ann@,,${CARD},1,2031,,`));
    expect(record).toMatchObject({ record: null, person: { name: 'Ann [card number]', externalId: 'A' } });
  });

  test('imports the customer of an expired card without the card', async () => {
    const [record] = await read(row(`A,Ann,,,${CARD},1,2020,,`));
    expect(record).toMatchObject({ reason: 'expired_card', record: { source: null, customer: { firstName: 'Ann' } } });
  });

  test('rejects a line of ten megabytes, and reads the lines after it', async () => {
    const records = await read(row(`A,${'x'.repeat(10_000_000)},,,${CARD},1,2031,,\nB,Bo,,,${CARD},1,2031,,`), 65_536);
    expect(records).toMatchObject([
      { line: 2, reason: 'unreadable' },
      { line: 3, reason: null },
    ]);
    const long = `[{"customerId":"A","notes":"${'x'.repeat(10_000_000)}"},\n{"customerId":"B","firstName":"Bo","paymentMethods":[]}]`;
    expect(await read(long, 65_536)).toMatchObject([
      { line: 1, reason: 'unreadable' },
      { line: 2, reason: null },
    ]);
  });

  test('continues after a JSON record that is not closed correctly', async () => {
    const good = (id: string) => JSON.stringify({ customerId: id, firstName: 'Bo', paymentMethods: [] });
    const records = await read(`${good('A')}\n{"customerId":"B","firstName":"Bo\n${good('C')}\n{"customerId" "D"}\n${good('E')}`);
    expect(records.map(({ line, reason }) => [line, reason])).toEqual([
      [1, null],
      [2, 'unreadable'],
      [3, null],
      [4, 'unreadable'],
      [5, null],
    ]);
  });
});

describe('files that are unreadable as a whole', () => {
  test.each([
    ['an unknown layout', 'a,b\n1,2', /layout is unknown/],
    ['an empty file', ' \n', /empty/],
    ['a file that breaks off', '[{"customerId":"A","paymentMethods":[]},{"customerId":', /middle of a record/],
    ['no JSON', '[{"customerId":"A","paymentMethods":[]}] trailing', /not valid JSON/],
    ['values nested too deeply', '['.repeat(100_000), /nested too deeply/],
  ])('refuses %s', async (_, content, message) => {
    const error = await read(content).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(FileFault);
    expect((error as FileFault).message).toMatch(message);
  });

  test('names the line of an unknown layout without its content', async () => {
    const error = await read(`name,card\nAnn,${CARD}`).catch((cause: unknown) => cause);
    expect(String(error)).not.toContain(CARD);
  });
});

describe('lists of customers without cards', () => {
  const person = {
    firstName: 'Ann',
    lastName: 'Marsh',
    email: 'ann@customer.example',
    address: { street: '1 Main St', city: 'Portland', state: 'ME', zip: '04101' },
  };
  test.each([
    [
      'Stripe',
      'id,Description,Email,Name,Created (UTC),Delinquent,Card ID,Card Last4,Card Brand,Card Address Line1,Card Address City,Card Address State,Card Address Zip\ncus_1,,ann@customer.example,Ann Marsh,2021-06-09 00:08,false,card_1,4242,Visa,1 Main St,Portland,ME,04101',
      [{ source: 'stripe', id: 'cus_1' }],
    ],
    [
      'Square',
      "Reference ID,First Name,Last Name,Email Address,Phone Number,Company Name,Street Address 1,City,State,Postal Code,Memo,Square Customer ID\n,Ann,Marsh,ann@customer.example,'+12075550142,,1 Main St,Portland,ME,4101,,SQ1",
      [{ source: 'square', id: 'SQ1' }],
    ],
    [
      'Shopify',
      "Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Address1,Default Address City,Default Address Province Code,Default Address Zip\n'6001,Ann,Marsh,ann@customer.example,yes,1 Main St,Portland,ME,'04101",
      [{ source: 'shopify', id: '6001' }],
    ],
    [
      'an accounting program, after the name of the report',
      'Harbor Shop\nCustomer contact list\n\nCustomer,Main Email,Street Address,City,State,ZIP\n"Marsh, Ann",ann@customer.example,1 Main St,Portland,ME,4101',
      [],
    ],
    [
      'a spreadsheet with its separator',
      'sep=;\nFirst name;Surname;E-mail address;Address;Town;State;Zip code\nAnn;Marsh;ANN@customer.example;1 Main St;Portland;ME;04101',
      [],
    ],
  ])('reads the list of %s', async (_, content, ids) => {
    const [record, ...others] = await read(content);
    expect(others).toEqual([]);
    expect(record).toMatchObject({ reason: null, record: { ids, source: null, customer: person } });
  });

  test('reads a list by a mapping of its columns, with cards', async () => {
    const mapping = { name: 'Cliente', email: 'Correo electrónico', zip: 'C.P.', number: 'Tarjeta', expiry: 'Vence' };
    const content = `Cliente;Correo electrónico;C.P.;Tarjeta;Vence\nAnn Marsh;ann@customer.example;28001;="${CARD}";Dec-35\n`;
    expect(await read(content, 7, mapping)).toMatchObject([
      {
        provider: 'list',
        reason: null,
        record: { customer: { lastName: 'Marsh' }, source: { number: CARD, expiryMonth: '12', expiryYear: '2035' } },
      },
    ]);
    const fault = await read(content, 7, { ...mapping, phone: 'Teléfono' }).catch((error: unknown) => error);
    expect(fault).toMatchObject({ line: 1, columns: ['Cliente', 'Correo electrónico', 'C.P.', 'Tarjeta', 'Vence'] });
  });

  test('asks for a mapping if a list has a column of numbers', async () => {
    const fault = await read(`Name,Email,Card number\nAnn,ann@customer.example,${CARD}`).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(FileFault);
    expect(fault).toMatchObject({ columns: ['Name', 'Email', 'Card number'] });
  });

  const list = async (header: string, row: string) => (await read(`${header}\n${row}`))[0];

  test.each([
    ['van der Berg, Anna Maria', { firstName: 'Anna Maria', lastName: 'van der Berg', company: null }],
    ['Anna Maria Berg', { firstName: 'Anna Maria', lastName: 'Berg', company: null }],
    ['Harbor Cafe, Inc.', { firstName: null, lastName: null, company: 'Harbor Cafe, Inc.' }],
    ['John Marsh, Jr.', { firstName: 'John', lastName: 'Marsh, Jr.', company: null }],
    ['Marsh', { firstName: null, lastName: 'Marsh', company: null }],
  ])('divides the name %s', async (name, expected) => {
    expect((await list('Name,Email', `"${name}",a@b.example`))?.record?.customer).toMatchObject(expected);
  });

  test.each([
    ['4101', 'ME', 'United States', '04101'],
    ['501', 'NY', 'US', '00501'],
    ['21341234', 'MA', 'USA', '02134-1234'],
    ['2134-1234', 'MA', '', '02134-1234'],
    ['2000', 'NSW', '', '2000'],
    ['4101', 'ME', 'Australia', '4101'],
    ['SW1A 1AA', '', 'United Kingdom', 'SW1A 1AA'],
  ])('reads the ZIP code %s in %s, %s as %s', async (zip, state, country, expected) => {
    const found = await list('Name,Email,State,ZIP,Country', `Ann,a@b.example,${state},${zip},${country}`);
    expect(found?.record?.customer.address?.zip).toBe(expected);
  });

  test('keeps in the notes what the fields cannot hold, and says so', async () => {
    expect(await list('Name,Email,Phone,Notes', 'Ann,a@b.example; C@d.example,,VIP')).toMatchObject({
      reason: 'several_emails',
      record: { customer: { email: 'a@b.example', notes: 'VIP\nc@d.example' } },
    });
    expect(await list('Name,Email,Phone,Notes', 'Ann,a@b.example,ask the desk,')).toMatchObject({
      reason: 'invalid_phone',
      record: { customer: { phone: null, notes: 'ask the desk' } },
    });
  });

  test('gives a customer without an ID and an email address the same ID in every import', async () => {
    const ids = async (row: string) => (await list('Name,Phone,Street', row))?.record?.ids;
    const first = await ids('Ann Marsh,2075550142,1 Main St');
    expect(first).toEqual([{ source: 'list', id: expect.stringMatching(/^row-/) }]);
    expect(await ids('ann marsh,2075550142,1 Main St')).toEqual(first);
    expect(await ids('Ann Marsh,2075550143,1 Main St')).not.toEqual(first);
  });
});

describe('files in other formats', () => {
  test.each([
    ['PK\u0003\u0004', /a ZIP archive or a spreadsheet/],
    ['%PDF-1.7', /a PDF/],
    ['<!doctype html><html>', /a web page/],
  ])('names the format of %j', async (content, message) => {
    const fault = await read(content).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(FileFault);
    expect((fault as FileFault).message).toMatch(message);
  });
});

test.each([
  ['Dec', '2035', '12', '2035'],
  ['diciembre', '35', '12', '2035'],
])('reads the month %s of an expiry', async (month, year, expiryMonth, expiryYear) => {
  const [record] = await read(`customerId,firstName,cardNumber,expiryMonth,expiryYear\nA,Ann,'${CARD},${month},${year}`);
  expect(record).toMatchObject({ reason: null, record: { source: { number: CARD, expiryMonth, expiryYear } } });
});

test.each(['31-Dec', 'Dec-31', '12/31', "'1231"])('reads the expiry %s as spreadsheets write it', async (expiry) => {
  const [record] = await read(`customer_vault_id,first_name,cc_number,cc_exp\n5,Ann,${CARD},${expiry}`);
  expect(record).toMatchObject({ reason: null, record: { source: { expiryMonth: '12', expiryYear: '2031' } } });
});

describe('encodings', () => {
  const text = `customerId,firstName,cardNumber,expiryMonth,expiryYear\nA,Zoë,${CARD},1,2031\n`;
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['Windows-1252', Buffer.from(text, 'latin1')],
  ])('reads %s', async (_, content) => {
    expect(await read(content)).toMatchObject([{ record: { customer: { firstName: 'Zoë' } } }]);
  });

  test('keeps a formula as the text that it is', async () => {
    const [record] = await read(`customerId,firstName,cardNumber,expiryMonth,expiryYear\nA,"=HYPERLINK(""http://x"")",${CARD},1,2031`);
    expect(record?.record?.customer.firstName).toBe('=HYPERLINK("http://x")');
  });
});
