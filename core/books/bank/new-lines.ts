import { queriesOn, TENANT } from '#core/database';
import { addDays, type Currency, formatDecimal, money, ServiceError, toNumber } from '#core/kernel';
import { type Anchored, decideByBalances } from './balances.ts';
import { type Dependencies, pause } from './dependencies.ts';
import { type Comparison, compareLines, STEPS, type Step, type StoredLines } from './known-lines.ts';
import { createLineHasher, LineKeys } from './line-keys.ts';
import { dayNumber } from './matching/business-days.ts';
import { BANK_LINES, BANK_STATEMENTS, type BankAccountRow, type BankStatementRow } from './schema.ts';
import type { StatementContent } from './statement-content.ts';

const PAGE_ROWS = 5_000;
/** Largest number of doubtful lines that a refusal lists. */
const LISTED_MAX = 100;
const queries = queriesOn(BANK_LINES, BANK_STATEMENTS);

/**
 * Decides which lines of a file are not stored yet; 1 stands for a new line. Where the file and the earlier statements of its days have balances, these
 * decide. Otherwise the references and the numbers of equal lines do. @throws ServiceError RESOURCE_CONFLICT with `details.reason`: `balances` if no
 * choice of lines gives the closing balance, `doubtful_lines` with `details.lines` if a person must decide and `doubtful` does not say how.
 */
export async function newLinesOf(
  deps: Dependencies,
  account: BankAccountRow,
  { id, format }: BankStatementRow,
  content: StatementContent,
  doubtful: 'add' | 'skip' | undefined,
): Promise<Uint8Array> {
  const { keys } = content;
  const statements = await overlapping(deps, account, id, content);
  const stored =
    statements.length === 0
      ? null
      : await storedLines(deps, account, content, new Map(statements.map((each) => [each.id, each.format === format])));
  if (stored === null || stored.keys.length === 0) return new Uint8Array(keys.length).fill(1);
  const comparison = await compareLines(keys, stored, pause);
  const decision = decide(content, statements, stored, comparison);
  const newLines = (known: Step) => comparison.steps.map((step) => (step === STEPS.new || step > known ? 1 : 0));
  if ('missing' in decision && doubtful === undefined) throw disagreement(account, decision.missing, comparison);
  if ('known' in decision && decision.known !== null) return newLines(decision.known);
  const isDoubtful = 'isDoubtful' in decision ? decision.isDoubtful : (step: number) => step !== STEPS.new;
  if (doubtful !== undefined)
    return comparison.steps.map((step) => (step === STEPS.new || (isDoubtful(step) ? doubtful === 'add' : step > STEPS.text) ? 1 : 0));
  throw question(account, content, stored, comparison, isDoubtful);
}

type StoredStatement = Pick<BankStatementRow, 'id' | 'format' | 'first_day' | 'last_day' | 'opening_minor' | 'closing_minor'>;

/** Returns the complete statements of an account that have lines in the days of a file. */
function overlapping(
  deps: Dependencies,
  account: BankAccountRow,
  id: string,
  { firstDay, lastDay }: StatementContent,
): Promise<StoredStatement[]> {
  if (firstDay === null || lastDay === null) return Promise.resolve([]);
  return deps.database
    .read(account.tenant_id)
    .rows(
      queries
        .selectFrom('bank_statements')
        .select(['id', 'format', 'first_day', 'last_day', 'opening_minor', 'closing_minor'])
        .where('tenant_id', '=', TENANT)
        .where('account_id', '=', account.id)
        .where('id', '<>', id)
        .where('last_day', '>=', firstDay)
        .where('first_day', '<=', lastDay),
    );
}

/** Reads the lines of an account in the days of a file. */
async function storedLines(
  deps: Dependencies,
  account: BankAccountRow,
  { firstDay, lastDay }: StatementContent,
  isSameFormat: ReadonlyMap<string, boolean>,
): Promise<StoredLines> {
  const hasher = createLineHasher(await deps.secrets.hashKey(account.tenant_id, `bank lines of ${account.id}`));
  const keys = new LineKeys();
  const ids: string[] = [];
  const formats: boolean[] = [];
  const before = addDays(lastDay as string, 1);
  for (let after = firstDay as string; ; ) {
    const rows = await deps.database
      .read(account.tenant_id)
      .rows(
        queries
          .selectFrom('bank_lines')
          .select(['id', 'day', 'amount_minor', 'identity', 'text', 'reference', 'line', 'statement_id'])
          .where('tenant_id', '=', TENANT)
          .where('account_id', '=', account.id)
          .where('identity', '>', after)
          .where('identity', '<', before)
          .orderBy('identity')
          .limit(PAGE_ROWS),
      );
    for (const row of rows) {
      keys.addStored(row, hasher);
      ids.push(row.id);
      formats.push(isSameFormat.get(row.statement_id) ?? false);
    }
    if (rows.length < PAGE_ROWS) return { keys, ids, isSameFormat: formats };
    after = rows.at(-1)?.identity ?? before;
    await pause();
  }
}

type Outcome =
  | { readonly known: Step }
  | { readonly known: null; readonly missing: number }
  | { readonly isDoubtful: (step: number) => boolean };

/** Decides by the balances if the file and all earlier statements of its days have them, otherwise by the references and the numbers of equal lines. */
function decide(content: StatementContent, statements: readonly StoredStatement[], stored: StoredLines, comparison: Comparison): Outcome {
  const { opening, closing, firstDay, lastDay, keys } = content;
  const anchored = statements.flatMap((statement): Anchored[] => anchoredOf(statement));
  const file = anchoredOf({ first_day: firstDay, last_day: lastDay, opening_minor: opening, closing_minor: closing })[0];
  if (file && anchored.length === statements.length) {
    const decision = decideByBalances({ ...file, keys }, anchored, stored.keys, comparison);
    if (decision.known !== null) return decision;
    return decision.isAmbiguous ? { isDoubtful: (step) => step > STEPS.reference } : { known: null, missing: decision.missing };
  }
  const hasChanged = hasChangedReferences(keys, comparison);
  const isDoubtful = (step: number) => step === STEPS.count || (hasChanged && step === STEPS.textOnly);
  return comparison.steps.some(isDoubtful) ? { isDoubtful } : { known: STEPS.text };
}

function anchoredOf({ first_day, last_day, opening_minor, closing_minor }: Omit<StoredStatement, 'id' | 'format'>): Anchored[] {
  if (first_day === null || last_day === null || opening_minor === null || closing_minor === null) return [];
  return [{ opening: Number(opening_minor), closing: Number(closing_minor), firstDay: dayNumber(first_day), lastDay: dayNumber(last_day) }];
}

/**
 * Returns true if all lines of the days of a file are in it with the same texts and amounts, several of them, but none with its reference: the bank may
 * give its lines other references with every download.
 */
function hasChangedReferences(file: LineKeys, { steps, storedSteps, hasCommonReference }: Comparison): boolean {
  if (hasCommonReference) return false;
  const contents = new Set<string>();
  for (let index = 0; index < file.length && contents.size < 2; index += 1)
    if (steps[index] === STEPS.textOnly) contents.add(`${file.days[index]}|${file.minors[index]}|${file.texts[index]}`);
  return contents.size > 1 && storedSteps.every((step) => step !== STEPS.new && step <= STEPS.textOnly);
}

function disagreement({ currency }: BankAccountRow, missing: number, { steps }: Comparison): ServiceError {
  const amount = money(missing, currency as Currency);
  const count = steps.reduce((sum, step) => sum + (step === STEPS.new ? 0 : 1), 0);
  const lines = count === 0 ? '' : ` ${count} of its lines may be in earlier statements.`;
  return new ServiceError(
    'RESOURCE_CONFLICT',
    `The statement does not continue the earlier statements of its days: ${formatDecimal(amount)} ${currency} are missing between them.${lines} Import the statement in between first.`,
    { field: 'file', details: { reason: 'balances', missing: toNumber(amount), doubtful: count } },
  );
}

/** Returns the question to a person about lines that may be stored already. */
function question(
  { currency }: BankAccountRow,
  { keys }: StatementContent,
  { keys: known, ids }: StoredLines,
  { steps, partners }: Comparison,
  isDoubtful: (step: number) => boolean,
): ServiceError {
  const found = [...steps.keys()].filter((index) => isDoubtful(steps[index] as number));
  const lines = found.slice(0, LISTED_MAX).map((index) => {
    const partner = partners[index] as number;
    return {
      line: keys.lines[index],
      day: new Date((keys.days[index] as number) * 86_400_000).toISOString().slice(0, 10),
      amount: toNumber(money(keys.minors[index] as number, currency as Currency)),
      lineId: ids[partner],
      hasSameText: keys.texts[index] === known.texts[partner],
    };
  });
  return new ServiceError(
    'RESOURCE_CONFLICT',
    `${found.length} lines of the file may be in an earlier statement, with another text or reference. Compare them, and send the file again with \`doubtfulLines\` \`add\` or \`skip\`.`,
    { field: 'doubtfulLines', details: { reason: 'doubtful_lines', doubtful: found.length, lines } },
  );
}
