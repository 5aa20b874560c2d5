import { dayOf, readStandardAmount } from '#shared/file-cells';
import { PART_MAX, plainText, StatementFault, type StatementPart, type StatementReader, standardMinor } from './statement.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
/** The five named entities and character references. A file cannot define others: document types are refused. */
const decoded = (text: string) =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : null;
    if (code !== null) return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    return ENTITIES[(name ?? '').toLowerCase()] ?? whole;
  });

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** Sections whose content is no markup. A comment keeps its line breaks, for the numbers of lines. */
const SECTIONS = [
  { opens: '<![CDATA[', closes: ']]>', plain: escaped },
  { opens: '<!--', closes: '-->', plain: (text: string) => text.replaceAll(/[^\n]/g, '') },
] as const;

/**
 * Creates a reader of OFX and QFX, versions 1 (SGML, elements without end tags) and 2 (XML). Both are sequences of `<NAME>value`, so one reader of
 * tags serves both. OFX has a closing balance and no opening one.
 */
export function createOfxReader({ exponent }: { readonly exponent: number }): StatementReader {
  let rest = '';
  /** Beginning of a comment or of CDATA whose end was not read yet. */
  let held = '';
  let line = 1;
  let hasStarted = false;
  /** The innermost open aggregate that matters. */
  let inside = '';
  let currency: string | null = null;
  let transaction: { line: number; fields: Map<string, string> } | null = null;
  /** Account whose currency may follow its number. */
  let account: { readonly line: number; readonly number: string | null } | null = null;
  let hasAccount = false;
  /** Lines of the first positive amounts by type; null once an amount is negative. */
  let unsigned: Map<string, number> | null = new Map();
  /** True in the currency of an amount that the bank did not convert. */
  let isInCurrency = false;
  /** True between the start and the end of a list of transactions. */
  let isInList = false;
  /** Message of the bank about a request that it did not answer, for the refusal. */
  let message = '';

  function* sendAccount(): Generator<StatementPart> {
    if (account) yield { kind: 'account', ...account, currency };
    account = null;
  }

  function entryOf(fields: Map<string, string>, at: number): StatementPart {
    const posted = fields.get('DTPOSTED') ?? '';
    const [, year = '', month = '', date = ''] = /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)/.exec(posted) ?? [];
    const day = dayOf(year, month, date);
    if (day === null) throw new StatementFault(at, 'DTPOSTED is not an existing day');
    const checkNumber = fields.get('CHECKNUM');
    const minor = standardMinor(fields.get('TRNAMT') ?? '', exponent, at);
    const type = (fields.get('TRNTYPE') ?? '').toUpperCase();
    if (minor < 0) unsigned = null;
    else if (minor > 0 && unsigned && !unsigned.has(type)) unsigned.set(type, at);
    return {
      kind: 'entry',
      line: at,
      day,
      minor,
      text: plainText(fields.get('NAME'), fields.get('MEMO'), checkNumber && `check ${checkNumber}`),
      reference: fields.get('FITID')?.slice(0, 100) || null,
    };
  }

  function* take(piece: string): Generator<StatementPart> {
    const end = piece.indexOf('>');
    if (end < 0) throw new StatementFault(line, 'a tag is not closed');
    const name = piece.slice(0, end).trim().toUpperCase();
    const value = decoded(piece.slice(end + 1).trim());
    if (name.startsWith('!')) throw new StatementFault(line, 'the file contains a document type, which OFX does not have');
    if (name === 'OFX') hasStarted = true;
    if (!hasStarted) return;
    if (name === 'STMTTRN') transaction = { line, fields: new Map() };
    else if (name === '/STMTTRN') {
      if (transaction === null) throw new StatementFault(line, '</STMTTRN> without <STMTTRN>');
      const { fields, line: at } = transaction;
      transaction = null;
      yield* sendAccount();
      yield entryOf(fields, at);
    } else if (name === 'CURRENCY' || name === '/CURRENCY') isInCurrency = name === 'CURRENCY';
    else if (name === 'CURSYM' && isInCurrency && currency !== null && value.toUpperCase() !== currency)
      throw new StatementFault(line, `the amount is in ${value.slice(0, 10)}, but the account is in ${currency.slice(0, 10)}`);
    else if (transaction !== null && value !== '') transaction.fields.set(name, value);
    else if (name === 'CURDEF') currency = value.toUpperCase();
    else if (['BANKACCTFROM', 'CCACCTFROM', 'LEDGERBAL'].includes(name)) inside = name;
    else if (name === `/${inside}`) inside = '';
    else if (name === '/STMTRS' || name === '/CCSTMTRS') yield* sendAccount();
    else if (name === 'BANKTRANLIST' || name === '/BANKTRANLIST') isInList = name === 'BANKTRANLIST';
    else if (name === 'MESSAGE' && value !== '') message = `; the bank says: ${value.slice(0, 200)}`;
    else if (name === 'ACCTID' && inside.endsWith('ACCTFROM')) {
      yield* sendAccount();
      hasAccount = true;
      account = { line, number: value || null };
    } else if (name === 'BALAMT' && inside === 'LEDGERBAL') {
      // Nothing is checked with this balance, so one that is not readable does not matter.
      const minor = readStandardAmount(value, exponent);
      yield* sendAccount();
      if (minor !== null) yield { kind: 'closing', line, minor };
    }
  }

  /** Returns text in which CDATA is escaped and comments are left out. Keeps one that does not end in this piece for the next one. */
  function plainMarkup(text: string): string {
    const given = held + text;
    held = '';
    let plain = '';
    for (let from = 0; ; ) {
      const start = given.indexOf('<!', from);
      const last = given.length - 1;
      if (start < 0) {
        held = given[last] === '<' ? '<' : '';
        return plain + given.slice(from, given.length - held.length);
      }
      const section = SECTIONS.find(({ opens }) => given.startsWith(opens, start) || opens.startsWith(given.slice(start)));
      const end = section ? given.indexOf(section.closes, start + section.opens.length) : -1;
      if (section && end < 0) {
        held = given.slice(start);
        if (held.length > PART_MAX) throw new StatementFault(line, `an element is longer than ${PART_MAX} characters`);
        return plain + given.slice(from, start);
      }
      const next = section ? end + section.closes.length : start + 2;
      plain += given.slice(from, start) + (section ? section.plain(given.slice(start + section.opens.length, end)) : '<!');
      from = next;
    }
  }

  return {
    *read(text) {
      const pieces = (rest + plainMarkup(text)).split('<');
      rest = pieces.pop() ?? '';
      if (rest.length > PART_MAX) throw new StatementFault(line, `an element is longer than ${PART_MAX} characters`);
      for (const [index, piece] of pieces.entries()) {
        // The text before the first tag is the header of version 1.
        if (piece.trim() !== '' && (piece.includes('>') || hasStarted || index > 0)) yield* take(piece);
        line += piece.split('\n').length - 1;
      }
    },
    *end() {
      if (held !== '') throw new StatementFault(line, 'a comment or CDATA is not closed');
      if (rest.trim() !== '') yield* take(rest);
      if (!hasStarted) throw new StatementFault(line, 'the file has no <OFX> element');
      if (transaction !== null) throw new StatementFault(line, 'the file ends inside a transaction');
      if (isInList) throw new StatementFault(line, 'the end of the list of transactions is missing; the file is incomplete');
      if (!hasAccount) throw new StatementFault(line, `the file has no statement of a bank account${message}`);
      yield* sendAccount();
      const debit = unsigned?.get('DEBIT');
      if (debit !== undefined && unsigned?.has('CREDIT'))
        throw new StatementFault(
          debit,
          'the amount of a debit has no sign, like all amounts of the file, so that debits would be read as credits',
        );
    },
  };
}
