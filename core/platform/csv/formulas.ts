/** Characters that begin a formula, also in full width. */
const FORMULA = '=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20';
/** Places where a spreadsheet may begin a cell within a text: a separator of some countries or programs, a tab, or a line break. */
const SEPARATOR = '\\r\\n|[;\\uFF1B\\t\\r\\n]';
/** Characters that a spreadsheet skips before a formula. A quotation mark opens a quoted cell, which may end before the formula. */
const BLANK = '(?![\\t\\r\\n])[\\s\\p{C}"]';

/** Begins a cell that is, or could be split into, a formula. */
const AT_START = `(?='*(?:[\\t\\r\\n]|[\\s\\p{C}]*[${FORMULA};\\uFF1B]))`;
/** Follows a separator within a text, before a formula. */
const WITHIN = `(?='*(?:${BLANK})*[${FORMULA}])`;

const START = new RegExp(`^${AT_START}`, 'u');
const INNER = new RegExp(`(${SEPARATOR})${WITHIN}`, 'gu');
const DISARMED_START = new RegExp(`^'${AT_START}`, 'u');
const DISARMED_INNER = new RegExp(`(${SEPARATOR})'${WITHIN}`, 'gu');

/**
 * Returns the text of a CSV cell that no spreadsheet evaluates: an apostrophe precedes a formula at the start, and after each semicolon, tab and line
 * break, at which spreadsheets of some countries begin another cell even within quotation marks.
 */
export const disarmFormulas = (text: string): string => text.replace(INNER, "$1'").replace(START, "'");

/** Returns the text that `disarmFormulas()` was given. */
export const restoreFormulas = (cell: string): string => cell.replace(DISARMED_START, '').replace(DISARMED_INNER, '$1');
