import type { Core } from '#core';
import { type Actor, addDays, checkPeriod, isoTime, ServiceError, startOfDate } from '#core/kernel';
import type { AuditFilter } from '#core/records/audit';

const METADATA_KEYS_MAX = 50;
const METADATA_BYTES_MAX = 4_096;

/** Returns the value. @throws REQUIRED_FIELD_MISSING with the caller's field name if it is absent or empty. */
export function required<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined || value === '') throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${field}\` is required.`, { field });
  return value;
}

/** Returns a value that the body or the query contains. @throws VALIDATION_ERROR if both do, with different values. */
export function bodyOrQuery<Value extends string>(field: string, inBody: Value | undefined, inQuery: Value | undefined): Value | undefined {
  if (inBody !== undefined && inQuery !== undefined && inBody !== inQuery)
    throw new ServiceError('VALIDATION_ERROR', `\`${field}\` has different values in the body and in the query. Send one of them.`, {
      field,
    });
  return inBody ?? inQuery;
}

/** Fields that name a payment method, by the payment method. */
export const METHOD_FIELDS = { card: 'card', ach: 'bankAccount', token: 'token' } as const;

/**
 * Refuses a payment method beside the charged one, which would be ignored: another card than expected could be charged. `charged` is the field of the
 * charged one, or null if nothing is charged. @throws VALIDATION_ERROR with the field.
 */
export function refuseSecondMethod(
  body: { readonly paymentMethod?: string; readonly card?: unknown; readonly bankAccount?: unknown; readonly token?: unknown },
  charged: (typeof METHOD_FIELDS)[keyof typeof METHOD_FIELDS] | 'paymentMethodId' | null,
): void {
  const field = Object.values(METHOD_FIELDS).find((name) => name !== charged && body[name] !== undefined);
  if (field === undefined) return;
  const { paymentMethod } = body;
  const message =
    charged === 'paymentMethodId' || paymentMethod === undefined
      ? `\`${field}\` would not be charged, because \`${charged}\` is. Send one payment method.`
      : `\`${field}\` would not be charged, because \`paymentMethod\` is ${paymentMethod}. Leave it out, or change \`paymentMethod\`.`;
  throw new ServiceError('VALIDATION_ERROR', message, { field });
}

/** Checks the limits of metadata: 50 keys and 4 KB. @throws VALIDATION_ERROR. */
export function checkMetadata(metadata: Record<string, unknown> | undefined, field = 'metadata'): Record<string, unknown> | undefined {
  if (metadata === undefined) return undefined;
  if (Object.keys(metadata).length > METADATA_KEYS_MAX || Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES_MAX) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      `\`${field}\` must have at most ${METADATA_KEYS_MAX} keys and ${METADATA_BYTES_MAX} bytes.`,
      {
        field,
      },
    );
  }
  return metadata;
}

/** Returns the billing address from the Billing… fields of the Public and SDK surfaces; undefined if none was sent. */
export function billingOf(body: { BillingAddress?: string; BillingCity?: string; BillingState?: string; BillingPostalCode?: string }) {
  const { BillingAddress: address, BillingCity: city, BillingState: state, BillingPostalCode: zip } = body;
  const billing = { address, city, state, zip };
  return Object.values(billing).some((value) => value !== undefined) ? billing : undefined;
}

/**
 * Returns the filter of the audit log with its days as instants, in the time zone of the caller's merchant.
 * @throws INVALID_DATE; VALIDATION_ERROR if it ends before it starts.
 */
export async function auditFilterFrom(
  core: Core,
  caller: Actor,
  query: {
    actor?: string;
    action?: string;
    resource?: string;
    requestId?: string;
    startDate?: string;
    endDate?: string;
  },
): Promise<AuditFilter> {
  const { actor, action, resource, requestId, startDate, endDate } = query;
  checkPeriod({ startDate, endDate });
  if (startDate === undefined && endDate === undefined) return { actor, action, resource, requestId };
  const { timezone } = await core.merchants.merchantFor(caller);
  const startOf = (day: string | undefined) => (day === undefined ? undefined : isoTime(startOfDate(timezone, day)));
  return {
    actor,
    action,
    resource,
    requestId,
    from: startOf(startDate),
    until: startOf(endDate === undefined ? undefined : addDays(endDate, 1)),
  };
}
