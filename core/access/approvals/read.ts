import type { Person } from '#core/access/identity';
import { type Condition, conditionsOn, newestPage, type Page, type PageRequest, queriesOn, TENANT } from '#core/database';
import {
  type Actor,
  addDays,
  dateIn,
  idFloor,
  isoTime,
  money,
  type Permission,
  ServiceError,
  startOfDate,
  storedCurrency,
} from '#core/kernel';
import { requesterUserIdsOf, toApproval } from './approval.ts';
import type { Dependencies } from './dependencies.ts';
import type { Approval, ApprovalStatus, ApprovalWithResult } from './records.ts';
import { APPROVALS, type ApprovalRow } from './schema.ts';

const conditions = conditionsOn(APPROVALS);
const queries = queriesOn(APPROVALS);

/** Filters of the list; absent ones do not narrow. */
export interface ApprovalFilter {
  readonly status?: ApprovalStatus;
  readonly merchantId?: string;
  readonly requesterId?: string;
}

/** Returns the approvals that the caller may see, newest first: all of the caller's merchants with `approvals:read`, otherwise the caller's own. */
export async function page(deps: Dependencies, actor: Actor, filter: ApprovalFilter, request: PageRequest): Promise<Page<Approval>> {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const requesterId = actor.permissions.has('approvals:read') ? filter.requesterId : actor.credentialId;
  const now = deps.clockOf(actor.tenantId).now();
  const where = { merchant_id: merchantId, requester_id: requesterId };
  const read = deps.database.read(actor.tenantId);
  const found = await newestPage(read, APPROVALS, 'apr', where, request, statusConditions(filter.status, isoTime(now)));
  return { ...found, items: found.items.map((row) => toApproval(row, now)) };
}

/** Returns the conditions for a status. A pending approval whose time has passed is expired, even before the job has run. */
function statusConditions(status: ApprovalStatus | undefined, now: string): Condition[] {
  if (status === undefined) return [];
  if (status === 'pending') return [conditions('status', '=', 'pending'), conditions('expires_at', '>', now)];
  if (status !== 'expired') return [conditions('status', '=', status)];
  return [
    conditions.or([
      conditions('status', '=', 'expired'),
      conditions.and([conditions('status', '=', 'pending'), conditions('expires_at', '<=', now)]),
    ]),
  ];
}

/**
 * Returns an approval that the caller may see. @throws ServiceError MERCHANT_NOT_AUTHORIZED for one outside of the caller's merchant;
 * NOT_FOUND, also for one of another person without `approvals:read`.
 */
export async function findApproval(deps: Pick<Dependencies, 'database'>, actor: Actor, approvalId: string): Promise<ApprovalRow> {
  const row = await deps.database.read(actor.tenantId).one(APPROVALS, { id: approvalId });
  if (row && row.requester_id !== actor.credentialId) {
    if (actor.merchantId !== null && row.merchant_id !== actor.merchantId)
      throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This approval concerns more than your merchant.');
    if (actor.permissions.has('approvals:read')) return row;
  }
  if (row?.requester_id !== actor.credentialId) throw new ServiceError('NOT_FOUND', 'No approval has this ID.');
  return row;
}

export async function get(deps: Dependencies, actor: Actor, approvalId: string): Promise<Approval> {
  return toApproval(await findApproval(deps, actor, approvalId), deps.clockOf(actor.tenantId).now());
}

/**
 * Returns the number and the sums of the requests that the requester of an approval made on its day, in the time zone of its merchant. A caller of one
 * merchant sees its requests only.
 */
export async function requestsOfDay(
  deps: Pick<Dependencies, 'database' | 'merchantFor'>,
  { tenantId, merchantId }: Actor,
  approval: Pick<Approval, 'merchantId' | 'requesterId' | 'createdAt'>,
): Promise<ApprovalWithResult['requestsOfDay']> {
  const { timezone } = await deps.merchantFor({ tenantId, merchantId: null }, approval.merchantId ?? undefined);
  const day = dateIn(timezone, Date.parse(approval.createdAt));
  const ofDay = queries
    .selectFrom('approvals')
    .select(({ fn }) => ['currency', fn.countAll<number>().as('n'), fn.sum<number | null>('amount_minor').as('sum')])
    .where('tenant_id', '=', TENANT)
    .where('requester_id', '=', approval.requesterId)
    .where('id', '>=', idFloor('apr', startOfDate(timezone, day)))
    .where('id', '<', idFloor('apr', startOfDate(timezone, addDays(day, 1))));
  const visible = merchantId === null ? ofDay : ofDay.where('merchant_id', '=', merchantId);
  const sums = await deps.database.read(tenantId).rows(visible.groupBy('currency').orderBy('currency'));
  return {
    count: sums.reduce((total, { n }) => total + Number(n), 0),
    amounts: sums.flatMap(({ currency, sum }) => {
      if (currency === null || sum === null) return [];
      const total = money(Number(sum), storedCurrency(currency));
      return [{ amount: total, currency: total.currency }];
    }),
  };
}

/** Returns the people who may approve an operation, without those behind the request. */
export async function approversOf(deps: Dependencies, actor: Actor, approvalId: string): Promise<readonly Person[]> {
  const row = await findApproval(deps, actor, approvalId);
  const people = await deps.identity.holders(actor.tenantId, ['approvals:write', row.permission as Permission], row.merchant_id);
  const requesters = requesterUserIdsOf(row);
  return people.filter(({ userId }) => !requesters.includes(userId));
}
