import {
  type Actor,
  allows,
  atLeastOneUnit,
  currencyOfPayment,
  parseCurrency,
  parseMoney,
  ServiceError,
  step,
  storedCurrency,
} from '#core/kernel';
import { checkOpen } from '#core/processing/merchants';
import { checkTerminalMerchant } from '#core/processing/terminals';
import type { Source } from '#core/records/vault';
import type { Payer } from '#core/sales/customers';
import type { DiscountColumns } from '#core/sales/discounts';
import { type LineItem, storedLineItems } from '#core/sales/items';
import type { AccountHolder, Channel } from '#shared/channels';
import type { Dependencies } from '../dependencies.ts';
import { stateOf } from '../eligibility.ts';
import { checkOrderFields, isOrderId, refuseOrderLines } from '../order-payments.ts';
import { type ItemizedInput, itemizedParts } from '../parts/itemized-parts.ts';
import { NO_PARTS } from '../parts/parts.ts';
import { type PayerContext, sealContext, tokenContextOf } from '../payer-context.ts';
import type { Agreement, Billing, Transaction } from '../records.ts';
import { readTransaction } from '../repository.ts';
import type { TransactionRow, TransactionSource } from '../schema.ts';
import { TRANSACTION_STEPS } from '../steps.ts';
import { changesFor } from '../terminal-facts/amounts.ts';
import { sourceAtTerminal, type TerminalMethodInput, terminalOf } from '../terminal-facts/input.ts';
import { isOnHostedPage } from '../transaction.ts';
import { agreementOfMethod, type BankAuthorizationInput } from './bank-authorization.ts';
import { channelOf, isPerson } from './channel.ts';
import { type IntentHook, type PaymentRequest, submitPayment } from './submit-payment.ts';

export type PaymentMethodInput =
  | { readonly kind: 'card'; readonly number: string; readonly expiryMonth: string; readonly expiryYear: string; readonly cvv?: string }
  | {
      readonly kind: 'ach';
      readonly accountNumber: string;
      readonly routingNumber: string;
      readonly accountType: string;
      readonly accountHolderName: string;
      readonly accountHolderType?: AccountHolder;
    }
  | { readonly kind: 'token'; readonly token: string };

export interface PaymentInput extends ItemizedInput {
  readonly type: 'sale' | 'auth';
  readonly amount: string | number;
  readonly currency?: string;
  /** Optional if the customer has a stored payment method. */
  readonly method?: PaymentMethodInput | TerminalMethodInput;
  /** Security code of the stored card that is charged. It is sent to the processor and never stored. */
  readonly cvv?: string;
  /** True if a part of the amount may be approved. */
  readonly allowPartialApproval?: boolean | undefined;
  readonly billing?: Billing;
  readonly customer?: { readonly email?: string; readonly name?: string };
  readonly merchantId?: string;
  readonly orderId?: string;
  /** Lines of the order that the payment pays, by their position. */
  readonly orderLines?: readonly number[];
  /** Purchase order number of a business customer (Level 2). */
  readonly purchaseOrderNumber?: string;
  readonly description?: string;
  readonly metadata?: Record<string, unknown>;
  readonly source: TransactionSource;
  /** Channel that the request names; by default it follows from the way of the payment into the product. */
  readonly channel?: Channel;
  /** Authorization of a bank debit. */
  readonly bankAuthorization?: BankAuthorizationInput;
  /** Customer who pays: with the given method, else with the given method on file, else with the default one. */
  readonly customerId?: string;
  readonly paymentMethodId?: string;
  /** Consent of the customer: after the approval, the payment method is stored with it. */
  readonly saveConsent?: string;
  /** Subscription that is billed, with the hook that ties the payment to it. */
  readonly subscription?: { readonly subscriptionId: string; readonly claim: IntentHook; readonly agreement: Agreement };
  /** Invoice that is paid, with the hook that ties the payment to it. Its amount may be below one major unit. */
  readonly invoice?: {
    readonly invoiceId: string;
    readonly claim: IntentHook;
    /** Lines of the payment, which add up to its amount without tip and surcharge. */
    readonly lines: readonly LineItem[];
    /** Set if the payment is an installment of a plan: its number, the number of all, and the agreement of the plan. */
    readonly installment?: { readonly number: number; readonly total: number; readonly agreement: Agreement };
  };
  /** Ties the payment to one that was queued to be charged later. */
  readonly queuedPayment?: { readonly queuedPaymentId: string; readonly claim: IntentHook; readonly channel: Channel };
  /** Discount that was checked before, when the payment was queued. */
  readonly grantedDiscount?: DiscountColumns;
  readonly shippingAddress?: string;
  /** Device and shipping details of a payer who pays without the merchant. */
  readonly payerContext?: PayerContext;
}

/**
 * Creates a sale or an authorization. A decline is a normal result with status `declined`. @throws ServiceError the
 * Validation codes; GATEWAY_ERROR and GATEWAY_UNAVAILABLE (nothing was charged); GATEWAY_TIMEOUT: inquiries then find the outcome of the transaction in
 * `details.transactionId`, and the call must not be repeated.
 */
export async function createPayment(deps: Dependencies, actor: Actor, given: PaymentInput): Promise<Transaction> {
  const input = { ...given, billing: trimmed(given.billing) };
  // A payment of a subscription comes with its customer's payment method.
  const isLookedUp = input.customerId === undefined || input.subscription !== undefined;
  const payer = isLookedUp ? null : await deps.payer(actor, input.customerId ?? '', input.paymentMethodId);
  const terminal = await terminalOf(deps, actor, input);
  const merchant = checkOpen(
    await deps.merchantFor(
      actor,
      input.merchantId ?? payer?.merchantId ?? terminal?.merchant_id ?? (await merchantOfToken(deps, actor, input)),
    ),
  );
  checkTerminalMerchant(terminal, merchant.merchantId);
  if (payer !== null && payer.merchantId !== merchant.merchantId)
    throw new ServiceError('VALIDATION_ERROR', 'This customer belongs to another merchant.', { field: 'customerId' });
  const isOfRecord = input.invoice !== undefined || input.subscription !== undefined;
  const currency = isOfRecord && input.currency !== undefined ? parseCurrency(input.currency) : currencyOfPayment(input.currency, merchant);
  const requestedAmount = parseMoney(input.amount, currency);
  const isOfOrder = isOrderId(input.orderId) && !isOfRecord && input.queuedPayment === undefined;
  // The rest of an invoice or of an order can be less than one unit.
  const amount = input.invoice || isOfOrder ? requestedAmount : atLeastOneUnit(requestedAmount);
  if (isOfOrder) checkOrderFields(input);
  else refuseOrderLines(input);
  const { lines, parts, discountMinor, discount } = await itemizedParts(
    deps.database.read(actor.tenantId),
    merchant.merchantId,
    input,
    amount,
  );
  const method = methodOf(input, payer);
  const { allowPartialApproval } = input;
  const { source, sealed, token } =
    method.kind === 'terminal' && terminal !== null
      ? sourceAtTerminal(
          terminal,
          method,
          await changesFor(deps, actor, terminal, method, { merchant, amount, parts, allowPartialApproval }),
        )
      : await sourceOf(deps, actor, method, input, merchant.merchantId);
  if (allowPartialApproval) checkPartialApproval(input, source.kind);
  const name = input.customer?.name ?? nameOf(input.billing) ?? payer?.name;
  const email = input.customer?.email ?? payer?.email ?? undefined;
  // The payer is not present when a card on file or a subscription is charged.
  const isEnteredNow = method.kind === 'token' && input.customerId === undefined && input.subscription === undefined;
  const entered: PayerContext = isEnteredNow ? await tokenContextOf(deps, actor.tenantId, method.token) : {};
  const installment = input.invoice?.installment;
  const channel =
    input.queuedPayment?.channel ??
    channelOf({
      source: input.source,
      named: input.channel,
      isPerson: isPerson(actor),
      isStored: method.kind === 'token',
      isEnteredOnPage: entered.deviceId !== undefined || entered.ipAddress !== undefined,
      hasCode: input.cvv !== undefined,
      isInstallment: installment !== undefined,
      deskChannel: merchant.vtSettings.channel,
    });
  const sealedContext = await sealContext(deps, actor.tenantId, {
    ...entered,
    shippingAddress: input.shippingAddress,
    ...input.payerContext,
  });
  return submitPayment(deps, actor, {
    type: input.type,
    sealedContext,
    method: method.kind === 'terminal' ? 'card' : method.kind,
    amount,
    parts,
    discountMinor,
    ...(input.grantedDiscount === undefined && { discount }),
    merchant,
    source,
    sealed,
    token,
    billing: input.billing,
    email,
    channel,
    bankAuthorization: input.bankAuthorization,
    agreement:
      input.subscription?.agreement ??
      installment?.agreement ??
      (payer?.method?.token === token ? agreementOfMethod(payer.method, merchant.timezone) : undefined),
    installment,
    allowsPartialApproval: allowPartialApproval,
    ...(input.orderLines && { orderLines: input.orderLines }),
    skipsUseRules: input.source === 'recurring',
    intentHook: input.subscription?.claim ?? input.invoice?.claim ?? input.queuedPayment?.claim,
    details: {
      customer_name: name ?? null,
      customer_email: email?.toLowerCase() ?? null,
      customer_id: input.customerId ?? null,
      subscription_id: input.subscription?.subscriptionId ?? null,
      invoice_id: input.invoice?.invoiceId ?? null,
      queued_payment_id: input.queuedPayment?.queuedPaymentId ?? null,
      save_consent: input.saveConsent ?? null,
      billing: input.billing ? JSON.stringify(input.billing) : null,
      order_id: input.orderId ?? null,
      purchase_order_number: input.purchaseOrderNumber ?? null,
      description: input.description ?? null,
      line_items: storedLineItems(input.invoice?.lines ?? lines),
      metadata: input.metadata ? JSON.stringify(input.metadata) : null,
      ...input.grantedDiscount,
      source: input.source,
    },
  });
}

/** Pays money to the card or account of a transaction, independent of its amount. Creates a transaction of type `credit`. */
export async function createUnlinkedCredit(
  deps: Dependencies,
  actor: Actor,
  input: { transactionId: string; amount: string | number },
): Promise<Transaction> {
  const amountIn = (row: TransactionRow) => atLeastOneUnit(parseMoney(input.amount, storedCurrency(row.currency)));
  const original = await originalOf(deps, actor, input.transactionId, 'credit', amountIn);
  const merchant = await deps.merchantFor(actor, original.merchant_id);
  const amount = amountIn(original);
  const request = await paymentRequestFrom(deps, original);
  return submitPayment(deps, actor, {
    type: 'credit',
    method: original.method,
    amount,
    parts: NO_PARTS,
    merchant,
    sameGatewayAs: { gateway: original.gateway, gateway_id: original.gateway_id },
    ...request,
    details: { ...request.details, credit_of: original.credit_of ?? original.id },
  });
}

/** Returns a transaction of the caller's merchants whose state allows a credit or rerun. @throws ServiceError with the refusal of the transition table. */
export async function originalOf(
  deps: Dependencies,
  actor: Actor,
  transactionId: string,
  operation: 'credit' | 'rerun',
  /** Checks the input against the currency of the transaction, before its state. */
  checkInput: (row: TransactionRow) => void = () => {},
): Promise<TransactionRow> {
  const row = await readTransaction(deps.database.read(actor.tenantId), transactionId);
  await deps.merchantFor(actor, row.merchant_id);
  checkInput(row);
  checkState(row, operation);
  return row;
}

/** @throws ServiceError with the refusal of the transition table, or RESOURCE_CONFLICT for a card that a card reader or a page of the processor took. */
export function checkState(row: TransactionRow, operation: 'credit' | 'rerun'): void {
  const { id: transactionId, terminal_id: terminalId } = row;
  if (!allows(TRANSACTION_STEPS, stateOf(row), operation)) step(TRANSACTION_STEPS, stateOf(row), operation, { transactionId });
  if (isOnHostedPage(row))
    throw new ServiceError('RESOURCE_CONFLICT', 'This payment was made on a page of the processor, so its card is not stored.', {
      details: { reason: 'hosted_page_payment', transactionId },
    });
  if (terminalId === null) return;
  const message = 'This payment was made on a card reader, so its card is not stored. Take a new payment there.';
  throw new ServiceError('RESOURCE_CONFLICT', message, { details: { reason: 'terminal_payment', transactionId, terminalId } });
}

/** Returns the fields that a new transaction copies from the one that it reruns or credits. */
export async function paymentRequestFrom(
  deps: Dependencies,
  original: TransactionRow,
): Promise<Pick<PaymentRequest, 'sealed' | 'token' | 'details' | 'billing' | 'email' | 'channel'> & { readonly source: Source }> {
  const { customer_name, customer_email, customer_id, billing, order_id, purchase_order_number, description, metadata } = original;
  return {
    source: await openStored(deps, original),
    sealed: null,
    token: original.token,
    channel: original.channel,
    billing: billing === null ? undefined : (JSON.parse(billing) as Billing),
    email: customer_email ?? undefined,
    details: {
      customer_name,
      customer_email,
      customer_id,
      billing,
      order_id,
      purchase_order_number,
      description,
      metadata,
      source: 'saved',
    },
  };
}

/**
 * Opens the payment method of an earlier payment. @throws ServiceError RESOURCE_CONFLICT if it was destroyed with its customer or at the
 * customer's request.
 */
async function openStored(deps: Dependencies, { tenant_id, id, token }: TransactionRow): Promise<Source> {
  try {
    return await deps.vault.open(tenant_id, token);
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.code !== 'NOT_FOUND') throw cause;
    throw new ServiceError('RESOURCE_CONFLICT', 'The card or account of this payment is no longer stored.', {
      details: { transactionId: id, reason: 'card_destroyed' },
      cause,
    });
  }
}

/** Returns the payment method to charge: that of the request, or the customer's stored one. */
function methodOf(
  { method, saveConsent, customerId, paymentMethodId }: PaymentInput,
  payer: Payer | null,
): PaymentMethodInput | TerminalMethodInput {
  if (
    saveConsent !== undefined &&
    (customerId === undefined || method === undefined || method.kind === 'token' || method.kind === 'terminal')
  ) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      'Only a card or bank account that is entered with the sale can be saved, and only for a customer.',
      {
        field: 'saveConsent',
      },
    );
  }
  if (paymentMethodId !== undefined && customerId === undefined)
    throw new ServiceError('REQUIRED_FIELD_MISSING', '`customerId` is required with `paymentMethodId`.', { field: 'customerId' });
  if (method !== undefined) return method;
  const token = payer?.method?.token;
  if (token !== undefined) return { kind: 'token', token };
  const message = payer === null ? '`card` is required.' : 'This customer has no payment method on file.';
  throw new ServiceError('REQUIRED_FIELD_MISSING', message, { field: 'card' });
}

/** Returns the merchant whose token a caller of all merchants charges; undefined for all other payments. */
async function merchantOfToken(deps: Dependencies, actor: Actor, { method }: PaymentInput): Promise<string | undefined> {
  if (actor.merchantId !== null || method?.kind !== 'token') return undefined;
  return (await deps.vault.merchantOf(actor, method.token)) ?? undefined;
}

/** @throws ServiceError VALIDATION_ERROR unless a part of the amount can be approved. */
function checkPartialApproval({ type }: PaymentInput, kind: PaymentRequest['source']['kind']): void {
  const obstacle =
    kind === 'ach'
      ? 'A bank debit takes the whole amount.'
      : type === 'auth'
        ? 'An authorization holds the whole amount. Send the type `sale`.'
        : null;
  if (obstacle !== null) throw new ServiceError('VALIDATION_ERROR', obstacle, { field: 'allowPartialApproval' });
}

function codeOfNewMethod(): ServiceError {
  const message = '`cvv` is the security code of a stored card. Send the code of another card with its number.';
  return new ServiceError('VALIDATION_ERROR', message, { field: 'cvv' });
}

/** Returns the source to charge, sealed if it is new. A customer's card is sealed for the customer, so that it is destroyed with the customer. */
async function sourceOf(
  deps: Dependencies,
  actor: Actor,
  method: PaymentMethodInput | TerminalMethodInput,
  { customerId, cvv }: Pick<PaymentInput, 'customerId' | 'cvv'>,
  merchantId: string,
): Promise<Pick<PaymentRequest, 'source' | 'sealed' | 'token'>> {
  if (method.kind === 'token') {
    const source = await deps.vault.openFor(actor, method.token, { owner: customerId, merchantId });
    if (cvv === undefined) return { source, sealed: null, token: method.token };
    if (source.kind === 'card')
      return { source: { ...source, cvv: deps.vault.checkCvv(cvv, 'cvv', source.brand) }, sealed: null, token: method.token };
    const message =
      source.kind === 'ach'
        ? 'A bank account has no security code. Leave `cvv` out.'
        : 'The gateway that stores this card takes no security code for it. Leave `cvv` out.';
    throw new ServiceError('VALIDATION_ERROR', message, { field: 'cvv' });
  }
  if (cvv !== undefined || method.kind === 'terminal') throw codeOfNewMethod();
  const source = method.kind === 'card' ? deps.vault.checkCard(actor.tenantId, method) : deps.vault.checkBankAccount(method);
  const sealed = await deps.vault.seal(actor.tenantId, source, { owner: customerId, merchantId });
  return { source, sealed, token: sealed.token };
}

/** Returns an address without blanks around its parts, and without blank parts, which no processor must take for a part of the address. */
function trimmed(billing: Billing | undefined): Billing | undefined {
  const parts = Object.entries(billing ?? {}).map(([name, text]) => [name, text?.trim()] as const);
  const given = parts.filter(([, text]) => text);
  return given.length === 0 ? undefined : (Object.fromEntries(given) as Billing);
}

function nameOf(billing: Billing | undefined): string | undefined {
  const name = [billing?.firstName, billing?.lastName].filter(Boolean).join(' ');
  return name === '' ? undefined : name;
}
