import { listOf, queriesOn, type Read, TENANT, type Work } from '#core/database';
import { type Actor, type Caller, isoTime, newId, ServiceError } from '#core/kernel';
import { merchantOfCustomer, READABLE_CUSTOMERS } from '#core/sales/customers';
import { compactText } from '#shared/compact-text';
import type { Dependencies, Reader } from './dependencies.ts';
import { requestSuggestions } from './matching/refresh.ts';
import type { BankRule } from './records.ts';
import { BANK_ACCOUNTS, BANK_RULES, type BankLineRow, type BankRuleRow, type RuleKind } from './schema.ts';

const RULES_MAX = 200;
/** Learned payers of a merchant. Beyond this number the oldest one is forgotten. */
const PAYERS_MAX = 1_000;
const LIST_MAX = 512;
const SEES_CUSTOMERS: Pick<Actor, 'permissions'> = { permissions: new Set(['customers:read']) };
const CONTAINS_MAX = 60;
/** Letters and digits that a rule needs, so that it does not apply to nearly everything. */
const CONTAINS_MIN = 4;
/** Words of a line's text that a learned rule consists of. */
const LEARNED_WORDS = 4;

export interface RuleInput {
  readonly contains: string;
  readonly kind: BankRuleRow['kind'];
  /** Required for the kind `invoice`. */
  readonly customerId?: string;
}

/** Rule that a match taught, and learned rules that it removed. */
export interface RuleChanges {
  readonly learned: BankRuleRow | null;
  readonly forgotten: readonly BankRuleRow[];
}

export const NO_CHANGES: RuleChanges = { learned: null, forgotten: [] };

const queries = queriesOn(READABLE_CUSTOMERS);

export const toRule = (row: BankRuleRow, name?: string): BankRule => ({
  ruleId: row.id,
  merchantId: row.merchant_id,
  contains: row.contains,
  kind: row.kind,
  customer: row.customer_id === null ? null : { customerId: row.customer_id, name: name ?? null },
  origin: row.origin,
  createdAt: row.created_at,
  createdBy: row.created_by,
});

/** Returns the rules of a merchant, newest first. */
export async function listRules(deps: Dependencies, actor: Reader, merchantId?: string): Promise<BankRule[]> {
  const merchant = await deps.merchantFor(actor, merchantId);
  const read = deps.database.read(actor.tenantId);
  const rows = await read.find(BANK_RULES, { merchant_id: merchant.merchantId }, { orderBy: [['id', 'desc']] });
  const names = await customerNames(
    read,
    actor,
    rows.map(({ customer_id }) => customer_id),
  );
  return rows.map((row) => toRule(row, names.get(row.customer_id ?? '')));
}

/** Returns the names of customers that the caller may see, by ID. */
async function customerNames(
  read: Read,
  { permissions }: Pick<Actor, 'permissions'>,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const wanted = permissions.has('customers:read') ? [...new Set(ids.filter((id) => id !== null))] : [];
  for (let from = 0; from < wanted.length; from += LIST_MAX) {
    const rows = await read.rows(
      queries
        .selectFrom('customers')
        .select(['id', 'first_name', 'last_name', 'company'])
        .where('tenant_id', '=', TENANT)
        .where('deleted_at', 'is', null)
        .where('id', 'in', listOf(wanted.slice(from, from + LIST_MAX))),
    );
    for (const { id, first_name, last_name, company } of rows)
      found.set(id, company ?? [first_name, last_name].filter((name) => name !== null).join(' '));
  }
  return found;
}

function checked(contains: string): string {
  const text = contains.replaceAll(/\s+/g, ' ').trim();
  if (text.length <= CONTAINS_MAX && compactText(text).length >= CONTAINS_MIN) return text;
  throw new ServiceError(
    'VALIDATION_ERROR',
    `\`contains\` must have at least ${CONTAINS_MIN} letters or digits and at most ${CONTAINS_MAX} characters.`,
    {
      field: 'contains',
    },
  );
}

/** Checks that no other rule of the merchant has the text: case and spaces do not matter. @throws ServiceError RESOURCE_CONFLICT with `details.ruleId`. */
function checkTextIsFree(rules: readonly BankRuleRow[], contains: string, ruleId?: string): void {
  const other = rules.find((rule) => rule.id !== ruleId && compactText(rule.contains) === compactText(contains));
  if (other === undefined) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'There is a rule for this text already. Change that one.', {
    field: 'contains',
    details: { ruleId: other.id },
  });
}

/**
 * Returns the customer of a rule of the kind `invoice`; null for other kinds. @throws ServiceError CUSTOMER_NOT_FOUND, MERCHANT_NOT_AUTHORIZED,
 * REQUIRED_FIELD_MISSING, VALIDATION_ERROR.
 */
async function checkedCustomer(
  deps: Dependencies,
  actor: Caller,
  merchantId: string,
  { kind, customerId }: RuleInput,
): Promise<string | null> {
  const read = deps.database.read(actor.tenantId);
  const owner = customerId === undefined ? null : await merchantOfCustomer(read, actor, customerId);
  if ((kind === 'invoice') !== (owner !== null))
    throw new ServiceError(
      owner === null ? 'REQUIRED_FIELD_MISSING' : 'VALIDATION_ERROR',
      '`customerId` is required for a rule of the kind `invoice`, and for no other.',
      { field: 'customerId' },
    );
  if (owner !== null && owner !== merchantId)
    throw new ServiceError('VALIDATION_ERROR', 'This customer belongs to another merchant.', { field: 'customerId' });
  return customerId ?? null;
}

async function ruleOf(deps: Dependencies, actor: Caller, ruleId: string): Promise<BankRuleRow> {
  const row = await deps.database.read(actor.tenantId).one(BANK_RULES, { id: ruleId });
  if (!row) throw new ServiceError('NOT_FOUND', `There is no rule ${ruleId.slice(0, 60)}.`, { details: { ruleId } });
  await deps.merchantFor(actor, row.merchant_id);
  return row;
}

/**
 * Adds a rule. @throws ServiceError VALIDATION_ERROR; RESOURCE_CONFLICT if the merchant has a rule for the text, or the maximum number of
 * rules.
 */
export async function addRule(deps: Dependencies, actor: Actor, input: RuleInput & { readonly merchantId?: string }): Promise<BankRule> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const contains = checked(input.contains);
  const customerId = await checkedCustomer(deps, actor, merchant.merchantId, input);
  return changeRules(deps, actor, merchant.merchantId, 'bank_rule.created', async (work) => {
    const existing = await work.find(BANK_RULES, { merchant_id: merchant.merchantId });
    if (existing.filter(({ origin }) => origin === 'written').length >= RULES_MAX)
      throw new ServiceError('RESOURCE_CONFLICT', `A merchant can have ${RULES_MAX} written rules. Remove one first.`);
    checkTextIsFree(existing, contains);
    const row = newRule(deps, actor, merchant.merchantId, { contains, kind: input.kind, customerId, origin: 'written' });
    work.insert(BANK_RULES, row);
    return row;
  });
}

/** Changes the text or the kind of a rule. @throws ServiceError NOT_FOUND, VALIDATION_ERROR; RESOURCE_CONFLICT if another rule has the text. */
export async function changeRule(deps: Dependencies, actor: Actor, ruleId: string, input: RuleInput): Promise<BankRule> {
  const row = await ruleOf(deps, actor, ruleId);
  const customer_id = await checkedCustomer(deps, actor, row.merchant_id, input);
  const set = { contains: checked(input.contains), kind: input.kind, customer_id, updated_at: isoTime(deps.clockOf(actor.tenantId).now()) };
  return changeRules(deps, actor, row.merchant_id, 'bank_rule.updated', async (work) => {
    checkTextIsFree(await work.find(BANK_RULES, { merchant_id: row.merchant_id }), set.contains, ruleId);
    await work.update(BANK_RULES, { id: ruleId }, set);
    return { ...row, ...set };
  });
}

/** Removes a rule. Lines that it explained stay as they are. @throws ServiceError NOT_FOUND. */
export async function removeRule(deps: Dependencies, actor: Actor, ruleId: string): Promise<BankRule> {
  const row = await ruleOf(deps, actor, ruleId);
  return changeRules(deps, actor, row.merchant_id, 'bank_rule.deleted', async (work) => {
    await work.delete(BANK_RULES, { id: ruleId });
    return row;
  });
}

async function changeRules(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  action: string,
  change: (work: Work) => Promise<BankRuleRow>,
): Promise<BankRule> {
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, merchantId);
    const row = await change(work);
    const accounts = await work.find(BANK_ACCOUNTS, { merchant_id: merchantId, removed_at: null });
    for (const account of accounts) await requestSuggestions(deps, work, account.id);
    deps.audit(work, {
      actor,
      action,
      resource: `settlement/bank-rules/${row.id}`,
      merchantId,
      after: { contains: row.contains, kind: row.kind, origin: row.origin },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', merchantId));
    return toRule(row);
  });
}

function newRule(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  { contains, kind, customerId, origin }: Pick<BankRuleRow, 'contains' | 'kind' | 'origin'> & { readonly customerId: string | null },
): BankRuleRow {
  const now = deps.clockOf(actor.tenantId).now();
  const at = isoTime(now);
  return {
    tenant_id: actor.tenantId,
    id: newId('brl', now),
    merchant_id: merchantId,
    contains,
    kind,
    customer_id: customerId,
    origin,
    created_at: at,
    created_by: actor.name,
    updated_at: at,
  };
}

/** Returns the first words of a text that have no digits, which are the same in the next statement; null if there are too few letters. */
export function learnableText(text: string): string | null {
  const words: string[] = [];
  for (const word of text.split(/\s+/)) {
    const isStable = /^\p{L}[\p{L}&.'/-]*$/u.test(word);
    if (isStable) words.push(word);
    else if (words.length > 0) break;
    if (words.length === LEARNED_WORDS) break;
  }
  const learned = words.join(' ').slice(0, CONTAINS_MAX).trim();
  return compactText(learned).length >= CONTAINS_MIN ? learned : null;
}

/**
 * Learns a rule from a line that a person explained as a whole, and returns it. Returns null if a rule applies to its text already, unless that rule has
 * another kind and a shorter text: a fee for a returned check is not the returned check.
 */
export async function learnRule(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  line: BankLineRow,
  kind: Exclude<RuleKind, 'invoice'>,
): Promise<BankRuleRow | null> {
  const contains = learnableText(line.text);
  if (contains === null) return null;
  const rules = await work.find(BANK_RULES, { merchant_id: line.merchant_id });
  const compact = compactText(line.text);
  const isKnown = (rule: BankRuleRow) =>
    rule.kind !== 'invoice' &&
    compact.includes(compactText(rule.contains)) &&
    (rule.kind === kind || compactText(rule.contains).length >= compactText(contains).length);
  if (rules.filter((rule) => rule.kind !== 'invoice').length >= RULES_MAX || rules.some(isKnown)) return null;
  const row = newRule(deps, actor, line.merchant_id, { contains, kind, customerId: null, origin: 'learned' });
  work.insert(BANK_RULES, row);
  return row;
}

/** Words of bank texts that name no payer. */
const BANK_WORDS = new Set(
  'ACH BACS BANK BGC BOOK CASH CHAPS CHECK CREDIT CREDITED CUSTOMER DEPOSIT DIRECT EFT ELECTRONIC FASTER FEDWIRE FOR FPI FPS FROM GIRO IBAN INCOMING INSTANT INTERAC INV INVOICE MOBILE NO ONLINE ORIG PAY PAYMENT PAYMENTS PMT REAL RECEIPT RECEIVED REF REFERENCE RTP SEPA SWIFT THE TIME TO TRANSFER VIA WIRE ZELLE ABONO FACTURA PAGO RECIBIDA RECIBIDO TRANSFERENCIA UBERWEISUNG ÜBERWEISUNG GUTSCHRIFT RECHNUNG'.split(
    ' ',
  ),
);

/** Returns the words of a text that name its payer: the first run of up to four words that are neither numbers nor words of banks; null without one. */
export function payerText(text: string): string | null {
  const words: string[] = [];
  for (const word of text.split(/[\s:;,]+/)) {
    const isOfBank = word.split(/[-/]/).every((part) => part.length === 1 || BANK_WORDS.has(part.toUpperCase()));
    const isName = /^\p{L}[\p{L}&.'/-]*$/u.test(word) && (!isOfBank || word.length === 1);
    if (isName) words.push(word);
    else if (compactText(words.join('')).length >= CONTAINS_MIN) break;
    else words.length = 0;
    if (words.length === LEARNED_WORDS) break;
  }
  const payer = words.join(' ').slice(0, CONTAINS_MAX).trim();
  return compactText(payer).length >= CONTAINS_MIN ? payer : null;
}

/** Customers of one learned text. A text of more customers is not that of a payer, and suggests nothing. */
const SHARED_MAX = 3;

/**
 * Learns the payer of a line whose invoices a person confirmed, and returns the rule; none if the payer is known, if the text names nobody or is that of many
 * customers, or if the customer is deleted.
 */
export async function learnPayer(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  line: BankLineRow,
  customerId: string,
): Promise<RuleChanges> {
  const contains = payerText(line.text);
  if (contains === null) return NO_CHANGES;
  const payers = await work.find(BANK_RULES, { merchant_id: line.merchant_id, kind: 'invoice' }, { orderBy: [['id', 'asc']] });
  const isKnown = (rule: BankRuleRow) => rule.customer_id === customerId && compactText(line.text).includes(compactText(rule.contains));
  const sharing = payers.filter((rule) => compactText(rule.contains) === compactText(contains));
  if (payers.some(isKnown) || sharing.length >= SHARED_MAX || (await customerNames(work, SEES_CUSTOMERS, [customerId])).size === 0)
    return NO_CHANGES;
  const oldest = payers.length >= PAYERS_MAX ? payers.find(({ origin }) => origin === 'learned') : undefined;
  if (oldest) await work.delete(BANK_RULES, { id: oldest.id });
  const row = newRule(deps, actor, line.merchant_id, { contains, kind: 'invoice', customerId, origin: 'learned' });
  work.insert(BANK_RULES, row);
  return { learned: row, forgotten: oldest ? [oldest] : [] };
}

/** Forgets the learned payers in the text of a line that a person explained otherwise, and returns them. */
export async function forgetPayersIn(work: Work, line: BankLineRow): Promise<BankRuleRow[]> {
  const compact = compactText(line.text);
  const payers = await work.find(BANK_RULES, { merchant_id: line.merchant_id, kind: 'invoice', origin: 'learned' });
  const forgotten = payers.filter(({ contains }) => compact.includes(compactText(contains)));
  for (const { id } of forgotten) await work.delete(BANK_RULES, { id });
  return forgotten;
}

/** Takes back what an undone match changed: a rule that nobody changed since is removed, and forgotten payers that still exist are known again. */
export async function takeBack(work: Work, merchantId: string, { learned, forgotten }: RuleChanges): Promise<void> {
  if (learned !== null) await work.delete(BANK_RULES, { id: learned.id, origin: 'learned', updated_at: learned.updated_at });
  const rules = await work.find(BANK_RULES, { merchant_id: merchantId });
  const isKnown = (one: BankRuleRow) =>
    rules.some((rule) => rule.customer_id === one.customer_id && compactText(rule.contains) === compactText(one.contains));
  const names = await customerNames(
    work,
    SEES_CUSTOMERS,
    forgotten.map(({ customer_id }) => customer_id),
  );
  for (const row of forgotten) if (names.has(row.customer_id ?? '') && !isKnown(row)) work.insert(BANK_RULES, row);
}

/** Forgets how a deleted customer pays. */
export async function forgetPayer(work: Work, customerId: string): Promise<void> {
  await work.delete(BANK_RULES, { customer_id: customerId });
}
