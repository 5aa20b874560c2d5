import type { Core, OperationResult } from '#core';
import type { StoredResponse } from '#core/kernel';
import { assert } from '#core/kernel';
import { adminRoutes } from '#server/admin';
import type { Route } from '#server/http';
import { answerBody, failureAnswer } from '#server/http';
import { publicRoutes } from '#server/public';
import { sdkRoutes } from '#server/sdk';
import { type SetupPort, setupRoutes } from '#server/setup';
import { healthRoute } from './health.ts';

/** Every route of the server, surface by surface. */
export function allRoutes(setup: SetupPort, core: () => Core): Route[] {
  return [...publicRoutes, ...sdkRoutes, ...adminRoutes, ...setupRoutes(setup), healthRoute(core)];
}

/** Returns the renderer of stored responses: the same bytes that the route itself returns for the result. */
export function rendererOf(routes: readonly Route[]): (route: string, ending: OperationResult) => StoredResponse {
  const byId = new Map(routes.map((route) => [route.id, route]));
  return (id, ending) => {
    const route = byId.get(id);
    assert(route, `the route ${id} of a kept answer exists`);
    if ('error' in ending) return failureAnswer(ending.error, route);
    assert(route.show, `the route ${id} shows its result`);
    return { status: route.created ? 201 : 200, body: answerBody(route, resultOf(ending)) };
  };
}

function resultOf(ending: Exclude<OperationResult, { error: unknown }>): object {
  if ('subscription' in ending) return ending.subscription;
  if ('paidInvoice' in ending) return ending.paidInvoice;
  if ('invoice' in ending) return ending;
  if ('payout' in ending) return ending.payout;
  if ('batch' in ending) return ending.batch;
  if ('settlements' in ending) return ending.settlements;
  return 'refund' in ending ? ending.refund : ending.transaction;
}
