import { conditionsOn, newestPage, type Page, type PageRequest, queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, dateIn, isoTime, later, newId, ServiceError, type TenantTime } from '#core/kernel';
import { brandOf, formatDay } from '#core/platform/documents';
import type { ChangeEvents } from '#core/processing/domain-events';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import { SEALED_MESSAGE } from '#core/records/notifications';
import type { Customer } from '#core/sales/customers';
import type { Dependencies } from './dependencies.ts';
import type { CustomerPageLink, NewCustomerPageLink } from './records.ts';
import { PAGE_LINKS, PAGE_SESSIONS, type PageLinkRow } from './schema.ts';
import { PAGE_TEXTS } from './texts.ts';
import { newToken } from './token.ts';

const DAY_MS = 86_400_000;
const VALID_DAYS = 30;
/** Permission of those who create links. */
const PERMISSION = 'customers:write';

const pageLink = conditionsOn(PAGE_LINKS);
const queries = queriesOn(PAGE_LINKS, PAGE_SESSIONS);

/** Input of a new link. */
export interface NewPageLink {
  readonly sendVia?: readonly ('email' | 'sms')[];
  /** Days until the link expires; 30 by default. */
  readonly validDays?: number;
}

/** Subject of a link: a customer with its merchant. */
type Subject = Pick<Customer, 'customerId' | 'merchantId'>;

/**
 * Creates a link for a customer, and sends it to the addresses on file if requested. It is sent nowhere else, because everyone who has it sees what
 * the customer owes. @throws ServiceError CUSTOMER_NOT_FOUND, REQUIRED_FIELD_MISSING; RESOURCE_CONFLICT if a channel is not set up.
 */
export async function create(deps: Dependencies, actor: Actor, customerId: string, input: NewPageLink): Promise<NewCustomerPageLink> {
  const { tenantId } = actor;
  const customer = await deps.customers.get(actor, customerId);
  const merchant = checkOpen(await deps.merchants.merchantFor(actor, customer.merchantId));
  const recipients = await recipientsOf(deps, tenantId, customer, input.sendVia ?? []);
  const now = deps.clockOf(tenantId).now();
  const { row, url } = newLink(deps, merchant, tenantId, customer, {
    now,
    source: 'staff',
    createdBy: actor,
    validDays: input.validDays ?? VALID_DAYS,
  });
  const language = (await deps.invoicing.reminders.languageOf(tenantId, customerId)) ?? merchant.language;
  const text = PAGE_TEXTS[language].message({
    merchant: brandOf(merchant).companyName,
    url,
    validUntil: formatDay(dateIn(merchant.timezone, row.expires_ms), language),
  });
  const sealed = recipients.length === 0 ? '' : await deps.secrets.seal(tenantId, SEALED_MESSAGE, text.body);
  const messageIds = await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    await deps.checkStillHolds(work, actor, { permissions: [PERMISSION], merchantId: row.merchant_id });
    await deps.customers.lock(work, customerId);
    work.insert(PAGE_LINKS, row);
    const ids: string[] = [];
    for (const { channel, to } of recipients)
      ids.push(
        await deps.notifications.notify(work, {
          tenantId,
          merchantId: customer.merchantId,
          channel,
          kind: 'customer-page',
          resourceId: customerId,
          to,
          ...(channel === 'email' && { subject: text.subject }),
          body: { sealed },
          language,
          expiresMs: row.expires_ms,
          atMs: now,
          cause: 'request',
        }),
      );
    deps.audit(work, {
      actor,
      action: 'customer_page.link_created',
      resource: resourceOf(row),
      merchantId: row.merchant_id,
      after: { expiresAt: isoTime(row.expires_ms), sentTo: recipients.map(({ to }) => to).join(', ') || null },
    });
    publish(deps, work, row);
    return ids;
  });
  return { ...toLink(row, now), url, isLocalOnly: merchant.isLocalOnly, messageIds };
}

/** Creates a link for an email that is being sent, and returns its address. */
export async function createForEmail(deps: Dependencies, tenantId: string, customer: Subject, merchant: Merchant): Promise<string> {
  const now = deps.clockOf(tenantId).now();
  const { row, url } = newLink(deps, merchant, tenantId, customer, { now, source: 'email', createdBy: null, validDays: VALID_DAYS });
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    await deps.customers.lock(work, customer.customerId);
    work.insert(PAGE_LINKS, row);
    publish(deps, work, row);
  });
  return url;
}

interface Origin {
  readonly now: TenantTime;
  readonly source: PageLinkRow['source'];
  /** Null for the service. */
  readonly createdBy: Actor | null;
  readonly validDays: number;
}

function newLink(
  deps: Dependencies,
  merchant: Merchant,
  tenantId: string,
  { customerId, merchantId }: Subject,
  { now, source, createdBy, validDays }: Origin,
): { readonly row: PageLinkRow; readonly url: string } {
  const { token, hash } = newToken();
  const row: PageLinkRow = {
    tenant_id: tenantId,
    id: newId('cpl', now),
    merchant_id: merchantId,
    customer_id: customerId,
    token_hash: hash,
    source,
    expires_ms: later(now, validDays * DAY_MS),
    revoked_at: null,
    revoked_by: null,
    created_by: createdBy?.name ?? 'service',
    created_by_id: createdBy?.credentialId ?? null,
    created_at: isoTime(now),
  };
  return { row, url: deps.merchants.pageUrl(merchant, `/account/${token}`) };
}

const resourceOf = ({ customer_id, id }: PageLinkRow) => `customers/${customer_id}/page-links/${id}`;

function publish(deps: Dependencies, work: Work, { tenant_id, merchant_id }: PageLinkRow): void {
  work.afterCommit(() => deps.changed(tenant_id, 'customers', merchant_id));
}

interface Recipient {
  readonly channel: 'email' | 'sms';
  readonly to: string;
}

async function recipientsOf(
  deps: Dependencies,
  tenantId: string,
  { email, phone }: Customer,
  channels: readonly Recipient['channel'][],
): Promise<Recipient[]> {
  const recipients = channels.map((channel) => {
    const to = channel === 'email' ? email : phone;
    if (to !== null) return { channel, to };
    const field = channel === 'email' ? 'email' : 'phone';
    throw new ServiceError('REQUIRED_FIELD_MISSING', `The customer has no \`${field}\`. Add it to the customer first.`, { field });
  });
  for (const { channel } of recipients)
    if (!(await deps.notifications.delivers(tenantId, channel)))
      throw new ServiceError(
        'RESOURCE_CONFLICT',
        channel === 'email'
          ? 'Email is not set up on this account yet, so the link cannot be sent. No link was created.'
          : 'Text messages are not set up on this account yet, so the link cannot be sent. No link was created.',
        { field: 'sendVia', details: { reason: 'no_delivery', channel } },
      );
  return recipients;
}

function toLink(row: PageLinkRow, now: number): CustomerPageLink {
  return {
    linkId: row.id,
    customerId: row.customer_id,
    source: row.source,
    status: row.revoked_at !== null ? 'revoked' : row.expires_ms <= now ? 'expired' : 'open',
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: isoTime(row.expires_ms),
    revokedAt: row.revoked_at,
    revokedBy: row.revoked_by,
  };
}

/** Returns a page of the links of a customer, newest first. */
export async function list(deps: Dependencies, actor: Actor, customerId: string, request: PageRequest): Promise<Page<CustomerPageLink>> {
  await deps.customers.get(actor, customerId);
  const found = await newestPage(deps.database.read(actor.tenantId), PAGE_LINKS, 'cpl', { customer_id: customerId }, request);
  const now = deps.clockOf(actor.tenantId).now();
  return { ...found, items: found.items.map((row) => toLink(row, now)) };
}

/** Revokes one open link of a customer, or all of them, and ends their sessions and the card updates that were opened in them. Returns the number of revoked links. @throws ServiceError NOT_FOUND. */
export async function revoke(deps: Dependencies, actor: Actor, customerId: string, linkId?: string): Promise<number> {
  await deps.customers.get(actor, customerId);
  const now = deps.clockOf(actor.tenantId).now();
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.customers.lock(work, customerId);
    const where = { customer_id: customerId, ...(linkId !== undefined && { id: linkId }) };
    const found = await work.find(PAGE_LINKS, { ...where, revoked_at: null });
    if (linkId !== undefined && !(await work.one(PAGE_LINKS, where)))
      throw new ServiceError('NOT_FOUND', `This customer has no link ${linkId.slice(0, 60)}.`, { details: { linkId } });
    for (const row of found) {
      const revoked = { revoked_at: isoTime(now), revoked_by: actor.name };
      await work.update(PAGE_LINKS, { id: row.id }, revoked);
      await work.delete(PAGE_SESSIONS, { link_id: row.id });
      await deps.customers.endPageUpdates(work, customerId, row.id);
      deps.audit(work, {
        actor,
        action: 'customer_page.link_revoked',
        resource: resourceOf(row),
        merchantId: row.merchant_id,
        after: { revokedAt: revoked.revoked_at },
      });
      publish(deps, work, row);
    }
    return found.length;
  });
}

/**
 * Revokes the open links that a person made and could not make any more, because the person may have kept their addresses. One statement does it, so that
 * very many links cannot prevent the removal of the person.
 */
export async function rightsChanged(deps: Dependencies, work: Work, event: ChangeEvents['user.rights-changed']): Promise<void> {
  const { actor, userId, rights } = event;
  const mayCreate = rights !== null && [...rights.permissions].includes(PERMISSION);
  const keptMerchant = mayCreate ? rights.merchantId : '';
  if (keptMerchant === null) return;
  const now = deps.clockOf(actor.tenantId).now();
  const ofCredential = pageLink.and([
    pageLink('tenant_id', '=', TENANT),
    pageLink('created_by_id', '=', userId),
    pageLink('revoked_at', 'is', null),
    pageLink('expires_ms', '>', now),
    pageLink('merchant_id', '!=', keptMerchant),
  ]);
  const links = queries.selectFrom('customer_page_links').select('id').where(ofCredential);
  const confirmed = queries.selectFrom('customer_page_sessions').select(['customer_id', 'link_id']).where('tenant_id', '=', TENANT);
  for (const session of await work.rows(confirmed.where('link_id', 'in', links))) {
    await deps.customers.lock(work, session.customer_id);
    await deps.customers.endPageUpdates(work, session.customer_id, session.link_id);
    await work.delete(PAGE_SESSIONS, { link_id: session.link_id });
  }
  const revoked = { revoked_at: isoTime(now), revoked_by: actor.name };
  const count = await work.execute(queries.updateTable('customer_page_links').set(revoked).where(ofCredential));
  if (count === 0) return;
  deps.audit(work, {
    actor,
    action: 'customer_page.links_revoked',
    resource: `users/${userId}`,
    merchantId: null,
    after: { revoked: count },
  });
  work.afterCommit(() => deps.changed(actor.tenantId, 'customers', null));
}
