import type { Work } from '#core/database';
import { type Actor, bind, type Caller } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { createAccount, listAccounts } from './accounts.ts';
import { deleteRemovedAccount, removeAccount, renameAccount } from './change-account.ts';
import { closePeriod, getClose, presentMonth, reopenPeriod } from './close/close.ts';
import { figureLines } from './close/lines.ts';
import { closePdf } from './close/pdf.ts';
import { listMappings } from './csv-mappings.ts';
import type { Dependencies } from './dependencies.ts';
import { openDepositsFor } from './deposits.ts';
import { importStatement } from './import.ts';
import { getLine, getLineWithActions, lineTotals, listLines, openLines } from './lines.ts';
import { type MatchInput, matchLine, matchLines, undoMatch } from './match.ts';
import { awaitSuggestions, requestSuggestions, requestSuggestionsLater, suggestJob } from './matching/refresh.ts';
import { accountsSuggesting } from './matching/stored-suggestions.ts';
import { openPayouts } from './open-payouts.ts';
import type { BankStatement } from './records.ts';
import { addRule, changeRule, forgetPayer, listRules, removeRule } from './rules.ts';
import {
  BANK_ACCOUNTS,
  BANK_DAY_SUMS,
  BANK_DEPOSITS,
  BANK_LINE_COUNTS,
  BANK_LINES,
  BANK_MAPPINGS,
  BANK_MATCHES,
  BANK_PAYOUTS,
  BANK_RULES,
  BANK_STATEMENTS,
  BANK_SUGGESTED_PAYOUTS,
  BANK_SUGGESTIONS,
  PERIOD_CLOSES,
} from './schema.ts';
import type { StatementInput } from './statement-content.ts';
import { unfinishedImportsJob } from './unfinished-imports.ts';

export { checkOpen, closedPeriods, firstOpenDay } from './close/locks.ts';
export { parsePeriod } from './close/period.ts';
export {
  BankAccount,
  BankLine,
  BankLineOutcome,
  BankMapping,
  BankMatch,
  BankRule,
  BankStatement,
  CloseLine,
  CsvMapping,
  FIGURES,
  OpenBankDeposit,
  OpenPayout,
  PeriodClose,
  SIDES,
} from './records.ts';
export { PART_KINDS, RULE_KINDS } from './schema.ts';

export const TABLES = [
  BANK_ACCOUNTS,
  BANK_STATEMENTS,
  BANK_LINES,
  BANK_LINE_COUNTS,
  BANK_DAY_SUMS,
  BANK_SUGGESTIONS,
  BANK_SUGGESTED_PAYOUTS,
  BANK_MATCHES,
  BANK_PAYOUTS,
  BANK_DEPOSITS,
  BANK_RULES,
  BANK_MAPPINGS,
  PERIOD_CLOSES,
];

export type Bank = ReturnType<typeof createBank>;

/** Bank statements matched with payouts, and the three-way close of periods. */
export function createBank(deps: Dependencies) {
  deps.scheduler.register(suggestJob(deps, (account) => deleteRemovedAccount(deps, account)));
  deps.scheduler.register(unfinishedImportsJob(deps));
  const requestForMerchant = async (work: Work, merchantId: string) => {
    for (const { id } of await work.find(BANK_ACCOUNTS, { merchant_id: merchantId, removed_at: null }))
      await requestSuggestions(deps, work, id);
  };
  return {
    ...bind(deps, { accounts: listAccounts, createAccount, renameAccount, removeAccount }),
    /** Imports a statement and computes suggestions for the open lines of its account. */
    async importStatement(actor: Actor, input: StatementInput): Promise<BankStatement> {
      const imported = await importStatement(deps, actor, input);
      if (imported.added > 0) await awaitSuggestions(deps, actor.tenantId, input.bankAccountId);
      return imported;
    },
    ...bind(deps, { mappings: listMappings, openLines, lines: listLines, lineTotals, line: getLineWithActions, matchLines }),
    async match(actor: Actor, lineId: string, input: MatchInput) {
      const { rule, matchIds } = await matchLine(deps, actor, lineId, input);
      return { line: await getLine(deps, actor, lineId), matchIds, learnedRule: rule };
    },
    async undo(actor: Actor, lineId: string, matchIds?: readonly string[]) {
      const undone = await undoMatch(deps, actor, lineId, matchIds);
      return { line: await getLine(deps, actor, lineId), matchIds: undone.matchIds, learnedRule: null };
    },
    /** Requests suggestions for the lines that wait for a payout, in the unit of work that records it. */
    payoutPaid: (work: Work, { merchantId }: ChangeEvents['payout.paid']) => requestForMerchant(work, merchantId),
    /**
     * Requests suggestions for lines that name an invoice whose balance changed, and later for a new invoice. Later, because a merchant may send thousands.
     */
    async invoiceChanged(
      work: Work,
      { merchantId, invoiceId, isPaid, isCancelled, payment }: ChangeEvents['invoice.changed'],
    ): Promise<void> {
      const accounts = await accountsSuggesting(work, invoiceId);
      for (const id of accounts) await requestSuggestions(deps, work, id);
      if (isPaid || isCancelled || payment !== null) return;
      for (const { id } of await work.find(BANK_ACCOUNTS, { merchant_id: merchantId, removed_at: null }))
        if (!accounts.includes(id)) await requestSuggestionsLater(deps, work, id);
    },
    /** Requests suggestions for the debits that may pay a refund or return a check. */
    tenderRefunded: (work: Work, { merchantId }: ChangeEvents['tender.refunded']) => requestForMerchant(work, merchantId),
    customerDeleted: (work: Work, { customerId }: ChangeEvents['customer.deleted']) => forgetPayer(work, customerId),
    ...bind(deps, {
      openDeposits: openDepositsFor,
      openPayouts,
      rules: listRules,
      addRule,
      changeRule,
      removeRule,
      close: getClose,
      figureLines,
      closePeriod,
    }),
    ...bind(deps, { reopenPeriod, presentMonth }),
    async closePdf(actor: Caller, input: { readonly period: string; readonly merchantId?: string }): Promise<Buffer> {
      const merchant = await deps.merchantFor(actor, input.merchantId);
      const close = await getClose(deps, actor, { ...input, field: 'period' });
      const { startDate, endDate } = close;
      const days = { startDate, endDate, groupBy: 'month', merchantId: merchant.merchantId } as const;
      return closePdf(close, await deps.giftCardReport(actor, days), merchant);
    },
  };
}
