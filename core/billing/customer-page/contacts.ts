import type { Read, Work } from '#core/database';
import { later, type TenantTime } from '#core/kernel';
import { brandOf } from '#core/platform/documents';
import type { ChangeEvents } from '#core/processing/domain-events';
import type { Customer } from '#core/sales/customers';
import type { Dependencies } from './dependencies.ts';
import { CHANGED_CONTACTS, PAGE_SESSIONS } from './schema.ts';
import { PAGE_TEXTS } from './texts.ts';

/** Time for which no code is sent to a changed address, so that the customer can object before someone else acts with it. */
const HELD_MS = 24 * 3_600_000;

/** Address on file to which codes are sent. */
export interface CodeRecipient {
  readonly channel: 'email' | 'sms';
  readonly to: string;
}

type Contacts = Pick<Customer, 'customerId' | 'email' | 'phone'>;

/**
 * Returns the address on file for codes: the email address, or else the phone number, without one that was changed in the last 24 hours; null if no
 * message reaches the customer.
 */
export async function codeRecipient(deps: Dependencies, tenantId: string, customer: Contacts): Promise<CodeRecipient | null> {
  const held = new Set((await heldContacts(deps, tenantId, customer.customerId)).map(({ channel }) => channel));
  return recipientAmong(deps, tenantId, {
    email: held.has('email') ? null : customer.email,
    phone: held.has('sms') ? null : customer.phone,
  });
}

/** Returns the time from which codes are sent again to an address that was changed; null if none was. */
export async function heldUntil(deps: Dependencies, tenantId: string, customerId: string): Promise<TenantTime | null> {
  const times = (await heldContacts(deps, tenantId, customerId)).map(({ until_ms }) => until_ms);
  return times.sort((left, right) => left - right)[0] ?? null;
}

async function heldContacts(deps: Dependencies, tenantId: string, customerId: string) {
  const now = deps.clockOf(tenantId).now();
  const rows = await deps.database.read(tenantId).find(CHANGED_CONTACTS, { customer_id: customerId });
  return rows.filter(({ until_ms }) => until_ms > now);
}

async function recipientAmong(
  deps: Dependencies,
  tenantId: string,
  { email, phone }: Pick<Customer, 'email' | 'phone'>,
  read?: Read,
): Promise<CodeRecipient | null> {
  if (email !== null && (await deps.notifications.delivers(tenantId, 'email', read))) return { channel: 'email', to: email };
  if (phone !== null && (await deps.notifications.delivers(tenantId, 'sms', read))) return { channel: 'sms', to: phone };
  return null;
}

/**
 * Ends the sessions of a customer whose email address or phone number was changed, sends no codes to the new address for 24 hours, and writes a notice to the
 * address that received codes before. Without this, an employee who can edit customers could act as one of them unnoticed.
 */
export async function contactChanged(
  deps: Dependencies,
  work: Work,
  { tenantId, merchantId, customerId, before, changed }: ChangeEvents['customer.contact-changed'],
): Promise<void> {
  const now = deps.clockOf(tenantId).now();
  await work.delete(PAGE_SESSIONS, { customer_id: customerId });
  await deps.customers.endPageUpdates(work, customerId);
  for (const channel of changed) {
    await work.delete(CHANGED_CONTACTS, { customer_id: customerId, channel });
    work.insert(CHANGED_CONTACTS, { tenant_id: tenantId, customer_id: customerId, channel, until_ms: later(now, HELD_MS) });
  }
  const former = await recipientAmong(deps, tenantId, before, work);
  if (former === null) return;
  const merchant = await deps.merchants.merchantFor({ tenantId, merchantId: null }, merchantId);
  const language = (await deps.invoicing.reminders.languageOf(tenantId, customerId)) ?? merchant.language;
  const { subject, body } = PAGE_TEXTS[language].contactChanged(brandOf(merchant).companyName);
  await deps.notifications.notify(work, {
    tenantId,
    merchantId,
    ...former,
    resourceId: customerId,
    ...(former.channel === 'email' && { subject }),
    body,
    language,
    atMs: now,
    cause: 'event',
  });
}
