import { dayOf, fullYear } from '#shared/file-cells';
import { createLineReader, plainText, StatementFault, type StatementPart, type StatementReader, standardMinor } from './statement.ts';

/** Largest number of lines of one field. SWIFT allows six for `:86:`; some banks write more. */
const FIELD_LINES_MAX = 40;
/** Tags of SWIFT, and the free text `:NS:` of some banks in place of `:86:`. */
const TAG = /^\s{0,8}:(?<tag>\d{2}[A-Z]?|NS):(?<value>.*)$/;
const BALANCE = /^(?<sign>[CD])(?<date>\d{6})(?<currency>[A-Z]{3})\s*(?<amount>[\d.,]{1,30})$/;
/** Some banks write four spaces in place of the entry date. */
const ENTRY =
  /^(?<date>\d{6})(?:(?<month>\d{2})(?<day>\d{2})| {4})?(?<sign>R?[CD])(?<funds>[A-Z])?\s*(?<amount>[\d.,]{1,30})\s*(?<type>[A-Z][A-Z0-9 ]{3})?(?<reference>.*)$/;
/** Tags that end the text of an entry. A text may contain lines that look like other tags, such as `:12:30`. */
const AFTER_TEXT = /^(?:61|62[FM]|64|65|86|NS)$/;
/** Tags of the report within a day (MT942). */
const INTERIM = /^(?:34F|13D)$/;

const INCOMPLETE = 'the closing balance (:62F:) is missing; the file is incomplete';
const NO_OPENING = 'the opening balance (:60F:) is missing, so that the currency cannot be checked';

/**
 * Creates a reader of SWIFT MT940, with or without the blocks of the SWIFT envelope, and with the structured `:86:` of German banks. The booking
 * day is the entry date of `:61:` where it is given, otherwise its value date.
 */
export function createMt940Reader({ exponent }: { readonly exponent: number }): StatementReader {
  const lines = createLineReader();
  let field: { line: number; tag: string; lines: string[] } | null = null;
  let entry: Extract<StatementPart, { kind: 'entry' }> | null = null;
  let account: { line: number; number: string } | null = null;
  /** True between an opening and a closing balance. */
  let isOpen = false;
  let statements = 0;
  /** Line of an account whose opening balance was not read yet. */
  let unopened: number | null = null;
  let last = 1;

  function balanceOf(tag: string, text: string, line: number) {
    const match = BALANCE.exec(text)?.groups;
    if (!match) throw new StatementFault(line, `:${tag}: is not a balance`);
    const minor = standardMinor(match.amount as string, exponent, line);
    return { minor: match.sign === 'D' ? -minor : minor, currency: match.currency as string };
  }

  function entryOf(value: string, details: readonly string[], line: number): Extract<StatementPart, { kind: 'entry' }> {
    const match = ENTRY.exec(value)?.groups;
    if (!match) throw new StatementFault(line, ':61: is not a statement line');
    const minor = standardMinor(match.amount as string, exponent, line);
    const [year, month, date] = yearMonthDay(match.date as string);
    const bookingDay = match.month && match.day ? bookingDate(year, month, match.month, match.day) : valueDate(year, month, date);
    if (bookingDay === null) throw new StatementFault(line, 'the date of :61: does not exist');
    const [own = '', bank = ''] = (match.reference ?? '').split('//');
    return {
      kind: 'entry',
      line,
      day: bookingDay,
      // A reversed credit (RC) is a debit, and a reversed debit (RD) a credit.
      minor: match.sign === 'C' || match.sign === 'RD' ? minor : -minor,
      text: plainText(own === 'NONREF' ? '' : own, ...details),
      reference: bank.trim() === 'NONREF' ? null : bank.trim().slice(0, 100) || null,
    };
  }

  function* flush(): Generator<StatementPart> {
    if (entry) yield entry;
    entry = null;
  }

  function* endField(): Generator<StatementPart> {
    if (!field) return;
    const { tag, line, lines: content } = field;
    field = null;
    const [first = '', ...rest] = content;
    if (INTERIM.test(tag)) throw new StatementFault(line, 'the file is a report within a day (MT942). Download the statement (MT940)');
    if (tag === '25' || tag === '25P') {
      if (isOpen) throw new StatementFault(line, INCOMPLETE);
      if (unopened !== null) throw new StatementFault(unopened, NO_OPENING);
      unopened = line;
      account = { line, number: first.trim() };
      statements += 1;
    } else if (/^6[02][FM]$/.test(tag)) {
      yield* flush();
      const { minor, currency } = balanceOf(tag, first.trim(), line);
      if (tag.startsWith('60')) {
        if (isOpen) throw new StatementFault(line, INCOMPLETE);
        unopened = null;
        // Some banks write the currency after the number of the account.
        const number = account?.number.replace(new RegExp(`/?${currency}$`), '') ?? null;
        yield { kind: 'account', line: account?.line ?? line, number, currency };
        yield { kind: 'opening', line, minor };
      } else yield { kind: 'closing', line, minor };
      isOpen = tag.startsWith('60');
    } else if (tag === '61') {
      if (!isOpen) throw new StatementFault(line, NO_OPENING);
      yield* flush();
      entry = entryOf(first.trim(), rest, line);
    } else if (tag === '86' && entry) {
      entry = { ...entry, text: plainText(entry.text, informationOf(content)) };
      yield* flush();
    } else if (tag === 'NS' && entry) {
      // Each line begins with a code of two digits.
      entry = { ...entry, text: plainText(entry.text, ...content.map((text) => text.slice(2))) };
      yield* flush();
    }
  }

  function* take({ number, text }: { number: number; text: string }): Generator<StatementPart> {
    last = number;
    // The envelope: `{1:F01…}{2:…}{4:` before the first field, `-}` after the last.
    const line = text.replace(/^\p{Cc}?(?:\{[1-35]:[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*\{4:/u, '');
    if (line !== text) yield* endField();
    const match = TAG.exec(line)?.groups;
    const isInText = isOpen && field?.tag === '86';
    if (match && (!isInText || AFTER_TEXT.test(match.tag as string) || BALANCE.test(match.value as string))) {
      yield* endField();
      field = { line: number, tag: match.tag as string, lines: [match.value as string] };
    } else if (!isInText && /^-\}?/.test(line) && line.replace(/^-\}?(?:\{5:.*\})?\s*$/, '') === '') {
      yield* endField();
      yield* flush();
    } else if (field && line !== '') {
      if (field.lines.length >= FIELD_LINES_MAX) throw new StatementFault(number, `a field has more than ${FIELD_LINES_MAX} lines`);
      field.lines.push(line);
    }
  }

  return {
    *read(text) {
      for (const line of lines.read(text)) yield* take(line);
    },
    *end() {
      for (const line of lines.end()) yield* take(line);
      yield* endField();
      yield* flush();
      if (statements === 0) throw new StatementFault(last, 'the file has no account (:25:)');
      if (isOpen) throw new StatementFault(last, INCOMPLETE);
      if (unopened !== null) throw new StatementFault(unopened, NO_OPENING);
    },
  };
}

const yearMonthDay = (text: string): [string, string, string] => [fullYear(text.slice(0, 2)), text.slice(2, 4), text.slice(4, 6)];

const isMonth = (text: string) => /^(?:0[1-9]|1[0-2])$/.test(text);

/** Returns a value date. German banks write February 30 and 31; the last day of the month stands for them. */
function valueDate(year: string, month: string, day: string): string | null {
  const isBeyondMonth = isMonth(month) && /^(?:29|30|31)$/.test(day);
  return dayOf(year, month, day) ?? (isBeyondMonth ? new Date(Date.UTC(Number(year), Number(month), 0)).toISOString().slice(0, 10) : null);
}

/** Returns the booking day, which has no year: that of the value date, or the year before or after it around the new year. */
function bookingDate(valueYear: string, valueMonth: string, month: string, day: string): string | null {
  if (!isMonth(valueMonth)) return null;
  const shift = Number(month) - Number(valueMonth);
  const year = Number(valueYear) + (shift > 6 ? -1 : shift < -6 ? 1 : 0);
  return dayOf(String(year), month, day);
}

/** Returns `:86:` without the codes of its subfields: `166?00CREDIT?20EREF+1?32ACME` becomes `CREDIT EREF+1 ACME`. */
function informationOf(lines: readonly string[]): string {
  const text = lines.join('').trimStart();
  const structured = /^\d{3}(?<separator>[?<>+~^])\d\d/.exec(text) ?? /^(?<separator>[?<>~^])(?:00|2\d|3\d)/.exec(text);
  if (!structured) return lines.join(' ');
  const separator = structured.groups?.separator as string;
  return text
    .replace(/^\d{3}/, '')
    .split(separator)
    .filter((part) => /^(?:00|2\d|3[23]|6\d)/.test(part))
    .map((part, index, all) => {
      // A word can be split between two subfields of 27 characters.
      const isFull = part.length === 29 && all[index + 1] !== undefined;
      return part.slice(2) + (isFull ? '' : ' ');
    })
    .join('');
}
