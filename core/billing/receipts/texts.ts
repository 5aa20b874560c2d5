import type { Language } from '#shared/languages';
import type { EntryMode, Verification } from '#shared/terminals';

/** Fixed texts of receipts. */
export interface ReceiptTexts {
  readonly receipt: string;
  readonly marks: {
    readonly sandbox: string;
    readonly test: string;
    readonly refund: string;
    readonly void: string;
    readonly duplicate: string;
  };
  readonly titles: { readonly sale: string; readonly auth: string; readonly credit: string; readonly refund: string };
  readonly description: string;
  readonly facts: {
    readonly date: string;
    readonly paidBy: string;
    readonly entry: string;
    readonly application: string;
    readonly applicationId: string;
    readonly verification: string;
    readonly debitAuthorized: string;
    readonly status: string;
    readonly authCode: string;
    readonly reference: string;
    readonly invoice: string;
    readonly order: string;
    readonly purchaseOrder: string;
    readonly transaction: string;
    readonly refund: string;
    readonly refunded: string;
    readonly originallyAuthorized: string;
    readonly authorized: string;
  };
  /** Parts of the total. */
  readonly parts: {
    readonly base: string;
    readonly discount: string;
    readonly tip: string;
    readonly surcharge: string;
    readonly tax: string;
  };
  readonly totals: {
    readonly charged: string;
    readonly authorized: string;
    readonly refunded: string;
    readonly notRefunded: string;
    readonly refundPending: string;
    readonly credited: string;
    readonly notCredited: string;
    readonly notCharged: string;
    readonly notYetCharged: string;
  };
  readonly statuses: {
    readonly approved: string;
    readonly pending: string;
    readonly declined: string;
    readonly failed: string;
    readonly voided: string;
  };
  readonly entries: Readonly<Record<'keyed' | 'swiped' | 'saved' | 'api' | 'recurring' | 'link' | 'terminal', string>>;
  /** Labels of the entry modes of card readers. */
  readonly entryModes: Readonly<Record<EntryMode, string>>;
  readonly verifications: Readonly<Record<Verification, string>>;
  readonly bank: Readonly<Record<string, string>>;
  /** Forms of the authorization of a bank debit. */
  readonly debits: Readonly<Record<'oral' | 'written' | 'online', string>>;
  readonly signature: string;
  readonly noSignature: {
    readonly keyed: string;
    readonly mail: string;
    readonly saved: string;
    readonly online: string;
    readonly terminal: string;
  };
  readonly copies: { readonly customer: string; readonly merchant: string };
  /** Notices of returned checks. */
  readonly returnedCheck: {
    readonly name: string;
    readonly title: string;
    readonly notice: string;
    readonly receipt: string;
    readonly received: string;
    readonly returned: string;
    readonly amount: string;
    readonly explanation: string;
    /** Follows the explanation while an amount is due. */
    readonly request: string;
  };
  /** Receipts of cash, checks and other payments without a processor. */
  readonly tender: {
    readonly title: string;
    readonly number: string;
    readonly refundOf: string;
    readonly paid: string;
    readonly from: string;
    readonly payment: string;
    readonly rounding: string;
    readonly inCash: string;
    readonly given: string;
    readonly change: string;
    readonly amountDue: string;
    readonly reason: string;
    readonly approvedBy: string;
    readonly cash: string;
    readonly giftCard: string;
    readonly check: string;
    readonly other: string;
  };
  /** Payments of orders, whose records have only the kind of the payment. */
  readonly order: { readonly bankAccount: string; readonly card: string };
  /** X and Z reports of shifts. */
  readonly shift: {
    readonly xReport: string;
    readonly zReport: string;
    readonly drawer: string;
    readonly opened: string;
    readonly openedBy: string;
    readonly closed: string;
    readonly closedBy: string;
    readonly printed: string;
    readonly float: string;
    readonly cashSales: string;
    readonly cashRounding: string;
    readonly cashRefunds: string;
    readonly payIns: string;
    readonly payOuts: string;
    readonly checkSales: string;
    readonly checkRefunds: string;
    readonly otherSales: string;
    readonly otherRefunds: string;
    readonly giftCardSales: string;
    readonly giftCardRefunds: string;
    readonly giftCardsSold: string;
    readonly giftCardsTakenBack: string;
    /** Openings of the drawer without a sale. */
    readonly openings: string;
    readonly cardSales: string;
    readonly cardAdjustments: string;
    readonly cardVoids: string;
    readonly cardRefunds: string;
    readonly cardCredits: string;
    readonly cardTotal: string;
    readonly bankAccounts: string;
    readonly tips: string;
    readonly tipsOf: (person: string) => string;
    readonly surcharges: string;
    readonly taxes: string;
    readonly salesCount: string;
    readonly paymentsCount: string;
    readonly netSales: string;
    readonly discounts: string;
    readonly expected: string;
    readonly afterCount: string;
    readonly counted: string;
    readonly variance: string;
    readonly auditLog: string;
  };
  readonly mail: {
    readonly subject: (merchant: string) => string;
    readonly refundSubject: (merchant: string) => string;
    readonly returnSubject: (merchant: string) => string;
    readonly attached: string;
    readonly noticeAttached: string;
  };
  /** Complete text message. */
  readonly sms: (details: { merchant: string; amount: string; paidBy: string | null; authCode: string | null; date: string }) => string;
}

const en: ReceiptTexts = {
  receipt: 'Receipt',
  marks: { sandbox: 'SANDBOX', test: 'TEST, NO MONEY MOVED', refund: 'REFUND', void: 'VOID', duplicate: 'DUPLICATE' },
  titles: { sale: 'Sale', auth: 'Authorization', credit: 'Credit', refund: 'Refund' },
  description: 'Description',
  facts: {
    date: 'Date',
    paidBy: 'Paid by',
    entry: 'Entry method',
    application: 'Application',
    applicationId: 'AID',
    verification: 'Verification',
    debitAuthorized: 'Debit authorized',
    status: 'Status',
    authCode: 'Auth code',
    reference: 'Reference',
    invoice: 'Invoice',
    order: 'Order',
    purchaseOrder: 'Purchase order',
    transaction: 'Transaction',
    refund: 'Refund',
    refunded: 'Refunded',
    originallyAuthorized: 'Originally authorized',
    authorized: 'Authorized',
  },
  parts: { base: 'Amount', discount: 'Discount', tip: 'Tip', surcharge: 'Surcharge', tax: 'Sales tax' },
  totals: {
    charged: 'Total',
    authorized: 'Authorized',
    refunded: 'Refunded',
    notRefunded: 'Not refunded',
    refundPending: 'Refund pending',
    credited: 'Credited',
    notCredited: 'Not credited',
    notCharged: 'Not charged',
    notYetCharged: 'Not charged yet',
  },
  statuses: { approved: 'Approved', pending: 'Pending', declined: 'Declined', failed: 'Failed', voided: 'Voided' },
  entries: {
    keyed: 'Keyed',
    swiped: 'Swiped',
    saved: 'Card on file',
    api: 'Online',
    recurring: 'Recurring',
    link: 'Paid online',
    terminal: 'Card reader',
  },
  entryModes: { chip: 'Chip', contactless: 'Contactless', swipe: 'Swiped', keyed: 'Keyed on the card reader' },
  verifications: { pin: 'PIN', signature: 'Signature', device: 'Customer device', none: 'Not required' },
  bank: { checking: 'Checking account', savings: 'Savings account' },
  debits: { oral: 'By phone', written: 'In writing', online: 'Online' },
  signature: 'Signature',
  noSignature: {
    keyed: 'Phone order, no signature',
    mail: 'Mail order, no signature',
    saved: 'Card on file, no signature',
    online: 'Paid online, no signature',
    terminal: 'No signature required',
  },
  copies: { customer: 'Customer copy. Please keep it for your records.', merchant: 'Merchant copy' },
  returnedCheck: {
    name: 'Returned check notice',
    title: 'Returned check',
    notice: 'Notice',
    receipt: 'Receipt',
    received: 'Check received',
    returned: 'Return recorded',
    amount: 'Amount of the check',
    explanation: 'Your bank did not pay this check.',
    request: 'Its amount is due again. Please pay it in another way.',
  },
  order: { bankAccount: 'Bank account', card: 'Card' },
  tender: {
    title: 'Payment received',
    number: 'Receipt',
    refundOf: 'Refund of',
    paid: 'Paid',
    from: 'Received from',
    payment: 'Payment',
    rounding: 'Cash rounding',
    inCash: 'In cash',
    given: 'Amount given',
    change: 'Change',
    amountDue: 'Amount due',
    reason: 'Reason',
    approvedBy: 'Approved by',
    cash: 'Cash',
    giftCard: 'Gift card',
    check: 'Check',
    other: 'Other',
  },
  shift: {
    xReport: 'X report',
    zReport: 'Z report',
    drawer: 'Drawer',
    opened: 'Opened',
    openedBy: 'Opened by',
    closed: 'Closed',
    closedBy: 'Closed by',
    printed: 'Printed',
    float: 'Float',
    cashSales: 'Cash sales',
    cashRounding: 'Cash rounding',
    cashRefunds: 'Cash refunds',
    payIns: 'Paid in',
    payOuts: 'Paid out',
    checkSales: 'Checks',
    checkRefunds: 'Refunded checks',
    otherSales: 'Other tenders',
    otherRefunds: 'Other refunds',
    giftCardSales: 'Paid by gift card',
    giftCardRefunds: 'Refunded to gift cards',
    giftCardsSold: 'Gift cards sold',
    giftCardsTakenBack: 'Gift cards taken back',
    openings: 'Opened without sale',
    cardSales: 'Card sales',
    cardAdjustments: 'Card adjustments',
    cardVoids: 'Card voids',
    cardRefunds: 'Card refunds',
    cardCredits: 'Card credits',
    cardTotal: 'Cards, net',
    bankAccounts: 'Bank accounts',
    tips: 'Tips, cards',
    tipsOf: (person) => `Tips ${person}`,
    surcharges: 'Surcharges, cards',
    taxes: 'Taxes, cards',
    salesCount: 'Number of sales',
    paymentsCount: 'Number of payments',
    netSales: 'Net sales',
    discounts: 'Discounts given',
    expected: 'Expected cash',
    afterCount: 'after the count',
    counted: 'Counted cash',
    variance: 'Variance',
    auditLog: 'Audit log',
  },
  mail: {
    subject: (merchant) => `Your receipt from ${merchant}`,
    refundSubject: (merchant) => `Your refund from ${merchant}`,
    returnSubject: (merchant) => `Your returned check at ${merchant}`,
    attached: 'The receipt is attached as a PDF.',
    noticeAttached: 'The notice is attached as a PDF.',
  },
  sms: ({ merchant, amount, paidBy, authCode, date }) =>
    [`${merchant}: ${amount}${paidBy === null ? '' : ` by ${paidBy}`}, ${date}.`, authCode === null ? '' : `Auth code ${authCode}.`]
      .filter(Boolean)
      .join(' '),
};

const es: ReceiptTexts = {
  receipt: 'Recibo',
  marks: { sandbox: 'SANDBOX', test: 'PRUEBA, SIN COBRO', refund: 'REEMBOLSO', void: 'ANULADO', duplicate: 'DUPLICADO' },
  titles: { sale: 'Venta', auth: 'Autorización', credit: 'Abono', refund: 'Reembolso' },
  description: 'Descripción',
  facts: {
    date: 'Fecha',
    paidBy: 'Pagado con',
    entry: 'Forma de captura',
    application: 'Aplicación',
    applicationId: 'AID',
    verification: 'Verificación',
    debitAuthorized: 'Débito autorizado',
    status: 'Estado',
    authCode: 'Cód. autorización',
    reference: 'Referencia',
    invoice: 'Factura',
    order: 'Pedido',
    purchaseOrder: 'Orden de compra',
    transaction: 'Transacción',
    refund: 'Reembolso',
    refunded: 'Reembolsado',
    originallyAuthorized: 'Autorizado inicialmente',
    authorized: 'Autorizado',
  },
  parts: { base: 'Importe', discount: 'Descuento', tip: 'Propina', surcharge: 'Recargo', tax: 'Impuesto' },
  totals: {
    charged: 'Total',
    authorized: 'Autorizado',
    refunded: 'Reembolsado',
    notRefunded: 'No reembolsado',
    refundPending: 'Reembolso pendiente',
    credited: 'Abonado',
    notCredited: 'No abonado',
    notCharged: 'Sin cargo',
    notYetCharged: 'Aún sin cargo',
  },
  statuses: { approved: 'Aprobado', pending: 'Pendiente', declined: 'Rechazado', failed: 'Fallido', voided: 'Anulado' },
  entries: {
    keyed: 'Manual',
    swiped: 'Banda magnética',
    saved: 'Tarjeta guardada',
    api: 'En línea',
    recurring: 'Recurrente',
    link: 'Pagado en línea',
    terminal: 'Lector de tarjetas',
  },
  entryModes: { chip: 'Chip', contactless: 'Sin contacto', swipe: 'Banda magnética', keyed: 'Tecleada en el lector' },
  verifications: { pin: 'PIN', signature: 'Firma', device: 'Dispositivo del cliente', none: 'No requerida' },
  bank: { checking: 'Cuenta corriente', savings: 'Cuenta de ahorros' },
  debits: { oral: 'Por teléfono', written: 'Por escrito', online: 'En línea' },
  signature: 'Firma',
  noSignature: {
    keyed: 'Pedido por teléfono, sin firma',
    mail: 'Pedido por correo, sin firma',
    saved: 'Tarjeta guardada, sin firma',
    online: 'Pagado en línea, sin firma',
    terminal: 'No se requiere firma',
  },
  copies: { customer: 'Copia del cliente. Consérvela como comprobante.', merchant: 'Copia del comercio' },
  returnedCheck: {
    name: 'Aviso de cheque devuelto',
    title: 'Cheque devuelto',
    notice: 'Aviso',
    receipt: 'Recibo',
    received: 'Cheque recibido',
    returned: 'Devolución registrada',
    amount: 'Importe del cheque',
    explanation: 'Su banco no pagó este cheque.',
    request: 'Su importe vuelve a estar pendiente. Páguelo de otra forma.',
  },
  order: { bankAccount: 'Cuenta bancaria', card: 'Tarjeta' },
  tender: {
    title: 'Pago recibido',
    number: 'Recibo',
    refundOf: 'Reembolso de',
    paid: 'Pagado',
    from: 'Recibido de',
    payment: 'Pago',
    rounding: 'Redondeo de efectivo',
    inCash: 'En efectivo',
    given: 'Importe entregado',
    change: 'Cambio',
    amountDue: 'Importe pendiente',
    reason: 'Motivo',
    approvedBy: 'Aprobado por',
    cash: 'Efectivo',
    giftCard: 'Tarjeta de regalo',
    check: 'Cheque',
    other: 'Otro medio',
  },
  shift: {
    xReport: 'Informe X',
    zReport: 'Informe Z',
    drawer: 'Caja',
    opened: 'Apertura',
    openedBy: 'Abierta por',
    closed: 'Cierre',
    closedBy: 'Cerrada por',
    printed: 'Impreso',
    float: 'Fondo de caja',
    cashSales: 'Ventas en efectivo',
    cashRounding: 'Redondeo de efectivo',
    cashRefunds: 'Reembolsos en efectivo',
    payIns: 'Entradas',
    payOuts: 'Salidas',
    checkSales: 'Cheques',
    checkRefunds: 'Cheques reembolsados',
    otherSales: 'Otros medios',
    otherRefunds: 'Otros reembolsos',
    giftCardSales: 'Pagado con tarjeta de regalo',
    giftCardRefunds: 'Reembolsado a tarjetas de regalo',
    giftCardsSold: 'Tarjetas de regalo vendidas',
    giftCardsTakenBack: 'Tarjetas de regalo retiradas',
    openings: 'Aperturas sin venta',
    cardSales: 'Ventas con tarjeta',
    cardAdjustments: 'Ajustes de tarjetas',
    cardVoids: 'Anulaciones de tarjetas',
    cardRefunds: 'Reembolsos a tarjetas',
    cardCredits: 'Abonos a tarjetas',
    cardTotal: 'Tarjetas, neto',
    bankAccounts: 'Cuentas bancarias',
    tips: 'Propinas, tarjetas',
    tipsOf: (person) => `Propinas ${person}`,
    surcharges: 'Recargos, tarjetas',
    taxes: 'Impuestos, tarjetas',
    salesCount: 'Número de ventas',
    paymentsCount: 'Número de pagos',
    netSales: 'Ventas netas',
    discounts: 'Descuentos',
    expected: 'Efectivo esperado',
    afterCount: 'tras el recuento',
    counted: 'Efectivo contado',
    variance: 'Diferencia',
    auditLog: 'Auditoría',
  },
  mail: {
    subject: (merchant) => `Su recibo de ${merchant}`,
    refundSubject: (merchant) => `Su reembolso de ${merchant}`,
    returnSubject: (merchant) => `Su cheque devuelto en ${merchant}`,
    attached: 'El recibo va adjunto en PDF.',
    noticeAttached: 'El aviso va adjunto en PDF.',
  },
  sms: ({ merchant, amount, paidBy, authCode, date }) =>
    [`${merchant}: ${amount}${paidBy === null ? '' : ` con ${paidBy}`}, ${date}.`, authCode === null ? '' : `Aut. ${authCode}.`]
      .filter(Boolean)
      .join(' '),
};

const TEXTS: Readonly<Record<Language, ReceiptTexts>> = { en, es };

export function receiptTexts(language: Language): ReceiptTexts {
  return TEXTS[language];
}
