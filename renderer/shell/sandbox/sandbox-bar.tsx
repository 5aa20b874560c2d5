import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { useIsSandbox } from '#renderer/session/user';
import { useMaySimulate } from '#renderer/shared/card-readers';
import { Recorder, useHasRecorder } from './recorder.tsx';
import { SimulatedReaders } from './simulated-readers.tsx';
import { TestClock, useHasTestClock } from './test-clock.tsx';

/** A panel of the bar that can be open. */
export type SandboxPanel = 'clock' | 'recorder' | 'readers';

interface SandboxBarProps {
  readonly openPanel: SandboxPanel | undefined;
  readonly onPanel: (panel: SandboxPanel | undefined) => void;
}

/** Part of the header that only sandbox accounts have: their mark, test clock, recorder and simulated card readers. */
export function SandboxBar({ openPanel, onPanel }: SandboxBarProps) {
  const isSandbox = useIsSandbox();
  const hasTestClock = useHasTestClock();
  const hasRecorder = useHasRecorder();
  const hasReaders = useMaySimulate();
  const propsOf = (panel: SandboxPanel) => ({
    isOpen: openPanel === panel,
    onOpen: () => onPanel(panel),
    onClose: () => onPanel(undefined),
  });
  if (!isSandbox) return null;
  return (
    <>
      <Box
        component="span"
        title={t('Payments go to a simulated processor. No money moves.')}
        sx={(theme) => ({
          px: 2,
          borderRadius: 1,
          fontSize: 12,
          lineHeight: '22px',
          fontWeight: 650,
          letterSpacing: '0.06em',
          color: theme.vars.palette.tone.warning.main,
          backgroundColor: theme.vars.palette.tone.warning.tint,
        })}
      >
        {t('SANDBOX')}
      </Box>
      {hasTestClock && <TestClock {...propsOf('clock')} />}
      {hasRecorder && <Recorder {...propsOf('recorder')} />}
      {hasReaders && <SimulatedReaders {...propsOf('readers')} />}
    </>
  );
}
