import type { Language } from '#shared/languages';
import type { InvoicePaymentMethod } from './schema.ts';

/** Texts on the PDF of an invoice. */
export interface InvoicePdfTexts {
  readonly invoice: string;
  readonly billTo: string;
  readonly number: string;
  readonly date: string;
  readonly dueDate: string;
  readonly purchaseOrder: string;
  readonly columns: {
    readonly description: string;
    readonly quantity: string;
    readonly unitPrice: string;
    readonly amount: (currency: string) => string;
  };
  readonly totals: { readonly tax: string; readonly total: string; readonly paid: string; readonly due: string; readonly pending: string };
  readonly payments: string;
  readonly paymentColumns: { readonly date: string; readonly method: string; readonly reference: string };
  readonly methods: Readonly<Record<InvoicePaymentMethod, string>>;
  readonly refunded: (amount: string) => string;
  readonly stamps: {
    readonly paid: string;
    readonly cancelled: string;
    readonly overdue: string;
    readonly draft: string;
    readonly sandbox: string;
  };
  readonly payOnline: string;
  readonly scan: string;
  readonly page: (page: number, pages: number) => string;
}

const en: InvoicePdfTexts = {
  invoice: 'Invoice',
  billTo: 'Bill to',
  number: 'Number',
  date: 'Date',
  dueDate: 'Due date',
  purchaseOrder: 'Purchase order',
  columns: { description: 'Description', quantity: 'Quantity', unitPrice: 'Unit price', amount: (currency) => `Amount (${currency})` },
  totals: { tax: 'Tax included', total: 'Total', paid: 'Paid', due: 'Amount due', pending: 'Payment pending' },
  payments: 'Payments received',
  paymentColumns: { date: 'Date', method: 'Paid by', reference: 'Reference' },
  methods: {
    cash: 'Cash',
    check: 'Check',
    card: 'Card',
    ach: 'Bank account',
    token: 'Card on file',
    bank_transfer: 'Bank transfer',
    other: 'Other',
  },
  refunded: (amount) => `${amount} refunded`,
  stamps: { paid: 'PAID', cancelled: 'CANCELED', overdue: 'OVERDUE', draft: 'DRAFT', sandbox: 'SANDBOX' },
  payOnline: 'Pay online',
  scan: 'Scan the code with your phone, or open this address:',
  page: (page, pages) => `Page ${page} of ${pages}`,
};

const es: InvoicePdfTexts = {
  invoice: 'Factura',
  billTo: 'Facturar a',
  number: 'Número',
  date: 'Fecha',
  dueDate: 'Vencimiento',
  purchaseOrder: 'Orden de compra',
  columns: {
    description: 'Descripción',
    quantity: 'Cantidad',
    unitPrice: 'Precio unitario',
    amount: (currency) => `Importe (${currency})`,
  },
  totals: { tax: 'Impuesto incluido', total: 'Total', paid: 'Pagado', due: 'Importe pendiente', pending: 'Pago pendiente de confirmación' },
  payments: 'Pagos recibidos',
  paymentColumns: { date: 'Fecha', method: 'Pagado con', reference: 'Referencia' },
  methods: {
    cash: 'Efectivo',
    check: 'Cheque',
    card: 'Tarjeta',
    ach: 'Cuenta bancaria',
    token: 'Tarjeta guardada',
    bank_transfer: 'Transferencia bancaria',
    other: 'Otro',
  },
  refunded: (amount) => `${amount} reembolsado`,
  stamps: { paid: 'PAGADA', cancelled: 'ANULADA', overdue: 'VENCIDA', draft: 'BORRADOR', sandbox: 'SANDBOX' },
  payOnline: 'Pagar en línea',
  scan: 'Escanee el código con su teléfono o abra esta dirección:',
  page: (page, pages) => `Página ${page} de ${pages}`,
};

const TEXTS: Readonly<Record<Language, InvoicePdfTexts>> = { en, es };

export function invoicePdfTexts(language: Language): InvoicePdfTexts {
  return TEXTS[language];
}
