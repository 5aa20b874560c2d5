import type { Work } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { isNamed } from './gateway.ts';
import { type GatewayRow, MERCHANTS } from './schema.ts';
import { sectionOf } from './settings.ts';

/** Runs under the lock of the merchant, so that no rule can name the gateway in the meantime. */
export async function refuseWhenNamed(work: Work, row: GatewayRow, operation: string): Promise<void> {
  const merchant = await work.lockOne(MERCHANTS, { id: row.merchant_id });
  const rules = merchant ? sectionOf(merchant, 'gateway-routing').rules : [];
  const index = rules.findIndex((rule) => isNamed(row, 'default' in rule ? rule.default : rule.gateway));
  if (index < 0) return;
  throw new ServiceError('RESOURCE_CONFLICT', `Rule ${index + 1} of the routing rules uses this gateway, so it can't be ${operation}.`, {
    details: { reason: 'in_use', rule: index },
  });
}

/** Rejects an operation that must wait until all payments at a gateway, and its payment pages, have ended. */
export async function refuseWhileOpen(deps: Dependencies, actor: Actor, row: GatewayRow, advice: string): Promise<void> {
  const { held, unconfirmed } = await deps.openAttempts(actor.tenantId, row.id);
  if (held + unconfirmed > 0)
    throw new ServiceError('RESOURCE_CONFLICT', `This gateway has open payments: ${openWorkText(held, unconfirmed)}. ${advice}`, {
      details: { reason: 'payments_open', held, unconfirmed },
    });
  const pages = await deps.watchedPages(actor.tenantId, row.id);
  if (pages === 0) return;
  throw new ServiceError(
    'RESOURCE_CONFLICT',
    `This gateway has payment pages that are watched for late payments: ${pages}. If it did not close a page, close it there and mark it as done in To do. ${advice}`,
    { details: { reason: 'hosted_pages_watched', pages } },
  );
}

/** Rejects a change to another account after the gateway has taken payments, because they are refunded through the present account. */
export async function refuseWhenUsed(deps: Dependencies, actor: Actor, row: GatewayRow): Promise<void> {
  await refuseWhileOpen(
    deps,
    actor,
    row,
    'The account can be changed after they are concluded, if the gateway has no payments. Otherwise add another gateway.',
  );
  if (!(await deps.hasPayments(actor.tenantId, row.id))) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'Add another gateway, because payments of this gateway are refunded through its account.', {
    details: { reason: 'has_payments' },
  });
}

/** Describes the open work of a gateway: "2 captures or refunds are waiting to be sent; 1 payment is unconfirmed". */
function openWorkText(held: number, unconfirmed: number): string {
  const heldText = held === 1 ? '1 capture or refund is waiting to be sent' : `${held} captures or refunds are waiting to be sent`;
  const unconfirmedText = unconfirmed === 1 ? '1 payment is unconfirmed' : `${unconfirmed} payments are unconfirmed`;
  return [...(held > 0 ? [heldText] : []), ...(unconfirmed > 0 ? [unconfirmedText] : [])].join('; ');
}
