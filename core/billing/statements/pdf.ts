import { type Money, money } from '#core/kernel';
import { brandOf, createPdf, formatAmount, formatDay, formatMoney, type PdfSheet, plain, readableColor } from '#core/platform/documents';
import type { Language } from '#shared/languages';
import type { StatementAccount, StatementEntry } from './records.ts';
import type { Statement } from './statement.ts';
import { STATEMENT_TEXTS } from './texts.ts';

const WHITE = '#ffffff';
const LOGO = { width: 180, height: 56 } as const;
const SANDBOX_COLOR = '#7a4b00';
const RIGHT = { align: 'right' } as const;

/** Returns a statement as a PDF in the merchant's brand, with one table for each currency. */
export async function statementPdf(statement: Statement, isSandbox: boolean): Promise<Buffer> {
  const { merchant, accounts, entries, startDate, endDate } = statement;
  const { language } = merchant;
  const texts = STATEMENT_TEXTS[language];
  const brand = brandOf(merchant);
  const options = {
    title: `${texts.statement} ${startDate} – ${endDate}`,
    author: brand.companyName,
    language,
    footer: (page: number, pages: number) => `${brand.companyName} · ${texts.page(page, pages)}`,
  };
  return createPdf(options, async (sheet) => {
    const head = { background: brand.primaryColor, textColor: readableColor(WHITE, brand.primaryColor) };
    writeHead(sheet, statement, isSandbox);
    if (accounts.length === 0) sheet.text(texts.none);
    for (const account of accounts) {
      const own = entries.filter(({ currency }) => currency === account.currency);
      await writeAccount(sheet, account, own, { language, head, startDate, endDate });
    }
  });
}

function writeHead(sheet: PdfSheet, { merchant, customer, accounts, startDate, endDate }: Statement, isSandbox: boolean): void {
  const { language } = merchant;
  const texts = STATEMENT_TEXTS[language];
  const brand = brandOf(merchant);
  const half = sheet.width / 2;
  sheet.band(brand.primaryColor, 10);
  sheet.beside(
    () => {
      if (brand.logo && sheet.picture(brand.logo, { x: sheet.left, ...LOGO, alt: brand.companyName })) sheet.skip(6);
      sheet.text(brand.companyName, { size: 13, font: 'strong', width: half });
      for (const line of brand.lines) sheet.text(line, { size: 9, color: 'quiet', width: half });
    },
    () => {
      const column = { x: sheet.left + half, width: half, ...RIGHT } as const;
      sheet.text(texts.statement, { ...column, size: 22, font: 'strong', color: readableColor(brand.primaryColor, WHITE), tag: 'H1' });
      if (!isSandbox) return;
      sheet.skip(4);
      sheet.stamp(texts.sandbox, SANDBOX_COLOR, column);
    },
  );
  sheet.skip(20);
  const { name, company, address, email } = customer;
  const place = [address?.city, [address?.state, address?.zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const lines = [company, name === company ? null : name, ...(address?.street?.split('\n') ?? []), place, email].filter(
    (line): line is string => !!line?.trim(),
  );
  sheet.beside(
    () => {
      sheet.text(texts.customer, { size: 9, color: 'quiet', width: half - 20 });
      lines.forEach((line, index) => void sheet.text(plain(line), { width: half - 20, font: index === 0 ? 'strong' : 'regular' }));
    },
    () =>
      sheet.pairs(
        [
          { label: texts.period, value: texts.range(formatDay(startDate, language), formatDay(endDate, language)) },
          ...accounts.map(({ closingBalance }) => ({
            label: texts.closing,
            value: formatMoney(closingBalance, language),
            isStrong: true,
          })),
        ],
        { x: sheet.left + half, width: half },
      ),
  );
  sheet.skip(18);
}

interface Style {
  readonly language: Language;
  readonly head: { readonly background: string; readonly textColor: string };
  readonly startDate: string;
  readonly endDate: string;
}

async function writeAccount(
  sheet: PdfSheet,
  { currency, openingBalance, charges, credits, closingBalance }: StatementAccount,
  entries: readonly StatementEntry[],
  { language, head, startDate, endDate }: Style,
): Promise<void> {
  const texts = STATEMENT_TEXTS[language];
  const { columns } = texts;
  const zero = money(0, currency);
  const cell = (amount: Money) => (amount.minor === zero.minor ? '' : formatAmount(amount, language));
  await sheet.longTable(
    [
      { title: columns.date, width: 76 },
      { title: columns.description },
      { title: columns.charges, width: 86, ...RIGHT },
      { title: columns.credits, width: 86, ...RIGHT },
      { title: columns.balance(currency), width: 100, ...RIGHT },
    ],
    [
      [formatDay(startDate, language), texts.opening, '', '', formatAmount(openingBalance, language)],
      ...entries.map((entry) => [
        formatDay(entry.date, language),
        descriptionOf(entry, language),
        cell(entry.charge),
        cell(entry.credit),
        formatAmount(entry.balance, language),
      ]),
      [formatDay(endDate, language), texts.closing, cell(charges), cell(credits), formatAmount(closingBalance, language)],
    ],
    head,
  );
  sheet.skip(18);
}

/** Returns the text of an entry: what it is, its invoice, and by which means it was paid. */
export function descriptionOf(entry: StatementEntry, language: Language): string {
  const texts = STATEMENT_TEXTS[language];
  const { kind, invoiceNumber, dueDate, method, last4, reference } = entry;
  const what = texts.kinds[kind];
  const subject = invoiceNumber === null ? what : kind === 'invoice' ? `${what} ${invoiceNumber}` : texts.ofInvoice(what, invoiceNumber);
  const means = method === null ? null : [texts.methods[method] ?? plain(method), last4 === null ? null : `****${last4}`];
  const parts = [
    subject,
    dueDate === null ? null : texts.due(formatDay(dueDate, language)),
    means === null ? null : means.filter((part) => part !== null).join(' '),
    reference === null ? null : plain(reference),
  ];
  return parts.filter((part) => part !== null).join(', ');
}
