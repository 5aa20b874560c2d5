import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Popover from '@mui/material/Popover';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, CircleDot } from 'lucide-react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '#renderer/base/language';
import { useIsSandbox, useMay } from '#renderer/session/user';
import { useMaySimulate } from '#renderer/shared/card-readers';
import { RecorderPanel, stepsOf, useHasRecorder } from './recorder.tsx';
import { newestRecordingQuery } from './recording-requests.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { SimulatedReaders } from './simulated-readers.tsx';
import { ClockPanel, useHasTestClock } from './test-clock.tsx';

/** A panel of the menu that can be open. */
export type SandboxPanel = 'clock' | 'recorder' | 'readers';

interface SandboxMenuProps {
  readonly openPanel: SandboxPanel | undefined;
  readonly onPanel: (panel: SandboxPanel | undefined) => void;
}

/** Menu in the header that only sandbox accounts have: test clock, recorder, simulated card readers and test cards. */
export function SandboxMenu(props: SandboxMenuProps) {
  return useIsSandbox() ? <SandboxTools {...props} /> : null;
}

function SandboxTools({ openPanel, onPanel }: SandboxMenuProps) {
  const hasTestClock = useHasTestClock();
  const hasRecorder = useHasRecorder();
  const hasReaders = useMaySimulate();
  const canSell = useMay()('transactions:write');
  const navigate = useNavigate();
  const { data: newest } = useQuery({ ...newestRecordingQuery, enabled: hasRecorder });
  const button = useRef<HTMLButtonElement>(null);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isReplaying, setReplaying] = useState(false);
  const running = newest?.state === 'recording' ? newest : undefined;
  const choose = (act: () => void) => () => {
    setMenuOpen(false);
    act();
  };
  const close = () => onPanel(undefined);
  return (
    <>
      <Button
        ref={button}
        size="small"
        variant="text"
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        title={t('Payments go to a simulated processor. No money moves.')}
        onClick={() => setMenuOpen(true)}
        startIcon={running && <CircleDot size={15} aria-hidden />}
        endIcon={<ChevronDown size={14} aria-hidden />}
        sx={(theme) => ({
          whiteSpace: 'nowrap',
          fontWeight: 600,
          color: theme.vars.palette.tone[running ? 'error' : 'warning'].main,
          backgroundColor: theme.vars.palette.tone[running ? 'error' : 'warning'].tint,
        })}
      >
        {running ? t('Sandbox, recording {{steps}}', { steps: stepsOf(running) }) : t('Sandbox', { context: 'environment' })}
      </Button>
      <Menu
        anchorEl={() => button.current}
        open={isMenuOpen}
        onClose={() => setMenuOpen(false)}
        slotProps={{ list: { 'aria-label': t('Sandbox', { context: 'environment' }) } }}
      >
        {hasTestClock && <MenuItem onClick={choose(() => onPanel('clock'))}>{t('Test clock')}</MenuItem>}
        {hasRecorder && <MenuItem onClick={choose(() => onPanel('recorder'))}>{t('Recorder')}</MenuItem>}
        {hasReaders && <MenuItem onClick={choose(() => onPanel('readers'))}>{t('Simulated card readers')}</MenuItem>}
        {canSell && <MenuItem onClick={choose(() => void navigate('/sell'))}>{t('Test cards on Sell')}</MenuItem>}
        <MenuItem component="a" href="/docs" target="_blank" rel="noreferrer" onClick={() => setMenuOpen(false)}>
          {t('API reference')}
        </MenuItem>
      </Menu>
      {hasTestClock && (
        <HeaderPopover label={t('Test clock')} anchor={button} isOpen={openPanel === 'clock'} onClose={close}>
          <ClockPanel />
        </HeaderPopover>
      )}
      {hasRecorder && (
        <HeaderPopover label={t('Recorder')} anchor={button} isOpen={openPanel === 'recorder'} onClose={close}>
          <RecorderPanel
            newest={newest ?? undefined}
            onReplay={() => {
              close();
              setReplaying(true);
            }}
          />
        </HeaderPopover>
      )}
      {hasReaders && <SimulatedReaders anchor={button} isOpen={openPanel === 'readers'} onClose={close} />}
      {isReplaying && <ReplayDialog onClose={() => setReplaying(false)} />}
    </>
  );
}

interface HeaderPopoverProps {
  /** Accessible name. */
  readonly label: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Panel below a button of the header. Esc closes it. */
function HeaderPopover({ label, anchor, isOpen, onClose, children }: HeaderPopoverProps) {
  return (
    <Popover
      open={isOpen}
      anchorEl={() => anchor.current}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': label,
          sx: (theme) => ({ width: 428, p: 5, mt: 1, border: `1px solid ${theme.vars.palette.divider}` }),
        },
      }}
    >
      {children}
    </Popover>
  );
}
