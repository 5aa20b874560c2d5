import { SaxesParser } from 'saxes';
import { dayOf, minorOf, PART_MAX, plainText, StatementFault, type StatementPart, type StatementReader } from './statement.ts';

const DEPTH_MAX = 40;
/** Types of balances that are checked. */
const BOOKED_BALANCES: ReadonlySet<string> = new Set(['OPBD', 'PRCD', 'CLBD']);

/** A statement entry while it is read, by path below `Ntry`. */
interface OpenEntry {
  readonly line: number;
  readonly values: Map<string, string>;
  /** Texts that describe the payment. */
  readonly texts: string[];
}

const DESCRIPTION =
  /(?:RmtInf\/Ustrd|RmtInf\/Strd\/CdtrRefInf\/Ref|Refs\/EndToEndId|AddtlNtryInf|AddtlTxInf|RltdPties\/[A-Za-z]+(?:\/Pty)?\/Nm)$/;

/** Creates a reader of ISO 20022 CAMT.053, versions 02 to 08. Prefixes of namespaces do not matter; document types are refused. */
export function createCamtReader({ exponent }: { readonly exponent: number }): StatementReader {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const path: string[] = [];
  let parts: StatementPart[] = [];
  let text = '';
  /** Characters since the last tag. The parser keeps them, so they are limited here. */
  let sinceTag = 0;
  let account: { line: number; number: string | null; currency: string | null } | null = null;
  let isAccountSent = false;
  let balance = new Map<string, string>();
  let closing: StatementPart | null = null;
  let entry: OpenEntry | null = null;
  let statements = 0;

  const fail = (reason: string): never => {
    throw new StatementFault(parser.line, reason);
  };
  const below = (name: string) => {
    const at = path.lastIndexOf(name);
    return at < 0 ? null : path.slice(at + 1).join('/');
  };
  const signed = (amount: string | undefined, indicator: string | undefined): number => {
    const minor = minorOf(amount ?? '', exponent);
    if (minor === null) return fail(`\`${(amount ?? '').slice(0, 30)}\` is not an amount`);
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
    if (account && !isAccountSent) parts.push({ kind: 'account', ...account });
    isAccountSent = true;
  };

  function endBalance(): void {
    const code = balance.get('Tp/CdOrPrtry/Cd');
    const minor = signed(balance.get('Amt'), balance.get('CdtDbtInd'));
    // PRCD, the closing balance of the statement before, serves as the opening one where OPBD is absent.
    if (code === 'OPBD' || code === 'PRCD') parts.push({ kind: 'opening', line: parser.line, minor });
    if (code === 'CLBD') closing = { kind: 'closing', line: parser.line, minor };
  }

  function endEntry({ line, values, texts }: OpenEntry): void {
    const status = values.get('Sts') ?? values.get('Sts/Cd') ?? 'BOOK';
    if (status !== 'BOOK') return;
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
    path.push(name);
    if (path.length > DEPTH_MAX) fail(`the elements are nested deeper than ${DEPTH_MAX}`);
    text = '';
    if (name === 'Stmt') {
      statements += 1;
      account = { line: parser.line, number: null, currency: null };
      isAccountSent = false;
      closing = null;
    } else if (name === 'Bal') balance = new Map();
    else if (name === 'Ntry') {
      entry = { line: parser.line, values: new Map(), texts: [] };
    } else if (
      name === 'Amt' &&
      (below('Ntry') === 'Amt' || (BOOKED_BALANCES.has(balance.get('Tp/CdOrPrtry/Cd') ?? '') && below('Bal') === 'Amt'))
    )
      checkCurrency(String(tag.attributes.Ccy ?? '') || undefined);
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
    const inEntry = below('Ntry');
    if (entry && inEntry !== null) {
      if (inEntry === '') {
        sendAccount();
        endEntry(entry);
        entry = null;
      } else if (value !== '') {
        if (!entry.values.has(inEntry)) entry.values.set(inEntry, value);
        if (DESCRIPTION.test(inEntry) && value !== 'NOTPROVIDED') entry.texts.push(value);
      }
    } else if (below('Bal') !== null) {
      if (below('Bal') === '') {
        sendAccount();
        endBalance();
      } else balance.set(below('Bal') ?? '', value);
    } else if (account && below('Stmt')?.startsWith('Acct/')) {
      if (['Acct/Id/IBAN', 'Acct/Id/Othr/Id'].includes(below('Stmt') ?? '')) account.number = value;
      if (below('Stmt') === 'Acct/Ccy') account.currency = value;
    } else if (below('Stmt') === '') {
      sendAccount();
      if (closing) parts.push(closing);
    }
    path.pop();
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
      parser.write(chunk);
      yield* taken();
    },
    *end() {
      parser.close();
      if (statements === 0) fail('the file has no statement (Stmt)');
      yield* taken();
    },
  };
}
