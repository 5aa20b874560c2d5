/** A bank statement from which the files of every format are written, in USD and minor units. */
export interface StatementTruth {
  readonly account: string;
  /** Balance before the first line. */
  readonly opening: number;
  readonly lines: readonly TruthLine[];
}

export interface TruthLine {
  readonly day: string;
  /** Debits are negative. */
  readonly minor: number;
  readonly text: string;
  readonly reference: string;
}

const closingOf = ({ opening, lines }: StatementTruth) => lines.reduce((sum, { minor }) => sum + minor, opening);
const decimal = (minor: number, point = '.') =>
  `${Math.trunc(Math.abs(minor) / 100)}${point}${String(Math.abs(minor) % 100).padStart(2, '0')}`;
const signed = (minor: number) => `${minor < 0 ? '-' : ''}${decimal(minor)}`;
const compactDay = (day: string) => day.replaceAll('-', '');
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Writes OFX version 1 (SGML) with Windows line ends, or version 2 (XML). */
export function ofx(truth: StatementTruth, version: 1 | 2 = 1): string {
  const head =
    version === 1
      ? 'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:USASCII\r\nCHARSET:1252\r\n\r\n'
      : '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE"?>\n';
  const field = (name: string, value: string) => `<${name}>${escaped(value)}${version === 2 ? `</${name}>` : ''}\n`;
  const transactions = truth.lines.map(
    ({ day, minor, text, reference }) =>
      `<STMTTRN>\n${field('TRNTYPE', minor < 0 ? 'DEBIT' : 'CREDIT')}${field('DTPOSTED', `${compactDay(day)}235959.000[-5:EST]`)}${field('TRNAMT', signed(minor))}${field('FITID', reference)}${field('NAME', text)}</STMTTRN>\n`,
  );
  const last = compactDay(truth.lines.at(-1)?.day ?? '2026-01-01');
  return `${head}<OFX><SIGNONMSGSRSV1><SONRS>${field('DTSERVER', last)}</SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><STMTRS>\n${field('CURDEF', 'USD')}<BANKACCTFROM>\n${field('BANKID', '021000021')}${field('ACCTID', truth.account)}${field('ACCTTYPE', 'CHECKING')}</BANKACCTFROM>\n<BANKTRANLIST>\n${transactions.join('')}</BANKTRANLIST>\n<LEDGERBAL>\n${field('BALAMT', signed(closingOf(truth)))}${field('DTASOF', last)}</LEDGERBAL>\n<AVAILBAL>${field('BALAMT', '1.00')}</AVAILBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
}

/** Writes CAMT.053. From version 08 on, the status is an element of its own, and names have a prefix here. */
export function camt(truth: StatementTruth, version: '02' | '08' = '02'): string {
  const p = version === '08' ? 'n:' : '';
  const indicator = (minor: number) => `<${p}CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</${p}CdtDbtInd>`;
  const amount = (minor: number) => `<${p}Amt Ccy="USD">${decimal(minor)}</${p}Amt>`;
  const status = version === '08' ? `<${p}Sts><${p}Cd>BOOK</${p}Cd></${p}Sts>` : '<Sts>BOOK</Sts>';
  const balance = (code: string, minor: number, day: string) =>
    `<${p}Bal><${p}Tp><${p}CdOrPrtry><${p}Cd>${code}</${p}Cd></${p}CdOrPrtry></${p}Tp>${amount(minor)}${indicator(minor)}<${p}Dt><${p}Dt>${day}</${p}Dt></${p}Dt></${p}Bal>`;
  const day = truth.lines[0]?.day ?? '2026-01-01';
  const entries = truth.lines.map(
    (line) =>
      `<${p}Ntry>${amount(line.minor)}${indicator(line.minor)}${status}<${p}BookgDt><${p}Dt>${line.day}</${p}Dt></${p}BookgDt><${p}ValDt><${p}Dt>${line.day}</${p}Dt></${p}ValDt><${p}AcctSvcrRef>${line.reference}</${p}AcctSvcrRef><${p}NtryDtls><${p}TxDtls><${p}RmtInf><${p}Ustrd>${escaped(line.text)}</${p}Ustrd></${p}RmtInf></${p}TxDtls></${p}NtryDtls></${p}Ntry>\n`,
  );
  const xmlns = version === '08' ? 'xmlns:n' : 'xmlns';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${p}Document ${xmlns}="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><${p}BkToCstmrStmt><${p}GrpHdr><${p}MsgId>1</${p}MsgId></${p}GrpHdr><${p}Stmt><${p}Id>1</${p}Id><${p}Acct><${p}Id><${p}Othr><${p}Id>${truth.account}</${p}Id></${p}Othr></${p}Id><${p}Ccy>USD</${p}Ccy></${p}Acct>\n${balance('OPBD', truth.opening, day)}\n${balance('CLBD', closingOf(truth), day)}\n${entries.join('')}</${p}Stmt></${p}BkToCstmrStmt></${p}Document>`;
}

/** Writes MT940: in the SWIFT envelope, or as German banks do, with a structured `:86:`. */
export function mt940(truth: StatementTruth, dialect: 'swift' | 'german' = 'swift'): string {
  const short = (day: string) => compactDay(day).slice(2);
  const balance = (minor: number, day: string) => `${minor < 0 ? 'D' : 'C'}${short(day)}USD${decimal(minor, ',')}`;
  const first = truth.lines[0]?.day ?? '2026-01-01';
  const last = truth.lines.at(-1)?.day ?? first;
  const information = (text: string) => {
    if (dialect === 'swift') return text;
    const parts = text.match(/.{1,27}/g) ?? [];
    return `166?00CREDIT TRANSFER${parts.map((part, index) => `?2${index}${part}`).join('')}`
      .replace(/(.{65})/g, '$1\r\n')
      .replace('?00CREDIT TRANSFER', '?10123');
  };
  const lines = truth.lines.map(
    ({ day, minor, text, reference }) =>
      `:61:${short(day)}${short(day).slice(2)}${minor < 0 ? 'D' : 'C'}${dialect === 'german' ? 'D' : ''}${decimal(minor, ',')}NTRFNONREF//${reference}\r\n:86:${information(text)}\r\n`,
  );
  const body = `:20:STARTUMS\r\n:25:${truth.account}\r\n:28C:1/1\r\n:60F:${balance(truth.opening, first)}\r\n${lines.join('')}:62F:${balance(closingOf(truth), last)}\r\n`;
  return dialect === 'swift' ? `{1:F01BANKUS33AXXX0000000000}{2:I940BANKUS33XXXXN}{4:\r\n${body}-}\r\n` : `${body}-\r\n`;
}

/** Writes BAI2 with one group for each day; texts continue in records 88. */
export function bai2(truth: StatementTruth): string {
  const days = [...Map.groupBy(truth.lines, ({ day }) => day)];
  let balance = truth.opening;
  const groups = days.map(([day, lines]) => {
    const opening = balance;
    balance += lines.reduce((sum, { minor }) => sum + minor, 0);
    const transactions = lines.map(({ minor, text, reference }) => {
      const [first, ...rest] = text.split(' ');
      const more = rest.length > 0 ? `\n88,${rest.join(' ')}` : '/';
      return `16,${minor < 0 ? '495' : '195'},${Math.abs(minor)},Z,${reference},,${first}${more}\n`;
    });
    const control = opening + balance + lines.reduce((sum, { minor }) => sum + Math.abs(minor), 0);
    return `02,CUSTOMER,BANK,1,${compactDay(day).slice(2)},2359,USD,2/\n03,${truth.account},USD,010,${opening},,,015,${balance},,/\n${transactions.join('')}49,${control},${lines.length * 2 + 2}/\n98,${control},1,${lines.length * 2 + 4}/\n`;
  });
  return `01,BANK,CUSTOMER,260101,1200,1,80,,2/\n${groups.join('')}99,0,${groups.length},0/\n`;
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Writes CSV with a balance column, oldest or newest line first. */
export function csv(truth: StatementTruth, order: 'ascending' | 'descending' = 'ascending'): string {
  let balance = truth.opening;
  const rows = truth.lines.map(({ day, minor, text, reference }) => {
    balance += minor;
    return [day, quoted(text), reference, signed(minor), signed(balance)].join(',');
  });
  return ['Date,Description,Reference,Amount,Balance', ...(order === 'ascending' ? rows : rows.toReversed())].join('\n');
}

/** Mapping of the columns of `csv()`. */
export const CSV_MAPPING = { date: 'Date', amount: 'Amount', text: ['Description'], reference: 'Reference', balance: 'Balance' } as const;
