import { ofx, type StatementTruth } from './bank-files.ts';
import { type ApiFixture, expectData } from './server.ts';
import { createMerchant, sell, settle } from './settlements.ts';

export interface PayoutRecord {
  readonly payoutId: string;
  readonly reference: string;
  readonly amount: number;
  readonly paidAt: string;
}

interface DepositRecord {
  readonly shiftId: string | null;
  readonly tenderId: string | null;
  readonly refundId: string | null;
  readonly label: string;
}

export interface BankLineRecord {
  readonly lineId: string;
  readonly day: string;
  readonly bookedDay: string;
  readonly amount: number;
  readonly remaining: number;
  readonly text: string;
  readonly reference: string | null;
  readonly state: string;
  readonly suggestion: {
    readonly reason: string;
    readonly parts: readonly {
      readonly kind: string;
      readonly payout: PayoutRecord | null;
      readonly invoice?: { readonly invoiceId: string; readonly number: string; readonly customerName: string | null } | null;
      readonly deposit?: DepositRecord | null;
      readonly amount: number;
      readonly fee: number;
    }[];
    readonly ruleId?: string | null;
    readonly otherLineId?: string | null;
    readonly ambiguous?: boolean;
  } | null;
  readonly matches: readonly {
    readonly kind: string;
    readonly amount: number;
    readonly fee: number;
    readonly deposit?: DepositRecord | null;
  }[];
}

/** A merchant in UTC with a bank account, whose payouts no other test uses. */
export interface BankShop {
  readonly merchantId: string;
  readonly bankAccountId: string;
}

export async function createBankShop(fixture: ApiFixture): Promise<BankShop> {
  const merchantId = await createMerchant(fixture, { timezone: 'UTC' });
  const body = { merchantId, name: 'Checking', accountNumber: '9876543210' };
  const { bankAccountId } = await expectData(fixture.api.admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', body), 201);
  return { merchantId, bankAccountId };
}

/** Sells, settles and pays out an amount. */
export async function payOut(fixture: ApiFixture, { merchantId }: BankShop, amount: number): Promise<PayoutRecord> {
  await sell(fixture, merchantId, amount);
  await settle(fixture, merchantId);
  return expectData(fixture.api.admin.post<PayoutRecord>('/settlement/payout', { merchantId }));
}

/** Sends a file to the import of statements. */
export function sendStatement({ api }: ApiFixture, { bankAccountId }: BankShop, content: string, fields: Record<string, string> = {}) {
  const form = new FormData();
  form.set('bankAccountId', bankAccountId);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([content]), 'statement.txt');
  return api.admin.post<{ bankStatementId: string; format: string; added: number; lineCount: number; repeated: boolean }>(
    '/settlement/bank-statements',
    form,
  );
}

/** Imports lines as OFX and returns the open lines in the order of the file. */
export async function importLines(fixture: ApiFixture, shop: BankShop, lines: StatementTruth['lines']): Promise<BankLineRecord[]> {
  await expectData(sendStatement(fixture, shop, ofx({ account: '9876543210', opening: 0, lines })));
  return (await listBankLines(fixture, shop, 'state=open')).toReversed();
}

export const listBankLines = ({ api }: ApiFixture, { bankAccountId }: BankShop, query = '') =>
  expectData(api.admin.get<BankLineRecord[]>(`/settlement/bank-lines?bankAccountId=${bankAccountId}&limit=200&${query}`));

/** Returns the parts of a line's suggestion as a request. */
export const suggestedParts = ({ suggestion }: BankLineRecord) =>
  (suggestion?.parts ?? []).map(({ kind, payout, invoice, deposit, amount, fee }) => ({
    kind,
    amount: Math.abs(amount),
    ...(payout ? { payoutId: payout.payoutId } : {}),
    ...(invoice ? { invoiceId: invoice.invoiceId } : {}),
    ...(deposit?.shiftId ? { shiftId: deposit.shiftId } : {}),
    ...(deposit?.tenderId ? { tenderId: deposit.tenderId } : {}),
    ...(deposit?.refundId ? { refundId: deposit.refundId } : {}),
    ...(fee > 0 ? { fee } : {}),
  }));

/** Matches a line with parts. */
export const matchBankLine = ({ api }: ApiFixture, lineId: string, parts: readonly unknown[], headers?: Record<string, string>) =>
  api.admin.post<{ line: BankLineRecord; learnedRule: { ruleId: string; contains: string; kind: string } | null }>(
    `/settlement/bank-lines/${lineId}/match`,
    { parts },
    headers,
  );

export const undoBankMatch = ({ api }: ApiFixture, lineId: string, headers?: Record<string, string>) =>
  api.admin.delete<{ line: BankLineRecord }>(`/settlement/bank-lines/${lineId}/match`, headers);
