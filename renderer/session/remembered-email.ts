const KEPT = 'paydesk.email';
const PEOPLE = 'paydesk.people';
/** A shared desk is rarely used by more. */
const PEOPLE_MAX = 6;

/** The e-mail address of the last sign-in on this workstation, or an empty text. */
export function rememberedEmail(): string {
  return localStorage.getItem(KEPT) ?? '';
}

/** Email addresses of recent sign-ins on this workstation, the last one first. */
export function rememberedEmails(): readonly string[] {
  const kept: unknown = JSON.parse(localStorage.getItem(PEOPLE) ?? '[]');
  return Array.isArray(kept) ? kept.filter((email): email is string => typeof email === 'string') : [];
}

export function rememberEmail(email: string): void {
  localStorage.setItem(KEPT, email);
  const others = rememberedEmails().filter((known) => known !== email);
  localStorage.setItem(PEOPLE, JSON.stringify([email, ...others].slice(0, PEOPLE_MAX)));
}
