import { useIsSandbox, useMay } from '#renderer/session/user';

/** Returns true if the user may act at simulated card readers. */
export function useMaySimulate(): boolean {
  const may = useMay();
  return useIsSandbox() && may('settings:write') && may('terminals:read');
}
