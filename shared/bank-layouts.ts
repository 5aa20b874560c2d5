import type { DateFormat } from './file-cells.ts';

/** Meaning of the columns of a bank's CSV file. */
export interface BankLayout {
  readonly date: string;
  readonly dateFormat: DateFormat;
  readonly text: readonly string[];
  readonly amount?: string;
  readonly credit?: string;
  readonly debit?: string;
  readonly direction?: string;
  readonly balance?: string;
}

/** Headers of banks that no other bank writes, with the meaning of their columns. */
const LAYOUTS: readonly { readonly header: string; readonly mapping: BankLayout }[] = [
  {
    // Bank of America
    header: 'Date|Description|Amount|Running Bal.',
    mapping: { date: 'Date', amount: 'Amount', text: ['Description'], balance: 'Running Bal.', dateFormat: 'MM/DD/YYYY' },
  },
  {
    // Chase
    header: 'Details|Posting Date|Description|Amount|Type|Balance|Check or Slip #',
    mapping: {
      date: 'Posting Date',
      amount: 'Amount',
      text: ['Description', 'Check or Slip #'],
      balance: 'Balance',
      dateFormat: 'MM/DD/YYYY',
    },
  },
  {
    // Citibank
    header: 'Status|Date|Description|Debit|Credit',
    mapping: { date: 'Date', debit: 'Debit', credit: 'Credit', text: ['Description'], dateFormat: 'MM/DD/YYYY' },
  },
  {
    // Capital One
    header: 'Account Number|Transaction Description|Transaction Date|Transaction Type|Transaction Amount|Balance',
    mapping: {
      date: 'Transaction Date',
      amount: 'Transaction Amount',
      direction: 'Transaction Type',
      text: ['Transaction Description'],
      balance: 'Balance',
      dateFormat: 'MM/DD/YY',
    },
  },
  {
    // ING in the Netherlands
    header: 'Datum|Naam / Omschrijving|Rekening|Tegenrekening|Code|Af Bij|Bedrag (EUR)|Mutatiesoort|Mededelingen',
    mapping: {
      date: 'Datum',
      amount: 'Bedrag (EUR)',
      direction: 'Af Bij',
      text: ['Naam / Omschrijving', 'Mededelingen'],
      dateFormat: 'YYYYMMDD',
    },
  },
  {
    // ING in the Netherlands, with balances
    header: 'Datum|Naam / Omschrijving|Rekening|Tegenrekening|Code|Af Bij|Bedrag (EUR)|Mutatiesoort|Mededelingen|Saldo na mutatie|Tag',
    mapping: {
      date: 'Datum',
      amount: 'Bedrag (EUR)',
      direction: 'Af Bij',
      text: ['Naam / Omschrijving', 'Mededelingen'],
      balance: 'Saldo na mutatie',
      dateFormat: 'YYYYMMDD',
    },
  },
  {
    // Lloyds Bank
    header: 'Transaction Date|Transaction Type|Sort Code|Account Number|Transaction Description|Debit Amount|Credit Amount|Balance',
    mapping: {
      date: 'Transaction Date',
      debit: 'Debit Amount',
      credit: 'Credit Amount',
      text: ['Transaction Description'],
      balance: 'Balance',
      dateFormat: 'DD/MM/YYYY',
    },
  },
  {
    // Barclays
    header: 'Number|Date|Account|Amount|Subcategory|Memo',
    mapping: { date: 'Date', amount: 'Amount', text: ['Memo'], dateFormat: 'DD/MM/YYYY' },
  },
];

/** Returns the meaning of the columns of a file whose header is that of a known bank; null for any other header. */
export function layoutOf(header: readonly string[]): BankLayout | null {
  const names = header.map((name) => name.replace(/^\uFEFF/, '').trim()).filter((name) => name !== '');
  return LAYOUTS.find((layout) => layout.header === names.join('|'))?.mapping ?? null;
}
