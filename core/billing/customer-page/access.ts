import { hash } from 'node:crypto';
import type { Read, Work } from '#core/database';
import { type Actor, isoTime, later, realNow, ServiceError, serviceActor } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import { checkAccess } from '#core/sales/customers';
import type { Language } from '#shared/languages';
import { type CodeRecipient, codeRecipient, heldUntil } from './contacts.ts';
import type { Dependencies } from './dependencies.ts';
import { PAGE_LINKS, PAGE_SESSIONS, type PageLinkRow } from './schema.ts';
import { hashOf, newToken } from './token.ts';

const DAY_MS = 86_400_000;
const SESSION_MS = 20 * 60_000;
/** Codes that one customer can request in a day, so that who has a link cannot use up the messages to the customer. */
const CODES_PER_DAY = 5;

/** `closed`: the link was revoked, or the customer or the merchant no longer exists. */
export type PageState = 'open' | 'expired' | 'closed';

/** A link that was found by its token. */
export interface FoundLink {
  readonly link: PageLinkRow;
  readonly merchant: Merchant;
  readonly state: PageState;
}

/** Origin of a request of the page. */
export interface PageOrigin {
  readonly ip: string | null;
  readonly requestId: string;
  readonly userAgent?: string;
  /** Random ID in a cookie of the payer's browser. */
  readonly deviceId?: string;
}

/** A browser that opened the page: its link, its language, and its cookie if a code was entered. */
export interface Visitor extends PageOrigin {
  readonly token: string;
  readonly session: string | undefined;
  readonly language: Language;
}

/** Returns the link with a token. @throws ServiceError NOT_FOUND for an unknown token. */
export async function findLink(deps: Dependencies, token: string): Promise<FoundLink> {
  const token_hash = hashOf(token);
  const link = token_hash === null ? null : await deps.database.readAcrossTenants().one(PAGE_LINKS, { token_hash });
  if (!link) throw new ServiceError('NOT_FOUND', 'There is no such link.');
  const merchant = await deps.merchants.merchantFor({ tenantId: link.tenant_id, merchantId: null }, link.merchant_id);
  return { link, merchant, state: await stateOf(deps, link, merchant) };
}

async function stateOf(deps: Dependencies, link: PageLinkRow, merchant: Merchant): Promise<PageState> {
  if (link.revoked_at !== null || merchant.deletedAt !== null) return 'closed';
  if (link.expires_ms <= deps.clockOf(link.tenant_id).now()) return 'expired';
  try {
    await checkAccess(deps.database, { tenantId: link.tenant_id, merchantId: link.merchant_id }, link.customer_id);
    return 'open';
  } catch (error) {
    if (error instanceof ServiceError) return 'closed';
    throw error;
  }
}

/** Returns the open link with a token. @throws ServiceError NOT_FOUND; RESOURCE_CONFLICT with the state of another link as the reason. */
export async function openLink(deps: Dependencies, token: string): Promise<FoundLink> {
  const found = await findLink(deps, token);
  if (found.state === 'open') return found;
  throw new ServiceError('RESOURCE_CONFLICT', 'This link is no longer valid.', { details: { reason: found.state } });
}

/** Returns the actor of what a customer does on the page. It is limited to the merchant of the link. */
export const actorOf = ({ tenant_id, merchant_id }: PageLinkRow, origin?: PageOrigin): Actor => ({
  ...serviceActor(tenant_id),
  credentialId: 'page',
  name: 'payer',
  merchantId: merchant_id,
  ...origin,
});

/** Returns an address of which only a few characters are readable: a•••@c•••.example, or •••42. */
export function masked({ channel, to }: CodeRecipient): string {
  if (channel === 'sms') return `•••${to.slice(-2)}`;
  const at = to.lastIndexOf('@');
  const domain = to.slice(at + 1);
  return `${to.slice(0, 1)}•••@${domain.slice(0, 1)}•••${domain.slice(domain.lastIndexOf('.'))}`;
}

/**
 * Sends a code to the address on file. Returns its ID. @throws ServiceError RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED; RESOURCE_CONFLICT with the reason
 * `no_address` or `address_changed`.
 */
export async function requestCode(deps: Dependencies, { token, language, ...origin }: Visitor): Promise<string> {
  const { link } = await openLink(deps, token);
  const { tenant_id: tenantId, customer_id: customerId } = link;
  const actor = actorOf(link, origin);
  const recipient = await codeRecipient(deps, tenantId, await deps.customers.get(actor, customerId));
  if (recipient === null) {
    const until = await heldUntil(deps, tenantId, customerId);
    const reason = until === null ? 'no_address' : 'address_changed';
    throw new ServiceError('RESOURCE_CONFLICT', 'No code can be sent to this customer.', { details: { reason } });
  }
  const windows = [{ scope: `customer-page-code/${customerId}`, lengthMs: DAY_MS, max: CODES_PER_DAY }];
  const [usage] = await deps.limits.usage(tenantId, windows);
  if (usage && usage.used >= usage.max)
    throw new ServiceError('DAILY_LIMIT_EXCEEDED', 'No more codes are sent to this customer today.', { details: { reason: 'codes' } });
  const codeId = await deps.pageCodes.send({ actor, subject: link.id, channel: recipient.channel, destination: recipient.to, language });
  await deps.limits.count(tenantId, windows);
  return codeId;
}

/** A browser in which the customer entered a code. */
export interface NewSession {
  /** Value of the cookie; only its hash is stored. */
  readonly session: string;
  readonly seconds: number;
}

/**
 * Checks a code and returns a new session. @throws ServiceError VALIDATION_ERROR for a wrong code, NOT_FOUND for a used one or one of another link,
 * RESOURCE_CONFLICT with the reason `address_changed` for one that was sent to a former address.
 */
export async function confirmCode(
  deps: Dependencies,
  token: string,
  { codeId, code }: { readonly codeId: string; readonly code: string },
  origin: PageOrigin,
): Promise<NewSession> {
  const { link } = await openLink(deps, token);
  const { token: session, hash: id } = newToken();
  const created_at = isoTime(deps.clockOf(link.tenant_id).now());
  await deps.pageCodes.verify({ actor: actorOf(link, origin), subject: link.id }, codeId, code, async (work, sent) => {
    const customer = await deps.customers.lockRow(work, link.customer_id);
    // A change of the address ends the sessions under the same lock, so no session begins by a code to the former address.
    if (sent.destination !== (sent.channel === 'email' ? customer.email : customer.phone))
      throw new ServiceError('RESOURCE_CONFLICT', 'The address to which the code was sent has changed. Request a new code.', {
        details: { reason: 'address_changed' },
      });
    if ((await work.one(PAGE_LINKS, { id: link.id }))?.revoked_at !== null)
      throw new ServiceError('RESOURCE_CONFLICT', 'This link is no longer valid.', { details: { reason: 'closed' } });
    work.insert(PAGE_SESSIONS, {
      tenant_id: link.tenant_id,
      id,
      link_id: link.id,
      customer_id: link.customer_id,
      expires_ms: later(realNow(), SESSION_MS),
      created_at,
    });
  });
  return { session, seconds: SESSION_MS / 1_000 };
}

/** Returns true if a code was entered in the browser with this cookie, for this link. */
export async function isConfirmed(deps: Dependencies, link: PageLinkRow, session: string | undefined): Promise<boolean> {
  return (await remainingMs(deps.database.read(link.tenant_id), link, session)) > 0;
}

/** Returns the time until the session of a browser ends, in milliseconds; 0 if it has none. */
async function remainingMs(read: Read, link: PageLinkRow, session: string | undefined): Promise<number> {
  const id = session === undefined ? null : hashOf(session);
  const row = id === null ? null : await read.one(PAGE_SESSIONS, { id, link_id: link.id });
  return row === null ? 0 : Math.max(0, row.expires_ms - realNow());
}

/** Returns the time until a session ends, in a unit of work that locks the customer. @throws ServiceError PERMISSION_DENIED with the reason `code_required`. */
export async function sessionTime(work: Work, link: PageLinkRow, session: string | undefined): Promise<number> {
  const remaining = await remainingMs(work, link, session);
  if (remaining === 0) throw codeRequired();
  return remaining;
}

const codeRequired = () => new ServiceError('PERMISSION_DENIED', 'Enter a code first.', { details: { reason: 'code_required' } });

/** Returns the open link of a confirmed browser. @throws ServiceError RESOURCE_CONFLICT; PERMISSION_DENIED with the reason `code_required`. */
export async function confirmedLink(deps: Dependencies, token: string, session: string | undefined): Promise<FoundLink> {
  const found = await openLink(deps, token);
  if (await isConfirmed(deps, found.link, session)) return found;
  throw codeRequired();
}

/** Ends a session, with the card updates that were opened in it. */
export async function endSession(deps: Dependencies, token: string, session: string | undefined): Promise<void> {
  const { link } = await findLink(deps, token);
  const id = session === undefined ? null : hashOf(session);
  if (id === null) return;
  await deps.database.unitOfWork.transaction(link.tenant_id, async (work) => {
    await deps.customers.lock(work, link.customer_id);
    if ((await work.delete(PAGE_SESSIONS, { id, link_id: link.id })) > 0)
      await deps.customers.endPageUpdates(work, link.customer_id, link.id);
  });
}

/** Returns the value that the forms of a session contain, so that another site cannot submit them. It does not reveal the session. */
export const formKeyOf = (session: string): string => hash('sha256', `form|${session}`, 'base64url').slice(0, 27);
