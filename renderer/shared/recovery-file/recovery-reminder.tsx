import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { Link } from 'react-router';
import { Trans, t } from '#renderer/base/language';
import { Banner } from '#renderer/kit/ui';
import { useIsSandbox, useMay } from '#renderer/session/user';
import { dismissFirstSaleNote, useIsFirstSaleNoteShown } from './first-sale-note.ts';
import { keysQuery } from './requests.ts';

/**
 * Reminder on every screen until the recovery file is saved, for users who may save it: on a live account always, in a sandbox once after
 * its first sale.
 */
export function RecoveryReminder() {
  const isSandbox = useIsSandbox();
  const isNoteShown = useIsFirstSaleNoteShown();
  const may = useMay();
  const isAsked = (!isSandbox || isNoteShown) && may('owner:keys');
  const { data: keys } = useQuery({ ...keysQuery, enabled: isAsked });
  if (!isAsked || !keys?.mayChange || keys.recoveryFileSavedAt !== null || keys.keptIn === 'memory') return null;
  if (!isSandbox) {
    return (
      <Banner icon={KeyRound} tone="warning">
        <Trans
          i18nKey="The recovery file isn’t saved yet. If this computer is lost, all stored cards are lost. <0>Save it now</0>"
          components={[<Link key="0" to="/system/keys" />]}
        />
      </Banner>
    );
  }
  return (
    <Banner icon={KeyRound} tone="warning">
      <Trans
        i18nKey="Cards are encrypted with a key that exists only on this computer. Save the recovery file before you take real cards: it restores them if the computer is lost. <0>Save it now</0>"
        components={[<Link key="0" to="/system/keys" />]}
      />
      <Button size="small" variant="text" onClick={dismissFirstSaleNote} sx={{ marginInlineStart: 2, minHeight: 24, py: 0 }}>
        {t('Later')}
      </Button>
    </Banner>
  );
}
