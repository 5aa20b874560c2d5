import { domainToASCII } from 'node:url';
import { ServiceError } from '#core/kernel';

/** Returns the form in which the address of a user is stored and found: in lower case, with an internationalized domain in ASCII ("xn--…"). */
export function storedEmail(text: string): string {
  const email = text.trim().toLowerCase();
  const at = email.lastIndexOf('@');
  const domain = domainToASCII(email.slice(at + 1));
  return at < 0 || domain === '' ? email : `${email.slice(0, at)}@${domain}`;
}

const ASCII = /^[\x21-\x7e]+$/;

/**
 * Returns the stored form of the address of a new user. An address with other letters than ASCII before the `@` can look like that of another person,
 * so it is refused; a domain is shown in ASCII. @throws ServiceError INVALID_EMAIL.
 */
export function newUserEmail(text: string, field = 'email'): string {
  const email = storedEmail(text);
  if (ASCII.test(email)) return email;
  throw new ServiceError('INVALID_EMAIL', `\`${field}\` must have only letters of the English alphabet, digits and signs before the @.`, {
    field,
    details: { reason: 'letters' },
  });
}

/** Characters of ASCII that are easily taken for others. */
const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/0/g, 'o'],
  [/1/g, 'l'],
];

/** Returns a text that is equal for addresses that look alike: `admin@demo.example` and `adrnin@dem0.example`. */
const skeletonOf = (email: string): string => LOOK_ALIKES.reduce((text, [from, to]) => text.replaceAll(from, to), email);

/** Returns true if two different addresses look alike. */
export const looksLike = (one: string, other: string): boolean => one !== other && skeletonOf(one) === skeletonOf(other);

/** Returns an address with the beginning of its local part only: "a***@example.com". */
const maskedEmail = (email: string, length: number): string => {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, Math.min(length, at))}***${email.slice(at)}`;
};

/**
 * Returns addresses for callers who may not see users: "a***@example.com". Addresses of one list that would read the same show more of their beginning,
 * so that people without names stay distinguishable: "jon***@example.com" and "jor***@example.com".
 */
export function maskedEmails(emails: readonly string[]): string[] {
  const isUnique = (email: string, length: number) =>
    emails.every((other) => other === email || maskedEmail(other, length) !== maskedEmail(email, length));
  return emails.map((email) => {
    let length = 1;
    while (length < email.lastIndexOf('@') && !isUnique(email, length)) length += 1;
    return maskedEmail(email, length);
  });
}

/**
 * Returns the stored form of a person's name: without surrounding spaces, and null instead of an empty text. A name that reads as an address could pose
 * as another person where people are shown by their address. @throws ServiceError VALIDATION_ERROR on `name`.
 */
export function nameOf(name: string | null | undefined): string | null {
  const text = name?.normalize('NFKC').trim() || null;
  if (text?.includes('@'))
    throw new ServiceError('VALIDATION_ERROR', '`name` must not contain an @, because it would look like the address of a person.', {
      field: 'name',
    });
  return text;
}
