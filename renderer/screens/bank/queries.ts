import { queryOptions } from '@tanstack/react-query';
import {
  ApiFailure,
  api,
  type BankMapping,
  type BankMatchBody,
  type BankRule,
  newIdempotencyKey,
  queryClient,
  takeData,
  takePage,
} from '#renderer/base/client';
import { onReset } from '#renderer/base/module-state';
import type { SORTS } from './use-view.ts';

/** Rows on a page. */
export const PAGE_SIZE = 50;
const BASE = ['settlement', 'bank'] as const;

export type LineState = 'open' | 'matched';

export const accountsQuery = (merchantId: string) =>
  queryOptions({
    queryKey: [...BASE, 'accounts', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/settlement/bank-accounts', { params: { query: { merchantId } } })),
  });

/** One page of an account's lines, newest first. */
export const linesQuery = (bankAccountId: string, state: LineState, sort: (typeof SORTS)[number], page: number) =>
  queryOptions({
    queryKey: [...BASE, 'lines', bankAccountId, state, sort, page],
    queryFn: ({ signal }) =>
      takePage(
        api.GET('/api/v1/settlement/bank-lines', {
          params: { query: { bankAccountId, state, sort, page: String(page), limit: String(PAGE_SIZE) } as never },
          signal,
        }),
      ),
    placeholderData: (before, query) => (query?.queryKey[3] === bankAccountId && query.queryKey[4] === state ? before : undefined),
    staleTime: 0,
  });

/** One line with what can be done with it. */
export const lineQuery = (lineId: string) =>
  queryOptions({
    queryKey: [...BASE, 'line', lineId],
    queryFn: () => takeData(api.GET('/api/v1/settlement/bank-lines/{lineId}', { params: { path: { lineId } } })),
    staleTime: 0,
  });

/** Totals of an account's lines. */
export const totalsQuery = (bankAccountId: string, state: LineState) =>
  queryOptions({
    queryKey: [...BASE, 'totals', bankAccountId, state],
    queryFn: () => takeData(api.GET('/api/v1/settlement/bank-lines/totals', { params: { query: { bankAccountId, state } } })),
  });

/** Payouts without a bank line. */
export const openPayoutsQuery = (merchantId: string, currency: string) =>
  queryOptions({
    queryKey: [...BASE, 'payouts', merchantId, currency],
    queryFn: () => takeData(api.GET('/api/v1/settlement/bank-payouts', { params: { query: { merchantId, currency } } })),
    staleTime: 0,
  });

/** Cash of closed shifts and checks without a bank line, or for debits the returned checks and the refunds of bank transfers. */
export const openDepositsQuery = (merchantId: string, currency: string, returned: boolean) =>
  queryOptions({
    queryKey: [...BASE, 'deposits', merchantId, currency, returned],
    queryFn: () =>
      takeData(
        api.GET('/api/v1/settlement/bank-deposits', { params: { query: { merchantId, currency, ...(returned && { returned: 'true' }) } } }),
      ),
    staleTime: 0,
  });

/** Invoices that a search finds and that can still be paid. */
export const payableInvoicesQuery = (merchantId: string, currency: string, q: string) =>
  queryOptions({
    queryKey: [...BASE, 'invoices', merchantId, currency, q],
    queryFn: async ({ signal }) => {
      const query = { merchantId, q, kind: 'invoice' as const, limit: 20 };
      const { items } = await takePage(api.GET('/api/v1/invoices', { params: { query }, signal }));
      return items.filter(
        (invoice) => invoice.currency === currency && invoice.status !== 'cancelled' && invoice.amountDue > invoice.amountPending,
      );
    },
    staleTime: 0,
  });

/** Newest payouts of batches that are not recorded as paid or failed. */
export const batchesOnTheirWayQuery = (merchantId: string, currency: string) =>
  queryOptions({
    queryKey: [...BASE, 'on-their-way', merchantId, currency],
    queryFn: async () => {
      const query = { merchantId, currency, limit: 200 };
      const { items } = await takePage(api.GET('/api/v1/settlement/batch-payouts', { params: { query } }));
      return items.filter(({ status }) => status === 'pending');
    },
    staleTime: 0,
  });

export const recordPaid = (batchId: string, key: string) =>
  takeData(
    api.POST('/api/v1/settlement/batch-payouts/{batchId}/conclude', {
      params: { path: { batchId }, header: { 'Idempotency-Key': key } },
      body: { status: 'paid' },
    }),
  );

export const rulesQuery = (merchantId: string) =>
  queryOptions({
    queryKey: [...BASE, 'rules', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/settlement/bank-rules', { params: { query: { merchantId } } })),
    staleTime: 0,
  });

export const mappingsQuery = (merchantId: string) =>
  queryOptions({
    queryKey: [...BASE, 'mappings', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/settlement/bank-mappings', { params: { query: { merchantId } } })),
    staleTime: 0,
  });

export const createAccount = (body: { merchantId: string; name: string; accountNumber?: string }) =>
  takeData(api.POST('/api/v1/settlement/bank-accounts', { body }));

export const renameAccount = (bankAccountId: string, body: { name: string; previousName: string }) =>
  takeData(api.PUT('/api/v1/settlement/bank-accounts/{bankAccountId}', { params: { path: { bankAccountId } }, body }));

/** Removes a bank account with its open lines; fails if their number has changed. */
export const removeAccount = (bankAccountId: string, openLines: number) =>
  takeData(
    api.DELETE('/api/v1/settlement/bank-accounts/{bankAccountId}', {
      params: { path: { bankAccountId }, query: { openLines: String(openLines) } },
    }),
  );

/** Uploads a statement. The mapping and its name are used for CSV only. */
export function importStatement(input: {
  bankAccountId: string;
  file: File;
  mapping?: BankMapping['mapping'];
  mappingName?: string;
  doubtfulLines?: 'add' | 'skip' | undefined;
}) {
  const form = new FormData();
  form.set('bankAccountId', input.bankAccountId);
  if (input.mapping) form.set('mapping', JSON.stringify(input.mapping));
  if (input.mappingName?.trim()) form.set('mappingName', input.mappingName.trim());
  if (input.doubtfulLines) form.set('doubtfulLines', input.doubtfulLines);
  form.set('file', input.file);
  const body = { bankAccountId: input.bankAccountId, file: input.file.name };
  return takeData(api.POST('/api/v1/settlement/bank-statements', { body, bodySerializer: () => form }));
}

/** Idempotency keys of matches without a definite response, by line and parts. */
const keys = new Map<string, string>();
onReset(() => keys.clear());

/** Sends a match. Until there is a definite response, further attempts with the same body send the same Idempotency-Key. */
async function withKey<Matched>(attempt: string, send: (header: { 'Idempotency-Key': string }) => Promise<Matched>): Promise<Matched> {
  const key = keys.get(attempt) ?? newIdempotencyKey();
  keys.set(attempt, key);
  try {
    const matched = await send({ 'Idempotency-Key': key });
    keys.delete(attempt);
    return matched;
  } catch (failure) {
    if (failure instanceof ApiFailure && !failure.isUnconfirmed) keys.delete(attempt);
    throw failure;
  }
}

export const matchLine = (lineId: string, body: BankMatchBody) =>
  withKey(`${lineId} ${JSON.stringify(body)}`, (header) =>
    takeData(api.POST('/api/v1/settlement/bank-lines/{lineId}/match', { params: { path: { lineId }, header }, body })),
  );

/** Matches several lines. Each has its own result. */
export const matchLines = (matches: readonly (BankMatchBody & { readonly lineId: string })[]) =>
  withKey(JSON.stringify(matches), (header) =>
    takeData(api.POST('/api/v1/settlement/bank-lines/matches', { params: { header }, body: { matches: [...matches] } })),
  );

/** Undoes matches of a line. A late repeat undoes no newer match. */
export const undoMatch = (lineId: string, matchIds: readonly string[]) =>
  takeData(
    api.DELETE('/api/v1/settlement/bank-lines/{lineId}/match', { params: { path: { lineId }, query: { matchIds: matchIds.join(',') } } }),
  );

type RuleBody = Pick<BankRule, 'contains' | 'kind'> & { readonly customerId?: string };
export const addRule = (body: RuleBody & { merchantId: string }) => takeData(api.POST('/api/v1/settlement/bank-rules', { body }));
export const changeRule = (ruleId: string, body: RuleBody) =>
  takeData(api.PUT('/api/v1/settlement/bank-rules/{ruleId}', { params: { path: { ruleId } }, body }));
export const removeRule = (ruleId: string) =>
  takeData(api.DELETE('/api/v1/settlement/bank-rules/{ruleId}', { params: { path: { ruleId } } }));

/** Refreshes the lists after a change, or after a rejection that is caused by a change of another user. */
export const refreshBank = () => queryClient.invalidateQueries({ queryKey: ['settlement'] });
