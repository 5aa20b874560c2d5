import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useQuery } from '@tanstack/react-query';
import type { ApiKey } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useMay } from '#renderer/session/user';
import { isWithinRights, type Rights } from '#shared/api-key-rights';
import { keysOfPeopleQuery } from './queries.ts';

interface LostKeysProps {
  /** The people whose rights are reduced: one person, or those of a role. */
  readonly people: { readonly createdById: string } | { readonly creatorRole: string };
  /** Rights that remain; null if the person is removed. */
  readonly rights: Rights | null;
  /** IDs of the keys that stay valid. */
  readonly kept: readonly string[];
  readonly onKept: (kept: string[]) => void;
}

/** List of the API keys that are revoked because they may do more than the remaining rights of their maker, with the choice to keep them. */
export function LostKeys({ people, rights, kept, onKept }: LostKeysProps) {
  const maySee = useMay()('api-keys:read');
  const keys = useQuery({ ...keysOfPeopleQuery(people), enabled: maySee });
  if (!maySee) return <Note>{t('API keys that exceed the permissions that remain after this change are revoked.')}</Note>;
  const lost = (keys.data?.items ?? []).filter((key) => !isWithinRights(key, rights));
  if (lost.length === 0) return null;
  const toggle = ({ id }: ApiKey) => onKept(kept.includes(id) ? kept.filter((each) => each !== id) : [...kept, id]);
  return (
    <Box role="group" aria-label={t('API keys that are revoked')} sx={{ display: 'grid', gap: 1 }}>
      <Note>
        {rights === null
          ? t(
              'This person created or extended these API keys. They are revoked, and programs that use them stop working. Select the keys to keep.',
            )
          : t(
              'These API keys exceed the permissions that remain after this change. They are revoked, and programs that use them stop working. Select the keys to keep.',
            )}
      </Note>
      {lost.map((key) => (
        <FormControlLabel
          key={key.id}
          control={<Checkbox size="small" checked={kept.includes(key.id)} onChange={() => toggle(key)} />}
          label={t('Keep {{name}} (…{{last4}})', { name: key.name, last4: key.last4 })}
          sx={{ marginInlineStart: -2 }}
        />
      ))}
    </Box>
  );
}

const Note = ({ children }: { readonly children: string }) => <Box sx={{ fontSize: 13 }}>{children}</Box>;
