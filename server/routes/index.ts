import type { Core, OperationResult } from '#core';
import type { StoredResponse } from '#core/kernel';
import { assert } from '#core/kernel';
import type { Route } from '#server/http';
import { errorResponse, isShown, statusOf, storedBody } from '#server/http';
import { type SetupPort, setupRoutes } from '#server/operation/setup';
import { adminRoutes } from './admin.ts';
import { sdkPayments } from './payments/sdk.ts';
import { publicRoutes } from './public.ts';
import { sdkSurchargeQuote } from './surcharge/routes.ts';
import { healthRoute, type ProcessesHealth } from './system/health.ts';

/** Routes of the SDK surface, with the API key as bearer token and PascalCase names. */
const sdkRoutes = [...sdkPayments, sdkSurchargeQuote];

export { approvalAnswer, storeForApproval } from './approvals/run-approved.ts';
export { databaseProblems, processesHealth } from './system/health.ts';
export { addProbes, PROBES } from './system/probes.ts';

/** Returns every route of the server, by surface. */
export function allRoutes(setup: SetupPort, core: () => Core, processes?: () => Promise<ProcessesHealth>): Route[] {
  return [...publicRoutes, ...sdkRoutes, ...adminRoutes, ...setupRoutes(setup), healthRoute(core, processes)];
}

/** Returns a function that renders a stored result with the same bytes as the response of its route. */
export function rendererOf(routes: readonly Route[]): (route: string, result: OperationResult) => StoredResponse {
  const byId = new Map(routes.map((route) => [route.id, route]));
  return (id, result) => {
    const route = byId.get(id);
    assert(route, `the route ${id} of a stored response exists`);
    if ('error' in result) return errorResponse(result.error, route);
    assert(isShown(route), `the server writes the response of ${id}`);
    return { status: statusOf(route, resultOf(result)), body: storedBody(route, resultOf(result)) };
  };
}

function resultOf(result: Exclude<OperationResult, { error: unknown }>): object {
  if ('subscription' in result) return result.subscription;
  if ('paidInvoice' in result) return result.paidInvoice;
  if (
    'invoice' in result ||
    'dispute' in result ||
    'tender' in result ||
    'tenderRefund' in result ||
    'shift' in result ||
    'queuedPayment' in result ||
    'discount' in result ||
    'order' in result ||
    'giftCard' in result ||
    'issuedGiftCard' in result ||
    'installmentPlan' in result ||
    'storeCreditRefund' in result ||
    'statementMessage' in result
  )
    return result;
  if ('payout' in result) return result.payout;
  if ('batch' in result) return result.batch;
  if ('settlements' in result) return result.settlements;
  return 'refund' in result ? result.refund : result.transaction;
}
