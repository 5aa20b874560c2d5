import { t } from '#renderer/base/language';
import { onReset } from '#renderer/base/module-state';

/** Names of actors that are not a person or an API key. */
const NAMES: Readonly<Record<string, string>> = {
  service: 'Paydesk',
  demo: t('Sample data'),
  'sample data': t('Sample data'),
  nobody: t('Unknown user'),
};

/** Names of people by email address. */
let people: ReadonlyMap<string, string> = new Map();
onReset(() => {
  people = new Map();
});

/** Sets the people whose names are shown in place of their addresses. People with the same name keep their addresses. */
export function setPeople(named: readonly { readonly email: string; readonly name: string }[]): void {
  const isUnique = (name: string) => named.filter((person) => person.name === name).length === 1;
  people = new Map(named.filter(({ name }) => isUnique(name)).map(({ email, name }) => [email, name]));
}

/** Returns the displayed name of an actor: that of a person, or else the email address, the name of an API key, or Paydesk for its own jobs. */
export const actorText = (actor: string): string => NAMES[actor] ?? people.get(actor) ?? actor;
