/** Shortest code that pays without a PIN. */
const SPENDABLE = 16;
const HAS_DIGIT = /\d/;
/** Letters that Paydesk's own codes leave out. */
const LEFT_OUT = /[ILOU]/;

/**
 * Returns true for a text that can be a code that pays without a PIN: typed in groups or in one word, or read from a magnetic stripe. Such a text belongs in no
 * address, because logs keep addresses. Phone numbers have at most 15 digits, so they are none.
 */
export function isWholeGiftCardCode(text: string): boolean {
  const typed = text.trim().toUpperCase();
  if (/^[;%]./.test(typed)) return true;
  const groups = typed.split(/[\s-]+/);
  const code = groups.join('');
  if (code.length < SPENDABLE || !/^[0-9A-Z]+$/.test(code)) return false;
  const [first = ''] = groups;
  const isEven = groups.every(({ length }, index) => length === first.length || (index === groups.length - 1 && length < first.length));
  // A text without digits is a name, unless it has no letter that codes leave out.
  return groups.every((group) => HAS_DIGIT.test(group)) || (isEven && (HAS_DIGIT.test(code) || !LEFT_OUT.test(code)));
}
