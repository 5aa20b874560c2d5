import type { Language } from '#shared/languages';
import type { StatementKind } from './records.ts';

/** Texts of a statement. Amounts and days are formatted already. */
interface StatementTexts {
  readonly statement: string;
  readonly customer: string;
  readonly period: string;
  readonly range: (start: string, end: string) => string;
  readonly issued: string;
  readonly columns: {
    readonly date: string;
    readonly description: string;
    readonly charges: string;
    readonly credits: string;
    readonly balance: (currency: string) => string;
  };
  readonly opening: string;
  readonly closing: string;
  readonly owed: string;
  readonly none: string;
  readonly kinds: Readonly<Record<StatementKind, string>>;
  readonly ofInvoice: (what: string, number: string) => string;
  readonly due: (day: string) => string;
  readonly methods: Readonly<Record<string, string>>;
  readonly sandbox: string;
  readonly page: (page: number, pages: number) => string;
  readonly subject: (from: string, start: string, end: string) => string;
  readonly opens: (from: string, start: string, end: string) => string;
  readonly balanceIs: (amount: string) => string;
  readonly creditIs: (amount: string) => string;
  readonly attached: string;
}

const en: StatementTexts = {
  statement: 'Statement',
  customer: 'Customer',
  period: 'Period',
  range: (start, end) => `${start} to ${end}`,
  issued: 'Date',
  columns: {
    date: 'Date',
    description: 'Description',
    charges: 'Charges',
    credits: 'Credits',
    balance: (currency) => `Balance (${currency})`,
  },
  opening: 'Opening balance',
  closing: 'Closing balance',
  owed: 'Amount due',
  none: 'There are no entries in this period.',
  kinds: {
    invoice: 'Invoice',
    late_fee: 'Late fee',
    late_fee_reversed: 'Reversed late fee',
    cancellation: 'Cancellation',
    sale: 'Purchase',
    payment: 'Payment',
    void: 'Voided payment',
    return: 'Returned payment',
    refund: 'Refund',
    store_credit: 'Refund to store credit',
    credit: 'Credit',
  },
  ofInvoice: (what, number) => `${what} of invoice ${number}`,
  due: (day) => `due ${day}`,
  methods: {
    cash: 'cash',
    check: 'check',
    card: 'card',
    ach: 'bank account',
    token: 'card on file',
    bank_transfer: 'bank transfer',
    other: 'other',
  },
  sandbox: 'SANDBOX',
  page: (page, pages) => `Page ${page} of ${pages}`,
  subject: (from, start, end) => `Statement from ${from}: ${start} to ${end}`,
  opens: (from, start, end) => `Here is your statement from ${from} for ${start} to ${end}.`,
  balanceIs: (amount) => `Your balance is ${amount}.`,
  creditIs: (amount) => `You have a credit of ${amount}.`,
  attached: 'The attached PDF lists all entries.',
};

const es: StatementTexts = {
  statement: 'Estado de cuenta',
  customer: 'Cliente',
  period: 'Período',
  range: (start, end) => `${start} a ${end}`,
  issued: 'Fecha',
  columns: {
    date: 'Fecha',
    description: 'Descripción',
    charges: 'Cargos',
    credits: 'Abonos',
    balance: (currency) => `Saldo (${currency})`,
  },
  opening: 'Saldo inicial',
  closing: 'Saldo final',
  owed: 'Importe pendiente',
  none: 'No hay movimientos en este período.',
  kinds: {
    invoice: 'Factura',
    late_fee: 'Recargo por mora',
    late_fee_reversed: 'Recargo por mora anulado',
    cancellation: 'Anulación',
    sale: 'Compra',
    payment: 'Pago',
    void: 'Pago anulado',
    return: 'Pago devuelto por el banco',
    refund: 'Reembolso',
    store_credit: 'Reembolso a crédito en tienda',
    credit: 'Abono',
  },
  ofInvoice: (what, number) => `${what} de la factura ${number}`,
  due: (day) => `vence el ${day}`,
  methods: {
    cash: 'efectivo',
    check: 'cheque',
    card: 'tarjeta',
    ach: 'cuenta bancaria',
    token: 'tarjeta guardada',
    bank_transfer: 'transferencia bancaria',
    other: 'otro',
  },
  sandbox: 'SANDBOX',
  page: (page, pages) => `Página ${page} de ${pages}`,
  subject: (from, start, end) => `Estado de cuenta de ${from}: ${start} a ${end}`,
  opens: (from, start, end) => `Este es su estado de cuenta de ${from} del ${start} al ${end}.`,
  balanceIs: (amount) => `Su saldo es de ${amount}.`,
  creditIs: (amount) => `Tiene un saldo a su favor de ${amount}.`,
  attached: 'El PDF adjunto contiene todos los movimientos.',
};

export const STATEMENT_TEXTS: Readonly<Record<Language, StatementTexts>> = { en, es };
