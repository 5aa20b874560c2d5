import type { Anchor } from '#core/records/audit';

interface Email {
  readonly subject: string;
  readonly body: string;
}

/** Returns the email with the last entry of an account's log. */
export const anchorText = (account: string, { position, hash }: Anchor): Email => ({
  subject: `Audit log of ${account}: entry ${position}`,
  body: `The last entry of the audit log of ${account} is number ${position}.

${position}:${hash}

Keep this email where the people who run Paydesk cannot change it. It proves that nothing up to this entry was changed later, and that the database was not restored to an earlier state. To verify the log, run:

paydesk audit verify --anchor ${position}:${hash}`,
});

/** Returns the email to an address that receives no further entries. */
export const lastAnchorText = (account: string, actorName: string, next: string | null): Email => ({
  subject: `You no longer receive the audit log of ${account}`,
  body: `${actorName} ${next === null ? 'ended the daily emails with the last entry of the audit log' : `changed the address that receives the last entry of the audit log every day to ${next}`}. Keep the earlier emails: each still proves that nothing up to its entry was changed. If you did not expect this, ask an owner of ${account}.`,
});
