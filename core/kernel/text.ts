/** Returns true if both databases can store the text: no NUL and no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

const EMAIL_PART = '[^\\s@<>()[\\],;:"\\\\\\u0000-\\u001f\\u007f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f]+';
/** Pattern of one plain email address, without anything that a mail header would read as a name, comment, list or new line. Used for all input. */
export const EMAIL_PATTERN = `^${EMAIL_PART}@${EMAIL_PART}\\.${EMAIL_PART}$`;
export const EMAIL_MAX = 254;
const EMAIL = new RegExp(EMAIL_PATTERN);

export const isEmailAddress = (text: string) => text.length <= EMAIL_MAX && EMAIL.test(text);
