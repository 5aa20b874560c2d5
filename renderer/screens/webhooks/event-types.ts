import { t } from '#renderer/base/language';
import type { EventGroup } from '#shared/event-schemas';
import { EVENT_TYPES, EVERY_SECURITY_TYPE, EVERY_TYPE, type EventType, isSecurityName, WEBHOOK_EVENTS } from '#shared/webhook-events';

export type Groups = ReadonlyMap<EventGroup, readonly EventType[]>;
const grouped = (types: readonly EventType[]): Groups => Map.groupBy(types, (type) => WEBHOOK_EVENTS[type].group);

export const ALL_TYPES: readonly EventType[] = EVENT_TYPES.filter((type) => !isSecurityName(type));
export const ALL_SECURITY_TYPES: readonly EventType[] = EVENT_TYPES.filter(isSecurityName);
/** Event types that an endpoint may subscribe to, by subject. */
export const PAYMENT_GROUPS: Groups = grouped(ALL_TYPES);
/** Types of security activity, which only owners may subscribe to, by subject. */
export const SECURITY_GROUPS: Groups = grouped(ALL_SECURITY_TYPES);

/** Returns a label of the events of an endpoint: "All payment events", or the first two types and the number of the others. */
export function eventsText(events: readonly string[]): string {
  const labels = events.flatMap((name) => LABELS[name] ?? (events.includes(EVERY_TYPE) && !isSecurityName(name) ? [] : name));
  return labels.length > 2
    ? t('{{events}} and {{count, number}} more', { events: labels.slice(0, 2).join(', '), count: labels.length - 2 })
    : labels.join(', ');
}

const LABELS: Readonly<Record<string, string>> = { [EVERY_TYPE]: t('All payment events'), [EVERY_SECURITY_TYPE]: t('All security events') };

export const GROUP_NAMES: Readonly<Record<EventGroup, string>> = {
  Transactions: t('Transactions'),
  Refunds: t('Refunds'),
  'Failed refunds': t('Failed refunds'),
  Chargebacks: t('Chargebacks'),
  'Payment methods': t('Payment methods'),
  Subscriptions: t('Subscriptions'),
  Invoices: t('Invoices'),
  Register: t('Register'),
  Orders: t('Orders'),
  'Gift cards': t('Gift cards'),
  Customers: t('Customers'),
  Approvals: t('Approvals'),
  'Charge later': t('Charge later'),
  Installments: t('Installments'),
  'Card readers': t('Card readers'),
  Connection: t('Connection'),
  'Sign-ins': t('Sign-ins'),
  'Changes of access': t('Changes of access'),
};
