import { useIsMutating } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useDesktop } from './desktop.ts';

/** Keeps the application from restarting for an update while this page is sending a change, such as a sale. */
export function useRestartHold(): void {
  const { application } = useDesktop();
  const isSending = useIsMutating() > 0;
  useEffect(() => {
    void application?.holdRestart(isSending).catch(() => undefined);
  }, [application, isSending]);
}
