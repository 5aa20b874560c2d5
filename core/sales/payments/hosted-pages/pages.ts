import { type Money, ServiceError, toNumber } from '#core/kernel';
import type {
  HostedPageConnector,
  HostedPageCreation,
  HostedPageDelivery,
  HostedPageInquiry,
  HostedPageReference,
  HostedPageStatus,
  NewHostedPage,
} from '#core/processing/gateways';
import type { Merchant } from '#core/processing/merchants';
import type { Dependencies } from '../dependencies.ts';

/** A gateway whose processor has payment pages. */
export interface HostedGateway {
  readonly gatewayId: string;
  readonly gateway: string;
  readonly delivery: HostedPageDelivery;
  /** Time within which a page must be opened; null if it can be opened until it is closed. */
  readonly opensWithinMs: number | null;
}

/** Returns the first gateway of the merchant's routing that has payment pages; null if there is none. */
export async function hostedGatewayFor(
  deps: Dependencies,
  tenantId: string,
  merchant: Merchant,
  amount: Money,
): Promise<HostedGateway | null> {
  const { candidates } = await deps.route(merchant, tenantId, {
    amount: toNumber(amount),
    currency: amount.currency,
    paymentMethod: 'card',
    type: 'sale',
    channel: { channel: 'internet', isOnReader: false },
  });
  for (const { gatewayId, name: gateway } of candidates) {
    const pages = (await deps.gateways.connectorFor(tenantId, gatewayId)).hostedPages;
    if (pages) return { gatewayId, gateway, delivery: pages.delivery, opensWithinMs: pages.opensWithinMs };
  }
  return null;
}

async function pagesOf(deps: Dependencies, { tenantId, gatewayId }: HostedPageReference): Promise<HostedPageConnector> {
  const { hostedPages } = await deps.gateways.connectorFor(tenantId, gatewayId);
  if (hostedPages) return hostedPages;
  throw new ServiceError('GATEWAY_UNAVAILABLE', 'The gateway has no payment page that Paydesk supports.');
}

/** Creates a page at its processor. A failure before the request is sent had no effect; an exception of the connector makes the result unknown. */
export async function createHostedPage(deps: Dependencies, page: NewHostedPage): Promise<HostedPageCreation> {
  let pages: HostedPageConnector;
  try {
    pages = await pagesOf(deps, page);
  } catch (cause) {
    return {
      kind: 'not-sent',
      reason: cause instanceof ServiceError ? cause.message : 'The request could not be created.',
      retry: 'error',
    };
  }
  return pages.create(page).catch((cause: unknown) => ({ kind: 'unknown', cause }));
}

/** Returns the payments on a page; `unknown` without an answer. */
export async function findOnHostedPage(deps: Dependencies, inquiry: HostedPageInquiry): Promise<HostedPageStatus> {
  try {
    return await (await pagesOf(deps, inquiry)).find(inquiry);
  } catch (cause) {
    return { kind: 'unknown', cause };
  }
}

/** Closes a page at its processor. `impossible`: its pages end by their time only. */
export async function closeHostedPage(
  deps: Dependencies,
  page: HostedPageReference & { readonly reference: string | null },
): Promise<'closed' | 'failed' | 'impossible'> {
  try {
    const pages = await pagesOf(deps, page);
    if (pages.close === undefined) return 'impossible';
    return (await pages.close(page)) ? 'closed' : 'failed';
  } catch {
    return 'failed';
  }
}
