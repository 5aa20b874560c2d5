import { type Answer, type ApiFixture, expectData } from './server.ts';
import { until } from './until.ts';

/** Returns the n-th valid card number in a range of test cards. */
export function testCard(n: number, range = '411111'): string {
  const digits = `${range}${String(n).padStart(9, '0')}`;
  const sum = [...digits].reduceRight((total, digit, index) => {
    const doubled = (digits.length - index) % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

export const STRIPE_HEADER =
  'description,name,email,id,card.address_city,card.address_country,card.address_line1,card.address_line2,card.address_state,card.address_zip,card.exp_month,card.exp_year,card.id,card.name,card.number,default_source,card.transaction_ids';

/** Returns a row of Stripe's CSV. */
export function stripeRow(
  n: number,
  { number = testCard(n), month = '12', year = '2035', customer = `cus_Old${n}`, name = `Ann Marsh${n}` } = {},
) {
  return `Since 2019,${name},ann${n}@customer.example,${customer},Portland,US,1 Main St,Apt ${n},ME,04101,${month},${year},card_${n},${name},${number},card_${n},01234567890${n}`;
}

export interface ImportRecord {
  readonly importId: string;
  readonly provider: string;
  readonly status: string;
  readonly lines: number;
  readonly imported: number;
  readonly transferKeyId: string | null;
  readonly planned: Record<string, number>;
  readonly results: Record<string, number>;
}

export interface ImportLineRecord {
  readonly line: number;
  readonly action: string;
  readonly reason: string | null;
  readonly reference: string | null;
  readonly name: string | null;
  readonly customerId: string | null;
  readonly paymentMethodId: string | null;
}

/** Sends a file of customers as a dry run. */
export function sendCustomers(
  { api }: Pick<ApiFixture, 'api'>,
  content: string | Uint8Array<ArrayBuffer>,
  merchantId: string,
): Promise<Answer<ImportRecord>> {
  const form = new FormData();
  form.set('merchantId', merchantId);
  form.set('file', new Blob([content]), 'customers.csv');
  return api.admin.post<ImportRecord>('/customers/imports', form);
}

export const linesOf = ({ api }: Pick<ApiFixture, 'api'>, importId: string, query = '') =>
  expectData(api.admin.get<ImportLineRecord[]>(`/customers/imports/${importId}/lines?limit=200${query}`));

/** Waits for the end of an import. */
export const untilDone = ({ api }: Pick<ApiFixture, 'api'>, importId: string, withinMs?: number): Promise<ImportRecord> =>
  until(
    'the import is done',
    async () => {
      const record = await expectData(api.admin.get<ImportRecord>(`/customers/imports/${importId}`));
      return record.status === 'done' ? record : undefined;
    },
    { withinMs },
  );

/** Runs an import and waits for its end. */
export async function runImport(fixture: Pick<ApiFixture, 'api'>, importId: string, body: object = {}): Promise<ImportRecord> {
  await expectData(fixture.api.admin.post(`/customers/imports/${importId}/run`, body), 202);
  return untilDone(fixture, importId);
}
