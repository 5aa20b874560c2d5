import { type Currency, formatDecimal, money, ServiceError, toNumber } from '#core/kernel';
import { type Anchored, type Decision, decideByBalances } from './balances.ts';
import { type Dependencies, pause } from './dependencies.ts';
import { type Comparison, compareLines, STEPS, type StoredLines } from './known-lines.ts';
import type { LineKeys } from './line-keys.ts';
import { dayNumber } from './matching/business-days.ts';
import type { BankAccountRow, BankStatementRow } from './schema.ts';
import type { StatementContent } from './statement-content.ts';
import { overlappingStatements, type StoredStatement, storedLines } from './stored-lines.ts';

/** Largest number of doubtful lines that a refusal lists. */
const LISTED_MAX = 100;

/**
 * Decides which lines of a file are not stored yet; 1 stands for a new line. Where the file and the earlier statements of its days have balances, these
 * decide. Otherwise the references and the numbers of equal lines do. @throws ServiceError RESOURCE_CONFLICT with `details.reason`: `balances` if the
 * file has no place beside or over the stored lines, `doubtful_lines` with `details.lines` if a person must decide and `doubtful` does not say how.
 */
export async function newLinesOf(
  deps: Dependencies,
  account: BankAccountRow,
  { id }: BankStatementRow,
  content: StatementContent,
  doubtful: 'add' | 'skip' | undefined,
): Promise<Uint8Array> {
  const { keys } = content;
  const statements = await overlappingStatements(deps, account, id, content);
  const stored = statements.length === 0 ? null : await storedLines(deps, account, content, statements);
  if (stored === null || stored.keys.length === 0) return new Uint8Array(keys.length).fill(1);
  const comparison = await compareLines(keys, stored, pause);
  const decision = decide(content, statements, stored, comparison);
  if ('isNew' in decision) return decision.isNew;
  if ('missing' in decision) {
    if (doubtful === undefined) throw disagreement(account, decision.missing, comparison);
    return comparison.steps.map((step) => (step === STEPS.new || doubtful === 'add' ? 1 : 0));
  }
  if (doubtful !== undefined) return doubtful === 'add' ? decision.most : decision.fewest;
  throw question(account, content, stored, comparison, decision);
}

/** Decides by the balances if the file and all earlier statements of its days have them, otherwise by the references and the numbers of equal lines. */
function decide(content: StatementContent, statements: readonly StoredStatement[], stored: StoredLines, comparison: Comparison): Decision {
  const { opening, closing, firstDay, lastDay, keys } = content;
  const anchored = statements.flatMap((statement): Anchored[] => anchoredOf(statement));
  const file = anchoredOf({ first_day: firstDay, last_day: lastDay, opening_minor: opening, closing_minor: closing })[0];
  if (file && anchored.length === statements.length) return decideByBalances({ ...file, keys }, anchored, stored, comparison);
  const hasChanged = hasChangedReferences(keys, comparison);
  const isDoubtful = (step: number) => step === STEPS.count || (hasChanged && step === STEPS.textOnly);
  const newLines = (isNew: (step: number) => boolean) => comparison.steps.map((step) => (step === STEPS.new || isNew(step) ? 1 : 0));
  if (!comparison.steps.some(isDoubtful)) return { isNew: newLines((step) => step > STEPS.text) };
  return {
    most: newLines((step) => isDoubtful(step) || step > STEPS.text),
    fewest: newLines((step) => !isDoubtful(step) && step > STEPS.text),
  };
}

function anchoredOf({
  first_day,
  last_day,
  opening_minor,
  closing_minor,
}: Pick<StoredStatement, 'first_day' | 'last_day' | 'opening_minor' | 'closing_minor'>): Anchored[] {
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

/** Returns the lines of the file that are new in one selection only. Of equal lines of a day, these are the ones that were found least surely. */
function doubtfulLines(keys: LineKeys, steps: Uint8Array, most: Uint8Array, fewest: Uint8Array): number[] {
  const found = [...steps.keys()].filter((index) => steps[index] !== STEPS.new);
  const numbers = new Map<string, number>();
  const group = (index: number) => `${keys.days[index]}|${keys.minors[index]}`;
  for (const index of steps.keys()) {
    const difference = (most[index] as number) - (fewest[index] as number);
    if (difference !== 0) numbers.set(group(index), (numbers.get(group(index)) ?? 0) + difference);
  }
  const isTaken = (index: number) => {
    const left = numbers.get(group(index)) ?? 0;
    numbers.set(group(index), left - 1);
    return left > 0;
  };
  return found
    .toSorted((one, other) => (steps[other] as number) - (steps[one] as number))
    .filter(isTaken)
    .sort((one, other) => one - other);
}

/** Returns the question to a person about lines that may be stored already. */
function question(
  { currency }: BankAccountRow,
  { keys }: StatementContent,
  { keys: known, ids }: StoredLines,
  { steps, partners }: Comparison,
  { most, fewest }: Extract<Decision, { most: Uint8Array }>,
): ServiceError {
  const found = doubtfulLines(keys, steps, most, fewest);
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
    `${found.length} lines of the file may be stored already. Compare them, and send the file again with \`doubtfulLines\` \`add\` or \`skip\`.`,
    { field: 'doubtfulLines', details: { reason: 'doubtful_lines', doubtful: found.length, lines } },
  );
}
