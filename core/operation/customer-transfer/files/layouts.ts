import { plainName } from './raw-record.ts';

/** Facts of a record that layouts name differently. */
export type Field =
  | 'customerId'
  | 'name'
  | 'firstName'
  | 'lastName'
  | 'company'
  | 'email'
  | 'phone'
  | 'street'
  | 'street2'
  | 'city'
  | 'state'
  | 'zip'
  | 'country'
  | 'notes'
  | 'defaultMethodId'
  | 'methodId'
  | 'cardName'
  | 'number'
  | 'expiryMonth'
  | 'expiryYear'
  | 'expiry'
  | 'networkTransactionId'
  | 'routingNumber'
  | 'accountNumber'
  | 'accountType'
  | 'accountHolderName'
  | 'isDefault'
  | 'consentText'
  | 'consentAt';

/** A provider whose files are recognized. `list` is any list of customers. */
export type Source = 'authorizenet' | 'list' | 'nmi' | 'paydesk' | 'shopify' | 'square' | 'stripe';

/** Columns or members of a provider's files, as `plainName` writes them; the first one that has a value counts. */
export interface Layout {
  readonly source: Source;
  /** Sets of names of which one must be complete for the layout to be recognized. */
  readonly marks: readonly (readonly string[])[];
  readonly fields: Readonly<Partial<Record<Field, readonly string[]>>>;
  /** True if customers need no identifier. */
  readonly isList?: boolean;
  /** Lists of payment methods in an object, with the prefix that the members of their entries get. */
  readonly lists: Readonly<Record<string, string>>;
}

/** Layout of Paydesk's own files (`docs/moving-customers.md`). */
const PAYDESK: Layout = {
  source: 'paydesk',
  marks: [
    ['customerid', 'cardnumber'],
    ['customerid', 'method.cardnumber'],
    ['customerid', 'routingnumber', 'accountnumber'],
    ['customerid', 'method.routingnumber'],
    ['customerid', 'paymentmethods'],
    ['format', 'version'],
  ],
  lists: { paymentmethods: 'method' },
  fields: {
    customerId: ['customerid'],
    firstName: ['firstname'],
    lastName: ['lastname'],
    company: ['company'],
    email: ['email'],
    phone: ['phone'],
    street: ['address.street', 'street'],
    city: ['address.city', 'city'],
    state: ['address.state', 'state'],
    zip: ['address.zip', 'zip'],
    country: ['address.country', 'country'],
    notes: ['notes'],
    methodId: ['method.paymentmethodid', 'paymentmethodid'],
    number: ['method.cardnumber', 'cardnumber'],
    expiryMonth: ['method.expirymonth', 'expirymonth'],
    expiryYear: ['method.expiryyear', 'expiryyear'],
    networkTransactionId: ['method.networktransactionid', 'networktransactionid'],
    routingNumber: ['method.routingnumber', 'routingnumber'],
    accountNumber: ['method.accountnumber', 'accountnumber'],
    accountType: ['method.accounttype', 'accounttype'],
    accountHolderName: ['method.accountholdername', 'accountholdername'],
    isDefault: ['method.isdefault', 'isdefault'],
    consentText: ['method.consenttext', 'consenttext'],
    consentAt: ['method.consentat', 'consentat'],
  },
};

/**
 * Layout of the exports of Stripe. The fields of cards and of ACH accounts are published at
 * https://docs.stripe.com/get-started/data-migrations/export-file-formats. The nesting of the JSON form is not published; cards are accepted as the
 * members `card`, `cards` and `sources.data`. The list of customers of the dashboard has no numbers.
 */
const STRIPE: Layout = {
  source: 'stripe',
  marks: [
    ['card.number'],
    ['bankaccountid', 'routingnumber'],
    ['id', 'cards'],
    ['id', 'sources.data'],
    ['id', 'cardlast4'],
    ['id', 'createdutc'],
  ],
  lists: { cards: 'card', 'cards.data': 'card', 'sources.data': 'card' },
  fields: {
    customerId: ['id', 'customerid'],
    name: ['name'],
    email: ['email'],
    phone: ['phone'],
    street: ['card.addressline1', 'address.line1', 'cardaddressline1', 'addressline1'],
    street2: ['card.addressline2', 'address.line2', 'cardaddressline2', 'addressline2'],
    city: ['card.addresscity', 'address.city', 'cardaddresscity', 'addresscity'],
    state: ['card.addressstate', 'address.state', 'cardaddressstate', 'addressstate'],
    zip: ['card.addresszip', 'address.postalcode', 'cardaddresszip', 'addresspostalcode'],
    country: ['card.addresscountry', 'address.country', 'cardaddresscountry', 'addresscountry', 'country'],
    notes: ['description'],
    defaultMethodId: ['defaultsource'],
    methodId: ['card.id', 'bankaccountid'],
    cardName: ['card.name'],
    number: ['card.number'],
    expiryMonth: ['card.expmonth'],
    expiryYear: ['card.expyear'],
    networkTransactionId: ['card.transactionids', 'card.networktransactionid'],
    routingNumber: ['routingnumber'],
    accountNumber: ['accountnumber'],
    accountType: ['use'],
    accountHolderName: ['accountholdername'],
  },
};

/**
 * Layout of Authorize.Net CIM. Exports with full card numbers come from its support
 * (https://support.authorize.net/knowledgebase/Knowledgearticle/?code=KA-07614) and have no published layout; the names are those of customer profiles
 * in its API (https://developer.authorize.net/api/reference/features/customer-profiles.html).
 */
const AUTHORIZENET: Layout = {
  source: 'authorizenet',
  marks: [['customerprofileid']],
  lists: { paymentprofiles: 'profile', 'profile.paymentprofiles': 'profile' },
  fields: {
    customerId: ['customerprofileid'],
    firstName: ['profile.billto.firstname', 'billto.firstname', 'billtofirstname', 'billingfirstname', 'firstname'],
    lastName: ['profile.billto.lastname', 'billto.lastname', 'billtolastname', 'billinglastname', 'lastname'],
    company: ['profile.billto.company', 'billto.company', 'billtocompany', 'billingcompany', 'company'],
    email: ['email', 'customeremail', 'emailaddress'],
    phone: ['profile.billto.phonenumber', 'billto.phonenumber', 'billtophonenumber', 'phonenumber', 'phone'],
    street: ['profile.billto.address', 'billto.address', 'billtoaddress', 'billingaddress', 'address'],
    city: ['profile.billto.city', 'billto.city', 'billtocity', 'billingcity', 'city'],
    state: ['profile.billto.state', 'billto.state', 'billtostate', 'billingstate', 'state'],
    zip: ['profile.billto.zip', 'billto.zip', 'billtozip', 'billingzip', 'zip', 'zipcode'],
    country: ['profile.billto.country', 'billto.country', 'billtocountry', 'billingcountry', 'country'],
    notes: ['description'],
    methodId: ['profile.customerpaymentprofileid', 'customerpaymentprofileid', 'paymentprofileid'],
    number: ['profile.payment.creditcard.cardnumber', 'payment.creditcard.cardnumber', 'cardnumber', 'creditcardnumber'],
    expiry: [
      'profile.payment.creditcard.expirationdate',
      'payment.creditcard.expirationdate',
      'expirationdate',
      'cardexpirationdate',
      'creditcardexpirationdate',
    ],
    networkTransactionId: ['profile.originalnetworktransid', 'originalnetworktransid', 'networktransid'],
    routingNumber: ['profile.payment.bankaccount.routingnumber', 'payment.bankaccount.routingnumber', 'routingnumber', 'bankroutingnumber'],
    accountNumber: ['profile.payment.bankaccount.accountnumber', 'payment.bankaccount.accountnumber', 'accountnumber', 'bankaccountnumber'],
    accountType: ['profile.payment.bankaccount.accounttype', 'payment.bankaccount.accounttype', 'accounttype', 'bankaccounttype'],
    accountHolderName: ['profile.payment.bankaccount.nameonaccount', 'payment.bankaccount.nameonaccount', 'nameonaccount'],
    isDefault: ['profile.defaultpaymentprofile', 'defaultpaymentprofile'],
  },
};

/**
 * Layout of NMI's Customer Vault. Its support exports it encrypted with OpenPGP
 * (https://support.nmi.com/hc/en-gb/articles/360032135791-Data-Import-Export-Transfer-Information) without a published layout; the names are those of
 * customer records in its Query API and of the variables by which its Payment API writes them (https://docs.nmi.com/docs/customer-vault).
 */
const NMI: Layout = {
  source: 'nmi',
  marks: [['customervaultid'], ['vaultid', 'ccnumber'], ['vaultid', 'checkaccount']],
  lists: { billing: 'billing', billings: 'billing' },
  fields: {
    customerId: ['customervaultid', 'vaultid'],
    firstName: ['billing.firstname', 'firstname', 'billingfirstname'],
    lastName: ['billing.lastname', 'lastname', 'billinglastname'],
    company: ['billing.company', 'company', 'billingcompany'],
    email: ['billing.email', 'email', 'billingemail'],
    phone: ['billing.phone', 'phone', 'billingphone'],
    street: ['billing.address1', 'address1', 'billingaddress1'],
    street2: ['billing.address2', 'address2', 'billingaddress2'],
    city: ['billing.city', 'city', 'billingcity'],
    state: ['billing.state', 'state', 'billingstate'],
    zip: ['billing.postalcode', 'billing.zip', 'postalcode', 'zip', 'billingpostalcode', 'billingzip'],
    country: ['billing.country', 'country', 'billingcountry'],
    methodId: ['billing.billingid', 'billingid'],
    number: ['billing.ccnumber', 'ccnumber'],
    expiry: ['billing.ccexp', 'ccexp'],
    networkTransactionId: ['billing.networktransactionid', 'networktransactionid'],
    routingNumber: ['billing.checkaba', 'checkaba'],
    accountNumber: ['billing.checkaccount', 'checkaccount'],
    accountType: ['billing.accounttype', 'accounttype'],
    accountHolderName: ['billing.checkname', 'checkname'],
  },
};

/** Layout of the list of customers of Square, without cards. */
const SQUARE: Layout = {
  source: 'square',
  isList: true,
  marks: [['squarecustomerid']],
  lists: {},
  fields: {
    customerId: ['squarecustomerid'],
    firstName: ['firstname', 'givenname'],
    lastName: ['lastname', 'surname', 'familyname'],
    company: ['companyname', 'company'],
    email: ['emailaddress', 'email'],
    phone: ['phonenumber', 'phone'],
    street: ['streetaddress1', 'streetaddress'],
    street2: ['streetaddress2'],
    city: ['city'],
    state: ['state'],
    zip: ['postalcode'],
    country: ['country'],
    notes: ['memo', 'note'],
  },
};

/** Layout of the list of customers of Shopify, without cards. */
const SHOPIFY: Layout = {
  source: 'shopify',
  isList: true,
  marks: [['acceptsemailmarketing'], ['acceptsmarketing']],
  lists: {},
  fields: {
    customerId: ['customerid'],
    firstName: ['firstname'],
    lastName: ['lastname'],
    company: ['defaultaddresscompany', 'company'],
    email: ['email'],
    phone: ['phone', 'defaultaddressphone'],
    street: ['defaultaddressaddress1', 'address1'],
    street2: ['defaultaddressaddress2', 'address2'],
    city: ['defaultaddresscity', 'city'],
    state: ['defaultaddressprovincecode', 'provincecode', 'province'],
    zip: ['defaultaddresszip', 'zip'],
    country: ['defaultaddresscountrycode', 'countrycode', 'country'],
    notes: ['note'],
  },
};

/** Any list of customers with usual names of columns, such as those of accounting programs. */
const LIST: Layout = {
  source: 'list',
  isList: true,
  marks: [],
  lists: {},
  fields: {
    customerId: ['customerid', 'customernumber', 'customerno', 'clientid', 'contactid', 'accountno', 'id'],
    name: ['name', 'fullname', 'customername', 'customer', 'displayname', 'contactname', 'client', 'clientname'],
    firstName: ['firstname', 'givenname', 'forename'],
    lastName: ['lastname', 'surname', 'familyname'],
    company: ['company', 'companyname', 'organization', 'organisation', 'businessname'],
    email: ['email', 'emailaddress', 'mainemail', 'primaryemail'],
    phone: ['phone', 'phonenumber', 'mainphone', 'telephone', 'mobile', 'mobilephone', 'cell'],
    street: ['street', 'streetaddress', 'streetaddress1', 'address', 'address1', 'addressline1', 'billingaddressline1', 'billingstreet'],
    street2: ['street2', 'streetaddress2', 'address2', 'addressline2', 'billingaddressline2'],
    city: ['city', 'town', 'billingcity'],
    state: ['state', 'province', 'region', 'billingstate'],
    zip: ['zip', 'zipcode', 'postalcode', 'postcode', 'billingzip', 'billingpostalcode'],
    country: ['country', 'countrycode', 'billingcountry'],
    notes: ['notes', 'note', 'memo', 'comments'],
  },
};
/** Facts of which a list needs two, so that its rows are certainly customers. */
const CONTACT: readonly (readonly Field[])[] = [['name', 'firstName', 'lastName', 'company'], ['email'], ['phone'], ['street']];
/** Columns that may contain numbers of cards or accounts, which are never left out without a word. */
const NUMBERS = /(?:card|cc|account|iban)(?:num|no$|$)|^pan$|routing/;

// Stripe comes before Paydesk, whose CSV has some of the names of its ACH exports.
const LAYOUTS = [STRIPE, PAYDESK, AUTHORIZENET, NMI, SQUARE, SHOPIFY];

/** Returns the layout of a record by the names of its fields; null if no layout is recognized. */
export function layoutOf(names: ReadonlySet<string>): Layout | null {
  const known = LAYOUTS.find(({ marks }) => marks.some((mark) => mark.every((name) => names.has(name))));
  if (known) return known;
  const found = CONTACT.filter((fields) => fields.some((field) => LIST.fields[field]?.some((name) => names.has(name))));
  return found.length >= 2 && ![...names].some((name) => NUMBERS.test(name)) ? LIST : null;
}

/** Fields that a mapping can name. */
export const MAPPED_FIELDS = [
  'customerId',
  'name',
  'firstName',
  'lastName',
  'company',
  'email',
  'phone',
  'street',
  'street2',
  'city',
  'state',
  'zip',
  'country',
  'notes',
  'number',
  'expiry',
  'expiryMonth',
  'expiryYear',
  'networkTransactionId',
] as const satisfies readonly Field[];
/** Columns of a file by the name that they have in it. */
export type CustomerMapping = Readonly<Partial<Record<(typeof MAPPED_FIELDS)[number], string>>>;

/** Returns the layout of a file whose columns a mapping names. */
export function mappedLayout(mapping: CustomerMapping): Layout {
  const names = new Map(Object.entries(mapping).map(([field, name]) => [field, plainName(name)]));
  const fields = Object.fromEntries([...names].map(([field, name]) => [field, [name]]));
  return { source: 'list', isList: true, marks: [[...names.values()]], lists: {}, fields };
}

/** Largest depth of objects whose members are read. */
const DEPTH_MAX = 5;

/**
 * Returns the members of an object by their plain path, such as `profile.billto.city`. Lists are not followed; their path has the value an empty text,
 * so that layouts can be recognized by it.
 */
export function membersOf(
  value: Readonly<Record<string, unknown>>,
  prefix = '',
  depth = 0,
  into = new Map<string, string>(),
): Map<string, string> {
  for (const [name, member] of Object.entries(value)) {
    const path = prefix === '' ? plainName(name) : `${prefix}.${plainName(name)}`;
    if (Array.isArray(member)) into.set(path, '');
    else if (typeof member === 'object' && member !== null) {
      if (depth < DEPTH_MAX) membersOf(member as Record<string, unknown>, path, depth + 1, into);
    } else if (member !== null && member !== undefined) into.set(path, String(member).trim());
  }
  return into;
}

/** Returns the entries of the payment methods of an object, each with the members of the object; the object alone if it has no list of them. */
export function entriesOf(layout: Layout, value: Readonly<Record<string, unknown>>): ReadonlyMap<string, string>[] {
  const base = membersOf(value);
  const entries = Object.entries(layout.lists).flatMap(([path, prefix]) =>
    listAt(value, path.split('.')).map((entry) => new Map([...base, ...membersOf(entry, prefix)])),
  );
  return entries.length === 0 ? [base] : entries;
}

function listAt(value: Readonly<Record<string, unknown>>, [name, ...rest]: readonly string[]): Readonly<Record<string, unknown>>[] {
  const found = Object.entries(value).find(([key]) => plainName(key) === name)?.[1];
  if (typeof found !== 'object' || found === null) return [];
  if (Array.isArray(found)) return rest.length > 0 ? [] : found.filter((entry) => typeof entry === 'object' && entry !== null);
  return rest.length === 0 ? [found as Record<string, unknown>] : listAt(found as Record<string, unknown>, rest);
}
