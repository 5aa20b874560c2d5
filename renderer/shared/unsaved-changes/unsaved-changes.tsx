import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { t } from '#renderer/base/language';
import { ConfirmDialog } from '#renderer/kit/ui';

interface UnsavedChangesProps {
  /** Returns true while leaving would lose changes; read at the moment of a navigation. */
  readonly hasChanges: () => boolean;
  /** True while a save is under way: a navigation waits for its end, and continues if nothing is unsaved then. */
  readonly isSaving: boolean;
  /** Text of the question. */
  readonly children: string;
}

/** Asks before a form with unsaved changes is left, by a link or by closing the window. */
export function UnsavedChanges({ hasChanges, isSaving, children }: UnsavedChangesProps) {
  const blocker = useBlocker(hasChanges);
  const latest = useRef(hasChanges);
  latest.current = hasChanges;
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => latest.current() && event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  useEffect(() => {
    if (blocker.state === 'blocked' && !isSaving && !latest.current()) blocker.proceed();
  });
  if (blocker.state !== 'blocked' || isSaving) return null;
  return (
    <ConfirmDialog
      title={t('Leave without saving?')}
      isOpen
      submitLabel={t('Leave without saving')}
      isDangerous
      onSubmit={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    >
      {children}
    </ConfirmDialog>
  );
}
