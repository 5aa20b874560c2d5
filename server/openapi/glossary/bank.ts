import { type Glossary, id, time } from './entry.ts';

/** Fields of bank statements, the close of periods and the journal. */
export const BANK: Glossary = {
  // Statements and lines
  bankAccountId: id('bac', 'bank account'),
  lineId: id('bln', 'bank line'),
  ruleId: id('brl', 'rule'),
  matches: ['Accepted explanations of the line'],

  // Close
  closedAt: time('Time of the close'),
  closedBy: ['Person who closed the period', 'owner@example.com'],

  // Exports of the journal
  journalExportId: id('jex', 'export of the journal'),
  only: ['`new` if the file omits the entries of earlier exports; null for all entries of the period', 'new'],
  entries: ['Number of entries in the file', 42],
};
