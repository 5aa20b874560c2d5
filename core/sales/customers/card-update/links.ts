import type { Work } from '#core/database';
import { type Actor, dateIn, isoTime, later, newId, ServiceError, serviceActor, type TenantTime } from '#core/kernel';
import { formatDay } from '#core/platform/documents';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import { PAYER_TEXTS } from '#core/records/notifications';
import type { Dependencies } from '../dependencies.ts';
import { methodOf } from '../methods.ts';
import { customerNotFound, readCustomer } from '../read.ts';
import type { UpdateLink } from '../records.ts';
import { CUSTOMERS, type CustomerRow, type MethodRow, PAYMENT_METHODS, UPDATE_LINKS, type UpdateLinkRow } from '../schema.ts';
import { tokenOf } from './address.ts';

const DAY_MS = 86_400_000;
const VALID_DAYS = 30;

/** The record whose card is replaced. Without `methodId`, it is the customer's default payment method. */
export interface UpdateLinkSubject {
  readonly customerId: string;
  readonly methodId?: string | null;
  /** Subscription for which the link is created. */
  readonly subscriptionId?: string;
  /** Returns the session on the page of the customer in which the link is opened; it runs under the lock of the customer. */
  readonly session?: (work: Work) => Promise<PageSession>;
}

/** Session on the page of a customer. */
interface PageSession {
  /** ID of the link to that page. */
  readonly pageLinkId: string;
  /** Time until the session ends, in milliseconds. */
  readonly remainingMs: number;
}

/** Channels and recipients of a link. Without a recipient, the customer's address or phone number is used. */
export interface UpdateLinkRecipients {
  readonly sendVia?: readonly ('email' | 'sms')[];
  readonly email?: string;
  readonly phone?: string;
}

/**
 * Creates a link for a customer and sends it by email or text message if requested. @throws ServiceError CUSTOMER_NOT_FOUND, NOT_FOUND for
 * a method of another customer, REQUIRED_FIELD_MISSING on `email` or `phone`.
 */
export async function createUpdateLink(
  deps: Dependencies,
  actor: Actor,
  subject: UpdateLinkSubject,
  recipients: UpdateLinkRecipients = {},
): Promise<UpdateLink> {
  const { tenantId } = actor;
  const { merchant_id } = await readCustomer(deps, actor, subject.customerId);
  const merchant = checkOpen(await deps.merchants.merchantFor(actor, merchant_id));
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const customer = await work.lockOne(CUSTOMERS, { id: subject.customerId });
    if (!customer || customer.deleted_at !== null) throw customerNotFound(subject.customerId);
    if (subject.methodId != null) await methodOf(work, customer.id, subject.methodId);
    const now = deps.clockOf(tenantId).now();
    const row = insertLink(deps, work, customer, actor, subject, now, await subject.session?.(work));
    const method = row.payment_method_id === null ? null : await work.one(PAYMENT_METHODS, { id: row.payment_method_id });
    const to = recipientsOf(customer, recipients);
    const messageIds: string[] = [];
    for (const recipient of to) messageIds.push(await send(deps, work, { merchant, row, method, now }, recipient));
    deps.audit(work, {
      actor,
      action: 'payment_method.update_link_created',
      resource: `customers/${customer.id}/update-links/${row.id}`,
      merchantId: customer.merchant_id,
      after: {
        paymentMethodId: row.payment_method_id,
        subscriptionId: row.subscription_id,
        expiresAt: isoTime(row.expires_ms),
        sentTo: to.map((recipient) => recipient.to).join(', ') || null,
      },
    });
    return {
      linkId: row.id,
      url: addressOf(deps, merchant, row.id),
      customerId: customer.id,
      paymentMethodId: row.payment_method_id,
      subscriptionId: row.subscription_id,
      expiresAt: isoTime(row.expires_ms),
      isLocalOnly: merchant.isLocalOnly,
      messageIds,
    };
  });
}

/**
 * Creates a link for a message about a failed payment, and returns its address; null if the address would open on this computer only, or if
 * the customer was deleted.
 */
export async function updateAddressIn(
  deps: Dependencies,
  work: Work,
  merchant: Merchant,
  subject: UpdateLinkSubject,
): Promise<string | null> {
  if (merchant.isLocalOnly) return null;
  const customer = await work.one(CUSTOMERS, { id: subject.customerId });
  if (!customer || customer.deleted_at !== null) return null;
  const actor = serviceActor(customer.tenant_id);
  const row = insertLink(deps, work, customer, actor, subject, deps.clockOf(customer.tenant_id).now());
  return addressOf(deps, merchant, row.id);
}

function insertLink(
  deps: Dependencies,
  work: Work,
  customer: CustomerRow,
  actor: Actor,
  { methodId, subscriptionId }: UpdateLinkSubject,
  now: TenantTime,
  session?: PageSession,
): UpdateLinkRow {
  const row: UpdateLinkRow = {
    tenant_id: customer.tenant_id,
    id: newId('cul', now),
    merchant_id: customer.merchant_id,
    customer_id: customer.id,
    payment_method_id: methodId ?? customer.default_method_id,
    subscription_id: subscriptionId ?? null,
    page_link_id: session?.pageLinkId ?? null,
    expires_ms: later(now, session?.remainingMs ?? VALID_DAYS * DAY_MS),
    used_at: null,
    created_by: actor.name,
    created_at: isoTime(now),
  };
  work.insert(UPDATE_LINKS, row);
  work.afterCommit(() => deps.changed(customer.tenant_id, 'customers', customer.merchant_id));
  return row;
}

/** Ends the links of a locked customer that were opened on the customer's page: by one link to that page, or all. */
export async function endPageUpdates(deps: Dependencies, work: Work, customerId: string, pageLinkId?: string): Promise<void> {
  for (const link of await work.find(UPDATE_LINKS, { customer_id: customerId, used_at: null })) {
    if (link.page_link_id === null || (pageLinkId !== undefined && link.page_link_id !== pageLinkId)) continue;
    const now = deps.clockOf(link.tenant_id).now();
    if (link.expires_ms > now) await work.update(UPDATE_LINKS, { id: link.id }, { expires_ms: now });
  }
}

const addressOf = (deps: Dependencies, merchant: Merchant, id: string) =>
  deps.merchants.pageUrl(merchant, `/card/${tokenOf(deps.updateLinkKey, id)}`);

interface Recipient {
  readonly channel: 'email' | 'sms';
  readonly to: string;
}

function recipientsOf(customer: CustomerRow, { sendVia = [], email, phone }: UpdateLinkRecipients): Recipient[] {
  return sendVia.map((channel) => {
    const field = channel === 'email' ? 'email' : 'phone';
    const to = channel === 'email' ? (email ?? customer.email) : (phone ?? customer.phone);
    if (to !== null) return { channel, to };
    throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${field}\` is required, because the customer has none.`, { field });
  });
}

interface LinkMessage {
  readonly merchant: Merchant;
  readonly row: UpdateLinkRow;
  readonly method: MethodRow | null;
  readonly now: TenantTime;
}

/** Sends the link. If the card has expired or expires while the link is valid, the message names the date. */
function send(deps: Dependencies, work: Work, { merchant, row, method, now }: LinkMessage, { channel, to }: Recipient): Promise<string> {
  const { language, timezone } = merchant;
  const expiresOn = method?.expires_on ?? null;
  const isExpiring = expiresOn !== null && expiresOn <= dateIn(timezone, row.expires_ms);
  const text = PAYER_TEXTS[language].cardUpdate({
    merchant: merchant.name,
    url: addressOf(deps, merchant, row.id),
    validUntil: formatDay(dateIn(timezone, row.expires_ms), language),
    method: method && { kind: method.kind === 'card' ? 'card' : 'account', brand: method.brand, last4: method.last4 },
    expiry: isExpiring ? { day: formatDay(expiresOn, language), isPast: expiresOn < dateIn(timezone, now) } : null,
  });
  return deps.notify(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    channel,
    kind: 'card-update',
    resourceId: row.customer_id,
    to,
    ...(channel === 'sms' ? { body: text.body } : text),
    expiresMs: row.expires_ms,
    atMs: now,
    cause: 'request',
  });
}
