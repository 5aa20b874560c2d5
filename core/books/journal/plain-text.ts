import { exponentOf, formatDecimal } from '#core/kernel';
import type { DescribedEntry, Posting } from './postings.ts';
import { type AccountNames, BOOK_ACCOUNTS, type BookAccount } from './records.ts';

type NameOf = (account: BookAccount) => string;

/** Returns the names of the accounts in the syntax of a program. Names that the syntax would make equal get a number. */
function namesIn(names: AccountNames, toSyntax: (name: string) => string): NameOf {
  const written = new Map<string, string>();
  for (const { name } of Object.values(names)) {
    const wanted = toSyntax(name);
    const taken = new Set(written.values());
    let free = wanted;
    for (let number = 2; !written.has(name) && taken.has(free); number += 1) free = `${wanted}-${number}`;
    if (!written.has(name)) written.set(name, free);
  }
  return (account) => written.get(names[account].name) as string;
}

const postingLine = (nameOf: NameOf, indent: string, { account, signed }: Posting) =>
  `${indent}${nameOf(account)}  ${formatDecimal(signed)} ${signed.currency}`;

/** Returns a name whose parts are not empty and begin with a letter or digit. Other signs at the start make a posting virtual, pending or a comment. */
function hledgerName(name: string): string {
  const parts = name.split(':').map((part) =>
    part
      .replaceAll(/\s/gu, ' ')
      .replace(/^[([<](.*)[)\]>]$/u, '$1')
      .replace(/^[^\p{L}\p{N}]+/u, '')
      .trimEnd(),
  );
  return parts.filter((part) => part !== '').join(':') || 'X';
}

/** Plain-text journal of hledger and ledger. The code of a transaction is the ID of the entry. */
export function writeHledger(entries: readonly DescribedEntry[], names: AccountNames): string {
  const nameOf = namesIn(names, hledgerName);
  const currencies = [...new Set(entries.map(({ amount }) => amount.currency))];
  // The two programs accept no common format of a currency without decimals.
  const commodities = currencies.flatMap((currency) => {
    const decimals = '0'.repeat(exponentOf(currency));
    return decimals === '' ? [`commodity ${currency}`] : [`commodity ${currency}`, `  format 1000.${decimals} ${currency}`];
  });
  const accounts = [...new Set(BOOK_ACCOUNTS.map(nameOf))];
  const head = ['; Journal of Paydesk', ...commodities, ...accounts.map((name) => `account ${name}`), ''];
  const body = entries.flatMap(({ id, date, status, description, postings }) => [
    `${date} * (${id}) ${description}  ; status:${status}`,
    ...postings.map((posting) => postingLine(nameOf, '    ', posting)),
    '',
  ]);
  return [...head, ...body].join('\n');
}

/**
 * Returns an account name in the syntax of beancount: parts of letters, digits and hyphens that begin with a capital letter or digit. A part in a script
 * without capitals gets one in front. beancount knows the letters of the basic plane only.
 */
function beancountName(name: string): string {
  const parts = name.split(':').map((part) => {
    const bare = part
      .normalize('NFC')
      .replaceAll(/[^\p{L}\p{Nd}-]|[\u{10000}-\u{10FFFF}]/gu, '-')
      .replace(/^-+/, '')
      .replace(/^./u, (first) => first.toUpperCase());
    return /^[\p{Lu}\p{Nd}]/u.test(bare) ? bare : `X${bare}`;
  });
  const hasRoot = ['Assets', 'Liabilities', 'Equity', 'Income', 'Expenses'].includes(parts[0] ?? '');
  return (hasRoot && parts.length > 1 ? parts : ['Equity', ...parts]).join(':');
}

/** Plain-text journal of beancount. The link of a transaction is the ID of the entry. */
export function writeBeancount(entries: readonly DescribedEntry[], names: AccountNames): string {
  const nameOf = namesIn(names, beancountName);
  // Entries are in order of their days.
  const opening = entries[0]?.date ?? '1970-01-01';
  const accounts = [...new Set(BOOK_ACCOUNTS.map(nameOf))];
  const head = ['; Journal of Paydesk', ...accounts.map((name) => `${opening} open ${name}`), ''];
  const body = entries.flatMap(({ id, date, status, description, postings }) => [
    `${date} * "Paydesk" "${description}" ^${id}`,
    `  status: "${status}"`,
    ...postings.map((posting) => postingLine(nameOf, '  ', posting)),
    '',
  ]);
  return [...head, ...body].join('\n');
}
