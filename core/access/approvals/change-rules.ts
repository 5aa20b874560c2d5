import type { Read } from '#core/database';
import { type Actor, type Currency, isoTime, parseCurrency, ServiceError } from '#core/kernel';
import { checkApproval, hasSecondPerson } from './check.ts';
import type { Dependencies } from './dependencies.ts';
import type { AppliedRules, ApprovalRules } from './records.ts';
import { ACCOUNT_SCOPE, AMOUNTS, checkRules, rulesOf, storedRules, toRow } from './rules.ts';
import { APPROVAL_RULES } from './schema.ts';

/** Changes of the rules; absent ones stay. `inherited` true removes the merchant's own rules. */
export type RulesChange = Partial<Omit<ApprovalRules, 'currency'>> & {
  /** Currency of the amounts; by default that of the amount that stays, or of the merchant, or of the first merchant of the account. */
  readonly currency?: string | null;
  readonly inherited?: boolean;
};

export async function getRules(deps: Dependencies, actor: Actor, merchantId: string | null): Promise<AppliedRules> {
  if (merchantId !== null || actor.merchantId !== null) await deps.merchantFor(actor, merchantId ?? undefined);
  const read = deps.database.read(actor.tenantId);
  const own = await storedRules(read, merchantId ?? ACCOUNT_SCOPE);
  const rules = own ?? (await rulesOf(deps, read, actor.tenantId, null));
  const merchantsInOtherCurrencies = await inOtherCurrencies(deps, actor, read, merchantId, rules.currency);
  return { merchantId, inherited: merchantId !== null && own === undefined, merchantsInOtherCurrencies, ...rules };
}

/** Returns the merchants with the rules of a scope whose own currency is not that of the limit. */
async function inOtherCurrencies(
  deps: Dependencies,
  actor: Actor,
  read: Read,
  merchantId: string | null,
  currency: Currency | null,
): Promise<AppliedRules['merchantsInOtherCurrencies']> {
  if (currency === null) return [];
  const others = (await deps.merchantsOf(actor)).filter((merchant) => merchant.currency !== currency);
  const withOwnRules = new Set((await read.find(APPROVAL_RULES, {})).map(({ scope }) => scope));
  return others
    .filter((merchant) => (merchantId === null ? !withOwnRules.has(merchant.merchantId) : merchant.merchantId === merchantId))
    .map(({ merchantId: id, name, currency: own }) => ({ merchantId: id, name, currency: own }));
}

/**
 * Changes the rules of a merchant or of the whole account. While changes of access need two people, so does this. @throws ServiceError
 * VALIDATION_ERROR, INVALID_AMOUNT, INVALID_CURRENCY; RESOURCE_CONFLICT if changes of access shall need two people and there is only one.
 */
export async function putRules(deps: Dependencies, actor: Actor, merchantId: string | null, change: RulesChange): Promise<AppliedRules> {
  const { currency: ownCurrency } = await deps.merchantFor(actor, merchantId ?? undefined);
  const { inherited = false, ...changes } = change;
  if (inherited && merchantId === null)
    throw new ServiceError('VALIDATION_ERROR', 'Only a merchant can inherit the rules of the account.', { field: 'inherited' });
  const scope = merchantId ?? ACCOUNT_SCOPE;
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await work.advisoryLock(`approval rules ${actor.tenantId}`);
    const own = await storedRules(work, scope);
    const account = await rulesOf(deps, work, actor.tenantId, null);
    const before = own ?? { ...account, accessChanges: false };
    const after: ApprovalRules = { ...before, ...changes, currency: currencyAfter(before, change, ownCurrency) };
    checkRules(after, merchantId);
    if (after.accessChanges && !account.accessChanges && !(await hasSecondPerson(deps, actor, null)))
      throw new ServiceError(
        'RESOURCE_CONFLICT',
        'Nobody else on this account can approve changes of access. Invite a second admin first.',
        {
          field: 'accessChanges',
          details: { reason: 'no_second_person' },
        },
      );
    const resource = merchantId === null ? 'approvals/rules' : `approvals/rules?merchantId=${merchantId}`;
    const fields = { before: { ...before }, after: inherited ? { inherited } : { ...after } };
    await checkApproval(deps, work, actor, {
      kind: 'access_change',
      merchantId: null,
      resource,
      amount: null,
      details: { action: 'approval_rules.updated', ...fields },
    });
    await work.delete(APPROVAL_RULES, { scope });
    if (!inherited)
      work.insert(APPROVAL_RULES, toRow(actor.tenantId, scope, after, actor.name, isoTime(deps.clockOf(actor.tenantId).now())));
    deps.audit(work, { actor, action: 'approval_rules.updated', resource, merchantId, ...fields });
    work.afterCommit(() => deps.changed(actor.tenantId, 'approvals', merchantId));
  });
  return getRules(deps, actor, merchantId);
}

/** Returns the currency of the limits after a change: that of a limit that stays, or else that of the merchant. */
function currencyAfter(before: ApprovalRules, change: RulesChange, ownCurrency: Currency): Currency | null {
  const after = { ...before, ...change };
  if (AMOUNTS.every((field) => after[field] === null)) return null;
  if (change.currency != null) return parseCurrency(change.currency);
  const isOneStaying = AMOUNTS.some((field) => change[field] === undefined && before[field] !== null);
  return (isOneStaying ? before.currency : null) ?? ownCurrency;
}
