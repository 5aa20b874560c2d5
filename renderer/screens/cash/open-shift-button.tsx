import Button from '@mui/material/Button';
import { type Ref, useState } from 'react';
import { t } from '#renderer/base/language';
import { useMay } from '#renderer/session/user';
import { OpenShiftDialog } from './shift-dialogs.tsx';

interface OpenShiftButtonProps {
  readonly drawer: string;
  readonly buttonRef: Ref<HTMLButtonElement>;
  readonly onOpened: () => void;
}

/** Button that opens a shift at a drawer; nothing without the permission. */
export function OpenShiftButton({ drawer, buttonRef, onOpened }: OpenShiftButtonProps) {
  const [isOpening, setOpening] = useState(false);
  if (!useMay()('shifts:write')) return null;
  return (
    <>
      <Button ref={buttonRef} size="small" onClick={() => setOpening(true)}>
        {t('Open shift')}
      </Button>
      {isOpening && <OpenShiftDialog drawer={drawer} onClose={() => setOpening(false)} onOpened={onOpened} />}
    </>
  );
}
