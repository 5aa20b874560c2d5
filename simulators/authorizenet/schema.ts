// The processor converts JSON to XML: members must be in the order of its schema, known, and within their length.

export interface Shape {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  readonly oneOf?: readonly string[];
  /** Members in their order; a shape without members is a value. */
  readonly members?: Readonly<Record<string, Shape>>;
  readonly isList?: boolean;
  readonly isRequired?: boolean;
}

const text = (max: number): Shape => ({ max });
const required = (shape: Shape): Shape => ({ ...shape, isRequired: true });
const object = (members: Readonly<Record<string, Shape>>): Shape => ({ members });
const oneOf = (...values: string[]): Shape => ({ oneOf: values });
const amount: Shape = { pattern: /^\d{1,15}(\.\d{1,4})?$/ };
const digits: Shape = { pattern: /^\d{1,20}$/ };
const flag = oneOf('true', 'false', '1', '0');
const dateTime: Shape = { pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/ };

const address = {
  firstName: text(50),
  lastName: text(50),
  company: text(50),
  address: text(60),
  city: text(40),
  state: text(40),
  zip: text(20),
  country: text(60),
};

const payment = object({
  creditCard: object({
    cardNumber: required({ pattern: /^(\d{4,16}|XXXX\d{4})$/ }),
    expirationDate: required({ pattern: /^(\d{4}-\d\d|\d{4}|\d\d\/\d{4}|XXXX)$/ }),
    cardCode: { pattern: /^\d{3,4}$/ },
  }),
  bankAccount: object({
    accountType: oneOf('checking', 'savings', 'businessChecking'),
    routingNumber: required(text(9)),
    accountNumber: required(text(17)),
    nameOnAccount: required(text(22)),
    echeckType: oneOf('PPD', 'WEB', 'CCD', 'TEL', 'ARC', 'BOC'),
    bankName: text(50),
    checkNumber: text(15),
  }),
});

const extendedAmount = object({ amount: required(amount), name: text(31), description: text(255) });

const transactionRequest = object({
  transactionType: required(
    oneOf('authCaptureTransaction', 'authOnlyTransaction', 'priorAuthCaptureTransaction', 'refundTransaction', 'voidTransaction'),
  ),
  amount,
  currencyCode: { pattern: /^[A-Z]{3}$/ },
  payment,
  refTransId: digits,
  order: object({ invoiceNumber: text(20), description: text(255) }),
  lineItems: object({
    lineItem: {
      isList: true,
      members: {
        itemId: required({ min: 1, max: 31 }),
        name: required({ min: 1, max: 31 }),
        description: text(255),
        quantity: required(amount),
        unitPrice: required(amount),
        taxable: flag,
        totalAmount: amount,
        discountAmount: amount,
        taxIncludedInTotal: flag,
        taxIsAfterDiscount: flag,
      },
    },
  }),
  tax: extendedAmount,
  poNumber: text(25),
  customer: object({ type: oneOf('individual', 'business'), id: text(20), email: text(255) }),
  billTo: object({ ...address, phoneNumber: text(25) }),
  customerIP: text(45),
  retail: object({ marketType: oneOf('0', '1', '2'), deviceType: { pattern: /^\d{1,2}$/ } }),
  transactionSettings: object({
    setting: {
      isList: true,
      members: {
        settingName: required(
          oneOf('duplicateWindow', 'allowPartialAuth', 'emailCustomer', 'merchantEmail', 'recurringBilling', 'testRequest'),
        ),
        settingValue: text(20),
      },
    },
  }),
  surcharge: extendedAmount,
  tip: extendedAmount,
  processingOptions: object({
    isFirstRecurringPayment: flag,
    isFirstSubsequentAuth: flag,
    isSubsequentAuth: flag,
    isStoredCredentials: flag,
  }),
  subsequentAuthInformation: object({
    originalNetworkTransId: text(255),
    originalAuthAmount: amount,
    reason: oneOf('resubmission', 'delayedCharge', 'reauthorization', 'noShow'),
  }),
});

const request = (members: Readonly<Record<string, Shape>>): Shape =>
  object({
    merchantAuthentication: required(object({ name: required(text(25)), transactionKey: required(text(16)) })),
    refId: text(20),
    ...members,
  });
const list = (orders: readonly string[]) => ({
  sorting: object({ orderBy: required(oneOf(...orders)), orderDescending: required(flag) }),
  paging: object({ limit: required({ pattern: /^([1-9]\d{0,2}|1000)$/ }), offset: required({ pattern: /^[1-9]\d{0,4}$/ }) }),
});

/** Every operation that the simulator supports. */
export const OPERATIONS: Readonly<Record<string, Shape>> = {
  createTransactionRequest: request({ transactionRequest: required(transactionRequest) }),
  updateSplitTenderGroupRequest: request({
    splitTenderId: required(digits),
    splitTenderStatus: required(oneOf('completed', 'held', 'voided')),
  }),
  getHostedPaymentPageRequest: request({
    transactionRequest: required(transactionRequest),
    hostedPaymentSettings: object({
      setting: {
        isList: true,
        members: {
          settingName: required(
            oneOf(
              'hostedPaymentReturnOptions',
              'hostedPaymentPaymentOptions',
              'hostedPaymentOrderOptions',
              'hostedPaymentCustomerOptions',
              'hostedPaymentButtonOptions',
            ),
          ),
          settingValue: { pattern: /^\{.*\}$/ },
        },
      },
    }),
  }),
  authenticateTestRequest: request({}),
  getMerchantDetailsRequest: request({}),
  getTransactionDetailsRequest: request({ transId: required(digits) }),
  getUnsettledTransactionListRequest: request({ status: oneOf('any', 'pendingApproval'), ...list(['id', 'submitTimeUTC']) }),
  getSettledBatchListRequest: request({ includeStatistics: flag, firstSettlementDate: dateTime, lastSettlementDate: dateTime }),
  getTransactionListRequest: request({ batchId: required(digits), ...list(['id', 'submitTimeUTC']) }),
};

/** Returns the error of a value in the processor's wording; null if it is valid. */
export function faultIn(name: string, value: unknown, shape: Shape): string | null {
  if (shape.isList) {
    if (!Array.isArray(value)) return `The element '${name}' is invalid.`;
    return firstOf(value, (item) => faultIn(name, item, { ...shape, isList: false }));
  }
  if (shape.members === undefined) return faultInValue(name, value, shape);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `The element '${name}' is invalid.`;
  const order = Object.keys(shape.members);
  const given = Object.keys(value);
  let at = -1;
  for (const member of given) {
    const place = order.indexOf(member);
    if (place <= at)
      return `The element '${name}' in namespace 'AnetApi/xml/v1/schema/AnetApiSchema.xsd' has invalid child element '${member}'.`;
    at = place;
  }
  const missing = order.find((member) => shape.members?.[member]?.isRequired && !given.includes(member));
  if (missing !== undefined) return `The element '${name}' has incomplete content. List of possible elements expected: '${missing}'.`;
  return firstOf(Object.entries(value), ([member, inner]) => faultIn(member, inner, shape.members?.[member] ?? {}));
}

function faultInValue(name: string, value: unknown, { min = 0, max = 10_000, pattern, oneOf: values }: Shape): string | null {
  const isValue = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const written = String(value);
  const datatype = `The '${name}' element is invalid - The value '${written}' is invalid according to its datatype`;
  if (!isValue) return `The element '${name}' is invalid.`;
  if (written.length > max) return `${datatype} 'String' - The actual length is greater than the MaxLength value.`;
  if (written.length < min) return `${datatype} 'String' - The actual length is less than the MinLength value.`;
  if (pattern && !pattern.test(written)) return `${datatype} - The Pattern constraint failed.`;
  return values && !values.includes(written) ? `${datatype} - The Enumeration constraint failed.` : null;
}

function firstOf<Item>(items: readonly Item[], fault: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = fault(item);
    if (found !== null) return found;
  }
  return null;
}
