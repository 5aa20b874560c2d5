const KEPT = 'paydesk.email';

/** The e-mail address of the last sign-in on this workstation, or an empty text. */
export function rememberedEmail(): string {
  return localStorage.getItem(KEPT) ?? '';
}

export function rememberEmail(email: string): void {
  localStorage.setItem(KEPT, email);
}
