import { dayOf } from '#shared/file-cells';
import { createLineReader, plainText, StatementFault, type StatementPart, type StatementReader } from './statement.ts';

/** Largest number of lines of one record with its continuations. */
const CONTINUATIONS_MAX = 200;
/** Spaces between the end of a record and the next one in the same line. */
const RECORD_START = /(?<=\/)\s+(?=(?:0[1-3]|16|49|88|9[89]),)/;
/** The beginning of a record: its code before the first field. */
const RECORD = /^(?:0[1-3]|16|49|88|9[89])(?:[,:/]|\s*$)/;
const OPENING_LEDGER = '010';
const CLOSING_LEDGER = '015';

/** Returns the number of fields that the funds type of an amount adds. */
function fundsFields(type: string, at: readonly string[], index: number): number {
  if (type === 'S') return 3;
  if (type === 'V') return 2;
  if (type === 'D') return 1 + 2 * Number(at[index] ?? 0);
  return 0;
}

/** Returns the index of the bank's reference in a transaction (16); the customer's reference and the text follow it. */
const referenceIndexOf = (fields: readonly string[]) => 4 + fundsFields(fields[3]?.trim() ?? '', fields, 4);

/** Returns true if the text of a transaction has begun, so that a continuation adds to it. */
function hasText(record: string): boolean {
  const fields = record.split(',');
  return fields.slice(referenceIndexOf(fields) + 2).some((field) => field.trim() !== '' && field.trim() !== '/');
}

/**
 * Creates a reader of BAI2 (Cash Management Balance Reporting, version 2). Amounts have no decimal point; the type code tells credits (100 to 399)
 * from debits (400 to 699). The control totals of accounts are checked.
 */
export function createBai2Reader(): StatementReader {
  const lines = createLineReader();
  let record: { line: number; code: string; text: string; count: number } | null = null;
  let day: string | null = null;
  let groupCurrency = '';
  let account: { line: number; control: number; hasOpening: boolean; closing: number | null } | null = null;
  let last = 1;

  const signedMinor = (text: string, line: number): number => {
    if (/^[+-]?\d+\.\d*$/.test(text))
      throw new StatementFault(line, `\`${text.slice(0, 30)}\` has a decimal point, which amounts of BAI2 do not have`);
    if (!/^[+-]?\d{1,18}$/.test(text) || !Number.isSafeInteger(Number(text)))
      throw new StatementFault(line, `\`${text.slice(0, 30)}\` is not an amount`);
    return Number(text);
  };

  /** Ends an account. Without a trailer (49), its balances show whether its transactions are complete. */
  function* endAccount(hasTrailer = false): Generator<StatementPart> {
    if (!account) return;
    const { hasOpening, closing } = account;
    if (!hasTrailer && (closing === null || !hasOpening))
      throw new StatementFault(last, 'the account trailer (49) is missing; the file is incomplete');
    if (closing !== null) yield { kind: 'closing', line: last, minor: closing };
    account = null;
  }

  function* startAccount(fields: readonly string[], line: number): Generator<StatementPart> {
    yield* endAccount();
    account = { line, control: 0, hasOpening: false, closing: null };
    yield { kind: 'account', line, number: fields[1]?.trim() || null, currency: fields[2]?.trim() || groupCurrency || null };
    for (let index = 3; index < fields.length; ) {
      const code = fields[index]?.trim() ?? '';
      // Some banks end a record with a comma more, also before a continuation.
      if (code === '') {
        index += 1;
        continue;
      }
      if (!/^\d{3}$/.test(code)) throw new StatementFault(line, `\`${code.slice(0, 30)}\` is not a type code`);
      const amount = fields[index + 1]?.trim() ?? '';
      const funds = fields[index + 3]?.trim() ?? '';
      index += 4 + fundsFields(funds, fields, index + 4);
      if (amount === '') continue;
      const minor = signedMinor(amount, line);
      account.control += minor;
      if (code === OPENING_LEDGER) {
        account.hasOpening = true;
        yield { kind: 'opening', line, minor };
      }
      if (code === CLOSING_LEDGER) account.closing = minor;
    }
  }

  function* transaction(fields: readonly string[], line: number): Generator<StatementPart> {
    if (!account || day === null) throw new StatementFault(line, 'a transaction (16) stands outside of an account (03)');
    const code = Number(fields[1]);
    const isCredit = code >= 100 && code < 400;
    const isDebit = code >= 400 && code < 700;
    const amount = fields[2]?.trim() ?? '';
    // Other codes are information, which has an amount or none.
    if (amount === '' && !isCredit && !isDebit) return;
    const minor = signedMinor(amount, line);
    account.control += minor;
    if (!isCredit && !isDebit) return;
    const [bank = '', customer = '', ...text] = fields.slice(referenceIndexOf(fields));
    yield {
      kind: 'entry',
      line,
      day,
      minor: isDebit ? -minor : minor,
      text: plainText(customer, text.join(',')),
      reference: bank.trim().slice(0, 100) || null,
    };
  }

  function* endRecord(): Generator<StatementPart> {
    if (!record) return;
    const { code, text, line } = record;
    record = null;
    const fields = text.replace(/\/\s*$/, '').split(',');
    if (code === '02') {
      const date = fields[4]?.trim() ?? '';
      day = dayOf(date.slice(0, -4), date.slice(-4, -2), date.slice(-2));
      if (day === null) throw new StatementFault(line, 'the as-of date of the group (02) does not exist');
      groupCurrency = fields[6]?.trim() ?? '';
    } else if (code === '98' || code === '99') yield* endAccount();
    else if (code === '03') yield* startAccount(fields, line);
    else if (code === '16') yield* transaction(fields, line);
    else if (code === '49') {
      if (!account) throw new StatementFault(line, 'an account trailer (49) stands outside of an account (03)');
      const written = fields[1]?.trim() ?? '';
      const total = written === '' ? account.control : signedMinor(written, line);
      if (total !== account.control)
        throw new StatementFault(line, `the control total of the account is ${total}, but its amounts sum to ${account.control}`);
      yield* endAccount(true);
    }
  }

  function append(text: string, number: number): void {
    if (!record) return;
    record.count += 1;
    if (record.count > CONTINUATIONS_MAX) throw new StatementFault(number, `a record has more than ${CONTINUATIONS_MAX} continuations`);
    const isText = record.code === '16' && (!record.text.trimEnd().endsWith('/') || hasText(record.text));
    record.text = record.text.replace(/\/\s*$/, '').trimEnd() + (isText ? ' ' : ',') + text;
  }

  function* take({ number, text }: { number: number; text: string }): Generator<StatementPart> {
    last = number;
    if (text.trim() === '') return;
    const code = RECORD.test(text) ? text.slice(0, 2) : null;
    // Some banks break a long text without a continuation record.
    const isBroken = code === null && record?.code === '16' && !record.text.trimEnd().endsWith('/') && hasText(record.text);
    if (isBroken) return append(text, number);
    if (code === null) throw new StatementFault(number, `\`${text.trim().slice(0, 2)}\` is not a BAI2 record`);
    if (code === '88') {
      if (!record) throw new StatementFault(number, 'a continuation (88) without a record');
      return append(text.slice(3), number);
    }
    yield* endRecord();
    record = { line: number, code, text, count: 0 };
  }

  /** Takes the records of a line: some banks write several, with spaces between them. */
  function* takeRecords({ number, text }: { number: number; text: string }): Generator<StatementPart> {
    for (const each of text.split(RECORD_START)) yield* take({ number, text: each.trimStart() });
  }

  return {
    *read(text) {
      for (const line of lines.read(text)) yield* takeRecords(line);
    },
    *end() {
      for (const line of lines.end()) yield* takeRecords(line);
      const hasTrailer = record?.code === '99';
      yield* endRecord();
      if (!hasTrailer) throw new StatementFault(last, 'the file trailer (99) is missing; the file is incomplete');
    },
  };
}
