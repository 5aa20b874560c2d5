import type { Language } from '#shared/languages';

/** Texts on the PDF of an invoice. */
const en = {
  invoice: 'Invoice',
  billTo: 'Bill to',
  number: 'Number',
  date: 'Date',
  dueDate: 'Due date',
  purchaseOrder: 'Purchase order',
  columns: {
    description: 'Description',
    quantity: 'Quantity',
    unitPrice: 'Unit price',
    amount: (currency: string) => `Amount (${currency})`,
  },
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
  refunded: (amount: string) => `${amount} refunded`,
  stamps: { paid: 'PAID', cancelled: 'CANCELED', overdue: 'OVERDUE', draft: 'DRAFT', sandbox: 'SANDBOX' },
  payOnline: 'Pay online',
  scan: 'Scan the code with your phone, or open this address:',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
};

export type InvoicePdfTexts = typeof en;

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
