import {
  chosenColumns,
  columnFinder,
  type FileHead,
  type FileMapping,
  guessMapping as guessColumns,
  signOf,
} from '#renderer/kit/file-import';

/** Columns of a processor's file by their meaning, with their formats. A blank name is a column that is not chosen. */
export interface Mapping extends FileMapping {
  readonly transactionId: string;
}

/** Usual names of the column of payments, the most reliable first. */
const IDS = [
  /^(merchant )?(transaction|txn|trans|payment)( id| ref(erence)?| no| number)?$/,
  /^(our|merchant|order) ref(erence)?( id| no| number)?$/,
  /transaction|txn/,
  /reference|^ref\b/,
  /\bid$/,
];

/** Guesses the meaning of a file's columns by their names and values. */
export function guessMapping(head: FileHead, currency: string): Mapping {
  const find = columnFinder(head);
  const columns = guessColumns(head, find, currency);
  const transactionId = find(IDS, (cell) => /^(txn|ref)_/.test(cell));
  return { ...columns, transactionId, ...(columns.amounts === 'one' && { sign: signOf(head, columns, currency) }) };
}

/** Returns true if a file has all columns of a mapping. */
export const fits = (head: FileHead, mapping: Mapping): boolean =>
  [mapping.transactionId, ...chosenColumns(mapping)].every((name) => name === '' || head.columns.includes(name));
