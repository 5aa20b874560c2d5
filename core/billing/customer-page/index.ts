import { queriesOn, TENANT, type Work } from '#core/database';
import { bind, realNow, tenantTime } from '#core/kernel';
import { brandOf } from '#core/platform/documents';
import type { ChangeEvents } from '#core/processing/domain-events';
import type { Merchant, Merchants } from '#core/processing/merchants';
import type { Language } from '#shared/languages';
import { confirmCode, endSession, openLink, requestCode } from './access.ts';
import { cancelSubscription, pay, receipt, removeMethod, replaceCard, skipPayment, visited } from './changes.ts';
import { contactChanged } from './contacts.ts';
import type { Dependencies } from './dependencies.ts';
import { create, createForEmail, list, revoke, rightsChanged } from './links.ts';
import { openPage, payerOf } from './page.ts';
import { CHANGED_CONTACTS, PAGE_LINKS, PAGE_SESSIONS } from './schema.ts';
import { PAGE_TEXTS } from './texts.ts';

export { formKeyOf, type NewSession, type Visitor } from './access.ts';
export type { CustomerPage, PageContent, PageMethod, PageSubscription } from './page.ts';
export { CustomerPageLink, NewCustomerPageLink, RevokedPageLinks } from './records.ts';

export const TABLES = [PAGE_LINKS, PAGE_SESSIONS, CHANGED_CONTACTS];

const DAY_MS = 86_400_000;
/** Time for which an expired link is kept, so that its page can say that it expired. */
const KEPT_MS = 90 * DAY_MS;

const isLinkedInEmails = ({ customerPage, isLocalOnly, deletedAt }: Merchant) =>
  customerPage.isInEmails && !isLocalOnly && deletedAt === null;
const emailFooter = (merchant: Merchant, language: Language, url: string) => ({
  line: PAGE_TEXTS[language].footer(brandOf(merchant).companyName),
  url,
});

/** Returns the end of an email with a sample link to the page, for previews; null if emails of the merchant do not link to it. */
export const sampleFooter = (merchants: Pick<Merchants, 'pageUrl'>, merchant: Merchant, language: Language) =>
  isLinkedInEmails(merchant) ? emailFooter(merchant, language, merchants.pageUrl(merchant, '/account/k7m2x9qd')) : null;

const queries = queriesOn(PAGE_LINKS, PAGE_SESSIONS, CHANGED_CONTACTS);

export function createCustomerPages(deps: Dependencies) {
  deps.notifications.registerFooter(async ({ tenantId, merchantId, customerId, recipient }, language) => {
    const actor = { tenantId, merchantId: null };
    const merchant = await deps.merchants.merchantFor(actor, merchantId);
    if (!isLinkedInEmails(merchant)) return null;
    const customer = await deps.customers.payer(actor, customerId);
    // An email to another address must not open everything of the customer.
    if (customer.email?.toLowerCase() !== recipient.toLowerCase()) return null;
    const url = await createForEmail(deps, tenantId, { customerId, merchantId: customer.merchantId }, merchant);
    return emailFooter(merchant, language, url);
  });
  return {
    ...bind(deps, { create, list }),
    ...bind(deps, { revoke, rightsChanged, contactChanged }),
    ...bind(deps, { open: openPage, requestCode, confirmCode, endSession, cancelSubscription, skipPayment, removeMethod, replaceCard }),
    ...bind(deps, { visited, pay, receipt }),
    /** Returns a submission of this customer with its payments; null if there is none. */
    paymentGroup: async (token: string, groupId: string) =>
      deps.invoicing.paymentGroup(payerOf((await openLink(deps, token)).link), groupId),
    /** Returns the ID of the submission with a key; null if there is none. */
    knownPayment: async (token: string, attemptKey: string) =>
      deps.invoicing.knownGroup(payerOf((await openLink(deps, token)).link), attemptKey),
    /** Deletes the links and sessions of a deleted customer. */
    async customerDeleted(work: Work, { customerId }: ChangeEvents['customer.deleted']): Promise<void> {
      await work.delete(PAGE_LINKS, { customer_id: customerId });
      await work.delete(PAGE_SESSIONS, { customer_id: customerId });
      await work.delete(CHANGED_CONTACTS, { customer_id: customerId });
    },
    /** Step of the hourly clean-up for a tenant. */
    async cleanUp(tenantId: string): Promise<void> {
      const now = deps.clockOf(tenantId).now();
      const before = tenantTime(now - KEPT_MS);
      await deps.database.unitOfWork.transaction(tenantId, async (work) => {
        await work.execute(queries.deleteFrom('customer_page_links').where('tenant_id', '=', TENANT).where('expires_ms', '<=', before));
        await work.execute(
          queries.deleteFrom('customer_page_sessions').where('tenant_id', '=', TENANT).where('expires_ms', '<=', realNow()),
        );
        await work.execute(queries.deleteFrom('customer_changed_contacts').where('tenant_id', '=', TENANT).where('until_ms', '<=', now));
      });
    },
  };
}
