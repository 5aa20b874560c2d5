import { SaxesParser } from 'saxes';
import { dayOf } from '#shared/file-cells';
import { PART_MAX, plainText, StatementFault, type StatementPart, type StatementReader, standardMinor } from './statement.ts';

const DEPTH_MAX = 40;
/** Types of balances that are checked. */
const BOOKED_BALANCES: ReadonlySet<string> = new Set(['OPBD', 'PRCD', 'CLBD']);

/** Elements whose contents are read, by their path. `Bal` and `Ntry` are those of a statement. */
type Section = 'Stmt' | 'Bal' | 'Ntry';

/** An element by its path in a section. All elements of a path share one object, because a file has millions of elements and few paths. */
interface Place {
  readonly section: Section | null;
  /** Names below the section, joined by `/`; empty for the section itself. */
  readonly path: string;
  readonly isDescription: boolean;
  readonly below: Map<string, Place>;
}

/** A statement entry while it is read, by path below `Ntry`. */
interface OpenEntry {
  readonly line: number;
  readonly values: Map<string, string>;
  currency: string | undefined;
  /** Texts that describe the payment. */
  readonly texts: string[];
}

/** Messages about accounts that are no statements, by their element: they may contain entries that are not booked, or not all entries. */
const OTHER_MESSAGES: Readonly<Record<string, string>> = {
  BkToCstmrAcctRpt: 'report within a day (CAMT.052)',
  BkToCstmrDbtCdtNtfctn: 'notification of single entries (CAMT.054)',
};
const DESCRIPTION =
  /(?:RmtInf\/Ustrd|RmtInf\/Strd\/CdtrRefInf\/Ref|Refs\/EndToEndId|AddtlNtryInf|AddtlTxInf|RltdPties\/[A-Za-z]+(?:\/Pty)?\/Nm)$/;

const ROOT_PATH = { section: null, path: '', isDescription: false } as const;
/** Names that are kept below one path. A file with other names than those of the format is read without sharing. */
const NAMES_MAX = 200;

function placeBelow(parent: Place, name: string): Place {
  const known = parent.below.get(name);
  if (known) return known;
  const isInStatement = parent.section === 'Stmt' && parent.path === '';
  const isSection = name === 'Stmt' || (isInStatement && (name === 'Bal' || name === 'Ntry'));
  const section = isSection ? (name as Section) : parent.section;
  const path = isSection || section === null ? '' : parent.path === '' ? name : `${parent.path}/${name}`;
  const place = { section, path, isDescription: section === 'Ntry' && DESCRIPTION.test(path), below: new Map() };
  if (parent.below.size < NAMES_MAX) parent.below.set(name, place);
  return place;
}

/** Creates a reader of ISO 20022 CAMT.053, versions 02 to 08. Prefixes of namespaces do not matter; document types are refused. */
export function createCamtReader({ exponent }: { readonly exponent: number }): StatementReader {
  const parser = new SaxesParser({ xmlns: false, position: true });
  let hasStarted = false;
  /** Open elements. */
  const places: Place[] = [];
  const root: Place = { ...ROOT_PATH, below: new Map() };
  let parts: StatementPart[] = [];
  let text = '';
  /** Characters since the last tag. The parser keeps them, so they are limited here. */
  let sinceTag = 0;
  let account: { line: number; number: string | null; currency: string | null } | null = null;
  let isAccountSent = false;
  let balance = new Map<string, string>();
  let opening: StatementPart | null = null;
  let closing: StatementPart | null = null;
  let isLastPage = true;
  /** Number of the account whose statement continues on the next page. */
  let continued: string | null = null;
  let entry: OpenEntry | null = null;
  let statements = 0;

  const fail = (reason: string): never => {
    throw new StatementFault(parser.line, reason);
  };
  const signed = (amount: string | undefined, indicator: string | undefined): number => {
    const minor = standardMinor(amount ?? '', exponent, parser.line);
    if (minor < 0) return fail(`\`${(amount ?? '').slice(0, 30)}\` has a sign, which amounts of CAMT.053 do not have`);
    if (indicator !== 'CRDT' && indicator !== 'DBIT') return fail('CdtDbtInd is not CRDT or DBIT');
    return indicator === 'DBIT' ? -minor : minor;
  };
  /** Checks the currency of an amount, which every amount states; the first one is that of an account without a currency. */
  const checkCurrency = (currency: string | undefined) => {
    if (!account || currency === undefined) return;
    account.currency ??= currency;
    if (currency !== account.currency)
      fail(`the amount is in ${currency.slice(0, 10)}, but the account is in ${account.currency.slice(0, 10)}`);
  };
  const sendAccount = () => {
    const isNextPage = continued !== null && continued === account?.number;
    if (account && !isAccountSent && !isNextPage) parts.push({ kind: 'account', ...account });
    isAccountSent = true;
  };

  function endBalance(): void {
    const code = balance.get('Tp/CdOrPrtry/Cd');
    const minor = signed(balance.get('Amt'), balance.get('CdtDbtInd'));
    // PRCD, the closing balance of the statement before, serves as the opening one where OPBD is absent.
    if (code === 'OPBD' || (code === 'PRCD' && opening === null)) opening = { kind: 'opening', line: parser.line, minor };
    if (code === 'CLBD') closing = { kind: 'closing', line: parser.line, minor };
  }

  function endEntry({ line, values, texts, currency }: OpenEntry): void {
    const status = values.get('Sts') ?? values.get('Sts/Cd') ?? 'BOOK';
    if (status !== 'BOOK') return;
    checkCurrency(currency);
    sendAccount();
    const [year = '', month = '', rest = ''] = (
      values.get('BookgDt/Dt') ??
      values.get('BookgDt/DtTm') ??
      values.get('ValDt/Dt') ??
      values.get('ValDt/DtTm') ??
      ''
    ).split('-');
    const day = dayOf(year, month, rest.slice(0, 2));
    if (day === null) throw new StatementFault(line, 'the entry has no booking date');
    parts.push({
      kind: 'entry',
      line,
      day,
      minor: signed(values.get('Amt'), values.get('CdtDbtInd')),
      text: plainText(...new Set(texts)),
      reference: values.get('AcctSvcrRef')?.slice(0, 100) || values.get('NtryRef')?.slice(0, 100) || null,
    });
  }

  parser.on('doctype', () => fail('the file contains a document type, which is not accepted'));
  parser.on('error', (error) => fail(error.message.replace(/^[\d:]+ /, '')));
  parser.on('opentag', (tag) => {
    const name = tag.name.slice(tag.name.indexOf(':') + 1);
    const place = placeBelow(places.at(-1) ?? root, name);
    places.push(place);
    if (places.length > DEPTH_MAX) fail(`the elements are nested deeper than ${DEPTH_MAX}`);
    text = '';
    const { section, path } = place;
    if (path === 'Amt') {
      const currency = String(tag.attributes.Ccy ?? '') || undefined;
      if (section === 'Ntry' && entry) entry.currency = currency;
      if (section === 'Bal' && BOOKED_BALANCES.has(balance.get('Tp/CdOrPrtry/Cd') ?? '')) checkCurrency(currency);
    }
    if (section === null && name in OTHER_MESSAGES) fail(`the file is a ${OTHER_MESSAGES[name]}. Download the statement (CAMT.053)`);
    if (path !== '') return;
    if (section === 'Stmt') {
      statements += 1;
      account = { line: parser.line, number: null, currency: null };
      isAccountSent = false;
      opening = null;
      closing = null;
      isLastPage = true;
    } else if (section === 'Bal') balance = new Map();
    else if (section === 'Ntry') entry = { line: parser.line, values: new Map(), currency: undefined, texts: [] };
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('cdata', (part) => {
    text += part;
  });
  parser.on('closetag', () => {
    const value = text.trim();
    text = '';
    const { section, path, isDescription } = places.pop() ?? root;
    if (section === 'Ntry' && entry) {
      if (path === '') {
        endEntry(entry);
        entry = null;
      } else if (value !== '') {
        if (!entry.values.has(path)) entry.values.set(path, value);
        if (isDescription && value !== 'NOTPROVIDED') entry.texts.push(value);
      }
    } else if (section === 'Bal') {
      if (path === '') {
        sendAccount();
        endBalance();
      } else balance.set(path, value);
    } else if (section === 'Stmt' && path === '') {
      sendAccount();
      // The pages of a statement have the balances of their page or of all pages. The first opening and the last closing balance are those of all.
      if (opening) parts.push(opening);
      if (closing && isLastPage) parts.push(closing);
      continued = isLastPage ? null : (account?.number ?? null);
    } else if (account && section === 'Stmt') {
      if (path === 'Acct/Id/IBAN' || path === 'Acct/Id/Othr/Id') account.number = value;
      if (path === 'Acct/Ccy') account.currency = value;
      if (path === 'StmtPgntn/LastPgInd') isLastPage = value !== 'false' && value !== '0';
    }
  });

  function* taken(): Generator<StatementPart> {
    const ready = parts;
    parts = [];
    yield* ready;
  }
  return {
    *read(chunk) {
      const lastTag = chunk.lastIndexOf('>');
      sinceTag = lastTag < 0 ? sinceTag + chunk.length : chunk.length - lastTag;
      if (sinceTag > 4 * PART_MAX) fail(`an element is longer than ${4 * PART_MAX} characters`);
      // XML begins with its declaration, before which some programs write an empty line.
      const xml = hasStarted ? chunk : chunk.replace(/^[\uFEFF\s]+/, '');
      hasStarted ||= xml !== '';
      parser.write(xml);
      yield* taken();
    },
    *end() {
      parser.close();
      if (statements === 0) fail('the file has no statement (Stmt)');
      // The file ends before the last page, so its own balance shows whether it is complete.
      if (continued !== null && closing) parts.push(closing);
      yield* taken();
    },
  };
}
