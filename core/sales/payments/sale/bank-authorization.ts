import { dateIn, parseDate, ServiceError } from '#core/kernel';
import { creditSecCode, secCodeOf } from '#core/processing/gateways';
import type { Merchant } from '#core/processing/merchants';
import type { Source } from '#core/records/vault';
import type { PaymentMethod } from '#core/sales/customers';
import { type Channel, isStanding, type SecCode } from '#shared/channels';
import type { Agreement, BankAuthorization } from '../records.ts';

/** Authorization of a bank debit as a request states it. */
export interface BankAuthorizationInput {
  /** Day of the authorization, YYYY-MM-DD; today by default. */
  readonly date?: string;
  /** Reference of the proof: the number of a recording, of a notice or of a signed form. */
  readonly reference?: string;
  /** Text that the holder agreed to. */
  readonly text?: string;
}

/** Returns the agreement to later charges that was stored with a payment method. */
export function agreementOfMethod(method: PaymentMethod, timezone: string): Agreement {
  const { agreementChannel: channel, consentAt, consentText: text } = method;
  return { channel, date: consentAt && dateIn(timezone, Date.parse(consentAt)), reference: null, text };
}

/** Agreement to later charges as a request states it. */
export interface AgreementInput {
  /** Channel by which the customer agreed; by default that of the merchant's Sell screen. */
  readonly agreementChannel?: Channel;
  readonly bankAuthorization?: BankAuthorizationInput;
  readonly consentText?: string;
}

/** Returns a new agreement, dated today unless the request states another day. @throws ServiceError VALIDATION_ERROR; REQUIRED_FIELD_MISSING for a written agreement to bank debits without proof. */
export function newAgreement(
  { agreementChannel, bankAuthorization, consentText }: AgreementInput,
  { vtSettings, timezone }: Pick<Merchant, 'vtSettings' | 'timezone'>,
  facts: { readonly isBankAccount: boolean; readonly nowMs: number },
): Agreement {
  const channel = agreementChannel ?? vtSettings.channel;
  const { date, reference, text } = recorded({ channel, given: bankAuthorization, timezone, nowMs: facts.nowMs }, null);
  const agreement = { channel, date, reference, text: text ?? (consentText?.trim() || null) };
  if (facts.isBankAccount && METHODS[channel] === 'written') requireProof(agreement);
  return agreement;
}

const METHODS: Readonly<Partial<Record<Channel, BankAuthorization['method']>>> = {
  phone: 'oral',
  mail: 'written',
  counter: 'written',
  internet: 'online',
};

interface DebitFacts {
  readonly type: 'sale' | 'auth' | 'credit';
  readonly source: Source | { readonly kind: 'terminal' };
  readonly channel: Channel;
  readonly given: BankAuthorizationInput | undefined;
  readonly agreement?: Agreement | undefined;
  readonly timezone: string;
  readonly nowMs: number;
}

/** Columns of a transaction that state the authorization of a bank debit. */
export interface AuthorizationColumns {
  readonly sec_code: SecCode | null;
  readonly bank_authorization: string | null;
}

/**
 * Returns the SEC code of a payment and the authorization that is recorded with it; both null for a card. A credit has a code and no authorization. @throws
 * ServiceError VALIDATION_ERROR for a card, and for a date in the future; REQUIRED_FIELD_MISSING if a written authorization has no proof.
 */
export function authorizationColumns(facts: DebitFacts): AuthorizationColumns {
  const { type, source, channel, given, agreement } = facts;
  if (source.kind !== 'ach') {
    if (given !== undefined) throw refused('Only a payment from a bank account has an authorization of the debit.', 'bankAuthorization');
    return { sec_code: null, bank_authorization: null };
  }
  if (type === 'credit') return { sec_code: creditSecCode(source.holder), bank_authorization: null };
  const agreedBy = agreement?.channel ?? null;
  const secCode = secCodeOf(channel, source.holder, agreedBy);
  const authorization = recorded(facts, agreedBy);
  if (secCode === 'PPD' && !isStanding(channel)) requireProof(authorization);
  return { sec_code: secCode, bank_authorization: JSON.stringify(authorization) };
}

/** Returns the authorization of a payment that repeats another one with the same account. */
export function keptAuthorization(original: AuthorizationColumns, source: Source, channel: Channel): AuthorizationColumns {
  if (source.kind !== 'ach') return { sec_code: null, bank_authorization: null };
  const { sec_code, bank_authorization } = original;
  return { sec_code: sec_code ?? secCodeOf(channel, source.holder, null), bank_authorization };
}

function requireProof({ reference, text }: Pick<BankAuthorization, 'reference' | 'text'>): void {
  if (reference !== null || text !== null) return;
  throw new ServiceError(
    'REQUIRED_FIELD_MISSING',
    '`bankAuthorization.reference` is required: a debit by mail or at the counter needs a signed form. State its reference, or its text in `bankAuthorization.text`.',
    { field: 'bankAuthorization.reference' },
  );
}

type RecordedFacts = Pick<DebitFacts, 'channel' | 'given' | 'agreement' | 'timezone' | 'nowMs'>;

function recorded({ channel, given, agreement, timezone, nowMs }: RecordedFacts, agreedBy: Channel | null): BankAuthorization {
  const today = dateIn(timezone, nowMs);
  const date = given?.date === undefined ? null : parseDate(given.date, 'bankAuthorization.date');
  if (date !== null && date > today)
    throw refused(`\`bankAuthorization.date\` must not be in the future. Today is ${today} for this merchant.`, 'bankAuthorization.date');
  const reference = given?.reference?.trim() || null;
  const text = given?.text?.trim() || null;
  if (!isStanding(channel)) return { method: METHODS[channel] ?? null, date: date ?? today, reference, text };
  return {
    method: (agreedBy && METHODS[agreedBy]) ?? null,
    date: date ?? agreement?.date ?? null,
    reference: reference ?? agreement?.reference ?? null,
    text: text ?? agreement?.text ?? null,
  };
}

const refused = (message: string, field: string) => new ServiceError('VALIDATION_ERROR', message, { field });
