import { type Glossary, id, time } from './entry.ts';

/** Fields of bank statements, the close of periods and the journal. */
export const BANK: Glossary = {
  // Statements and lines
  bankAccountId: id('bac', 'bank account'),
  bankStatementId: id('bst', 'bank statement'),
  openLines: ['Number of lines that are not matched completely', 12],
  matchedLines: ['Number of lines that are matched', 0],
  lineId: id('bln', 'bank line'),
  matchId: id('bmt', 'match'),
  ruleId: id('brl', 'rule'),
  filename: ['Name of the imported file', 'statement-november.ofx'],
  lineCount: ['Number of lines in the file', 42],
  matches: ['Accepted explanations of the line'],
  parts: ['Parts of the line, each with its own explanation'],
  payout: ['Payout that this part covers; null for another explanation'],
  contains: ['Text of the lines to which the rule applies', 'ACME PROCESSING FEE'],
  learnedRule: ['Rule that the match taught; null if it taught none', null],

  // Close
  closed: ['true if the period is closed', false],
  closedAt: time('Time of the close'),
  closedBy: ['Person who closed the period', 'owner@example.com'],
  reopenedAt: ['Time of the reopening; null while the period is closed', null],
  reopenedBy: ['Person who reopened the period; null while it is closed', null],
  hasBankAccount: ['true if the merchant has a bank account in Paydesk', true],
  processor: ['The same figure by the reports of the processor; null if it has none'],
  bank: ['The same figure by the bank statements; null if it has none'],

  // Exports of the journal
  journalExportId: id('jex', 'export of the journal'),
  only: ['`new` if the file omits the entries of earlier exports; null for all entries of the period', 'new'],
  entries: ['Number of entries in the file', 42],
  newEntries: ['Number of entries that no earlier export contained', 42],

  // Accounts of the journal
  sales: ['Sales'],
  refunds: ['Refunds'],
  fees: ['Fees of the processor'],
  transit: ['Payouts on their way to the bank'],
  chargebacks: ['Chargebacks'],
  own_funds: ['Transfers of the merchant itself'],
  tips: ['Tips, owed to staff'],
  surcharges: ['Surcharges'],
  taxes: ['Sales tax, owed to tax offices'],
};
