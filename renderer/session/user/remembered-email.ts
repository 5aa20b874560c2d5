const EMAIL_KEY = 'paydesk.email';
const EMAILS_KEY = 'paydesk.people';
/** A shared workstation rarely has more users. */
const EMAILS_MAX = 6;

/** Returns the email address of the last sign-in on this workstation, or an empty text. */
export function rememberedEmail(): string {
  return localStorage.getItem(EMAIL_KEY) ?? '';
}

/** Returns the email addresses of recent sign-ins on this workstation, the last one first. */
export function rememberedEmails(): readonly string[] {
  const stored: unknown = JSON.parse(localStorage.getItem(EMAILS_KEY) ?? '[]');
  return Array.isArray(stored) ? stored.filter((email): email is string => typeof email === 'string') : [];
}

export function rememberEmail(email: string): void {
  localStorage.setItem(EMAIL_KEY, email);
  const others = rememberedEmails().filter((known) => known !== email);
  localStorage.setItem(EMAILS_KEY, JSON.stringify([email, ...others].slice(0, EMAILS_MAX)));
}
