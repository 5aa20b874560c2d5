import { type Actor, bind, type Caller, type Period } from '#core/kernel';
import { createRenderCache } from '#core/platform/documents';
import type { Dependencies } from './dependencies.ts';
import { statementPdf } from './pdf.ts';
import { attachedStatement, needless, sendStatement } from './send.ts';
import { DOCUMENT_ENTRIES_MAX, statementLines, statementOf, statementPage } from './statement.ts';

export type { StatementResult } from './dependencies.ts';
export { CustomerStatement, type StatementEntry } from './records.ts';

/** Statements of customers: their invoices, payments, refunds and credits with the balance of a period. */
export function createStatements(deps: Dependencies) {
  const renderCache = createRenderCache();
  const pdf = async (actor: Caller, customerId: string, period: Period) => {
    const statement = await statementOf(deps, actor, customerId, period, DOCUMENT_ENTRIES_MAX);
    const isSandbox = deps.environmentOf(actor.tenantId) === 'sandbox';
    const content = await renderCache({ statement, isSandbox }, () => statementPdf(statement, isSandbox));
    return { filename: `statement-${statement.startDate}-${statement.endDate}.pdf`, contentType: 'application/pdf', content };
  };
  return {
    ...bind(deps, { page: statementPage, lines: statementLines, send: sendStatement, needless }),
    pdf: (actor: Actor, customerId: string, period: Period) => pdf(actor, customerId, period),
    /** Returns the document of a message; null if it names none. */
    attachmentOf: async (tenantId: string, name: string) => {
      const attached = attachedStatement(name);
      return attached && pdf({ tenantId, merchantId: null }, attached.customerId, attached);
    },
  };
}
