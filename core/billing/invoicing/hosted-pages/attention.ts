import { lit, queriesOn, TENANT } from '#core/database';
import { type Actor, type Money, ServiceError } from '#core/kernel';
import { READABLE_TRANSACTIONS } from '#core/sales/payments';
import { type Dependencies, notifyScreens } from '../dependencies.ts';
import { auditInvoice } from '../events.ts';
import { HOSTED_PAGE_OVERPAYMENTS, HOSTED_PAGES, type HostedPageProblem } from '../hosted-page-state/schema.ts';
import { findInvoice } from '../read.ts';
import { lockInvoice } from '../repository.ts';
import { INVOICES } from '../schema.ts';
import { amountOf, closedByPerson, toHostedPage } from './page.ts';
import type { HostedPage } from './records.ts';

const queries = queriesOn(HOSTED_PAGES, HOSTED_PAGE_OVERPAYMENTS, INVOICES, READABLE_TRANSACTIONS);

/** A page that waits for a person: to refund its overpayments, or because of its problem. */
export interface PageForPerson {
  readonly hostedPageId: string;
  readonly invoiceId: string;
  readonly merchantId: string;
  readonly number: string;
  readonly customerName: string | null;
  readonly amount: Money;
  readonly problem: HostedPageProblem | null;
  readonly since: string | null;
}

/** Returns the pages that wait for a person, oldest first. A page whose payment was refunded in full or voided no longer does. */
export async function pagesForPerson(
  deps: Dependencies,
  actor: Actor,
  requestedMerchantId: string | undefined,
  limit: number,
): Promise<{ readonly pages: PageForPerson[]; readonly total: number }> {
  const merchantId = requestedMerchantId ?? actor.merchantId;
  const waiting = queries
    .selectFrom('hosted_pages as page')
    .where('page.tenant_id', '=', TENANT)
    .where('page.attention_at', 'is not', null)
    .$if(merchantId !== null, (query) => query.where('page.merchant_id', '=', merchantId))
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('page.problem', 'is not', null),
        exists(
          selectFrom('hosted_page_overpayments as over')
            .innerJoin('transactions as payment', (join) =>
              join.onRef('payment.tenant_id', '=', 'over.tenant_id').onRef('payment.id', '=', 'over.transaction_id'),
            )
            .select(lit(1).as('one'))
            .where('over.tenant_id', '=', TENANT)
            .whereRef('over.hosted_page_id', '=', 'page.id')
            .where('payment.status', '!=', lit('voided'))
            .where((payment) =>
              payment.or([
                payment('payment.refunded_minor', '=', lit(0)),
                payment('payment.refunded_minor', '<', payment.ref('payment.captured_minor')),
              ]),
            ),
        ),
      ]),
    );
  const read = deps.database.read(actor.tenantId);
  const [rows, counted] = await Promise.all([
    read.rows(
      waiting
        .innerJoin('invoices as invoice', (join) =>
          join.onRef('invoice.tenant_id', '=', 'page.tenant_id').onRef('invoice.id', '=', 'page.invoice_id'),
        )
        .select(['page.id', 'page.invoice_id', 'page.merchant_id', 'page.amount_minor', 'page.currency', 'page.problem'])
        .select(['page.attention_at', 'invoice.number', 'invoice.customer_name'])
        .orderBy('page.attention_at')
        .orderBy('page.id')
        .limit(limit),
    ),
    read.row(waiting.select(({ fn }) => fn.countAll<number>().as('n'))),
  ]);
  const pages = rows.map((row) => ({
    hostedPageId: row.id,
    invoiceId: row.invoice_id,
    merchantId: row.merchant_id,
    number: row.number,
    customerName: row.customer_name,
    amount: amountOf(row),
    problem: row.problem,
    since: row.attention_at,
  }));
  return { pages, total: Number(counted?.n ?? 0) };
}

/**
 * Records the note of a person who has seen to a page, which no longer waits for one. If the processor did not close it, the person has closed it there. A later
 * payment on the page makes it wait again.
 */
export async function notePage(
  deps: Dependencies,
  actor: Actor,
  invoiceId: string,
  hostedPageId: string,
  note: string,
): Promise<HostedPage> {
  const { row } = await findInvoice(deps, actor, invoiceId);
  const page = await deps.database.read(actor.tenantId).one(HOSTED_PAGES, { id: hostedPageId, invoice_id: row.id });
  if (!page) throw new ServiceError('NOT_FOUND', 'This invoice has no such payment page.', { details: { hostedPageId } });
  const noted = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const invoice = await lockInvoice(work, invoiceId);
    const current = await work.lockOne(HOSTED_PAGES, { id: hostedPageId });
    if (!current || current.attention_at === null) return current;
    const set = { attention_at: null, note, ...closedByPerson(current) };
    await work.update(HOSTED_PAGES, { id: hostedPageId }, set);
    auditInvoice(deps, work, actor, 'hosted_page_noted', invoice, invoice, {
      hostedPage: { hostedPageId, status: current.status, processorRef: current.processor_ref, note },
    });
    notifyScreens(deps, work, invoice);
    return { ...current, ...set };
  });
  return toHostedPage(deps, noted ?? page);
}
