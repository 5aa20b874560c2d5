import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { CloudOff, Unplug } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { failedRefundsQuery, type Health, listenForChanges, queryClient, useHealth } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useDesktop, useDueDisputeNotice, useFailingWebhookNotice, useRestartHold } from '#renderer/desktop/bridge';
import { usePanelPlaces } from '#renderer/kit/record';
import { announce, Banner, ClockOffset, Lazy, NOT_PRINTED } from '#renderer/kit/ui';
import { ConfirmationPrompt } from '#renderer/session/confirmation';
import { outageTexts, useOutage } from '#renderer/session/connectivity';
import { useIsTenantNowKnown, useTenantClockOffset, useTenantNow } from '#renderer/session/tenant-clock';
import { refreshMe, useIdleLock, useIsLocked, useIsSandbox, useMay, useMerchant } from '#renderer/session/user';
import { ApprovalPrompt, ReasonPrompt } from '#renderer/shared/approvals';
import { useMaySimulate, useOpenReader } from '#renderer/shared/card-readers';
import { ReceiptPrinterOverlays } from '#renderer/shared/receipt-queue';
import { RecoveryReminder } from '#renderer/shared/recovery-file';
import { GatewayBanner } from './gateway-banner.tsx';
import { Header } from './header.tsx';
import { KeyListDialog } from './key-list-dialog.tsx';
import { AreaColumn, areaOf, Rail, useRailWidth } from './navigation/index.ts';
import { OpenShiftBanner } from './open-shift-banner.tsx';
import { Palette } from './palette.tsx';
import { useRecentPagesRecorder } from './recent-pages.ts';
import type { SandboxPanel } from './sandbox/index.ts';
import { ToDoBar } from './to-do-bar.tsx';
import { useCommands } from './use-commands.ts';

/** Interval at which the text is checked for a new day. */
const DAY_CHECK_MS = 60_000;

/** Says on every screen that no gateway takes payments, since when, and what still works. */
function OutageBanner() {
  const outage = useOutage();
  const { merchantId, timezone } = useMerchant();
  const nowMs = useTenantNow(DAY_CHECK_MS);
  const texts = outage && outageTexts(outage, timezone, nowMs);
  const text = texts && `${texts.cause} ${texts.stopped} ${texts.goesOn}`;
  const known = useRef({ merchantId, text });
  useEffect(() => {
    const before = known.current.merchantId === merchantId ? known.current.text : null;
    if (text !== null && text !== before) announce(text);
    else if (text === null && before !== null) announce(t('The connection is back. Cards can be charged again.'));
    known.current = { merchantId, text };
  }, [merchantId, text]);
  if (text === null) return null;
  return (
    <Banner icon={Unplug} tone="error">
      {text}
    </Banner>
  );
}

const MESSAGES: Partial<Record<Health, string>> = {
  unreachable: t('The server isn’t responding. Your input is kept, and Paydesk continues automatically when the server is back.'),
  'database-down': t(
    'The database isn’t responding, so payments aren’t possible right now. Your input is kept, and Paydesk continues automatically when the database is back.',
  ),
  'database-damaged': t(
    'A database file is damaged, so payments and all other changes are stopped. To restore the data, see System > Status.',
  ),
  'disk-full': t('The disk is full, so payments and other changes fail. Free up disk space; System > Status shows which disk.'),
  outdated: t(
    'A newer version of Paydesk has upgraded the database. Update Paydesk on this workstation; until then it can’t take payments.',
  ),
};

/** Names the part that is down, on every screen, until it is up again. */
function DegradedBanner() {
  const { health } = useHealth();
  const message = MESSAGES[health];
  const wasDown = useRef(false);
  useEffect(() => {
    if (message) announce(message);
    // Queries that failed in the meantime are repeated immediately.
    else if (wasDown.current) void queryClient.invalidateQueries();
    wasDown.current = message !== undefined;
  }, [message]);
  if (!message) return null;
  return (
    <Banner icon={CloudOff} tone="error">
      {message}
    </Banner>
  );
}

const RIBBON_PX = 3;

const setBeside = (beside: HTMLElement | null) => usePanelPlaces.setState({ beside });

/** Frame of every screen: navigation, header, and global keys. */
export function Shell() {
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isKeyListOpen, setKeyListOpen] = useState(false);
  const [sandboxPanel, setSandboxPanel] = useState<SandboxPanel>();
  const openPalette = useCallback(() => setPaletteOpen(true), []);
  const openKeyList = useCallback(() => setKeyListOpen(true), []);
  useCommands({ openPalette, openKeyList, openSandboxPanel: setSandboxPanel });
  const isSandbox = useIsSandbox();
  const isNowKnown = useIsTenantNowKnown();
  const { pathname } = useLocation();
  const screen = pathname.split('/', 2)[1];
  const area = areaOf(pathname);
  const rail = useRailWidth();
  const clockOffset = useTenantClockOffset();
  useIdleLock();
  useLiveChanges();
  useFailureNotice();
  useFailingWebhookNotice();
  useDueDisputeNotice();
  useRestartHold();
  useRecentPagesRecorder();
  usePrintInLight();
  return (
    <Box
      sx={{
        display: 'grid',
        height: '100%',
        gridTemplateAreas: {
          xs: '"rail header" "rail column" "rail main"',
          md: '"rail header header header" "rail column main panel"',
        },
        gridTemplateColumns: { xs: `${rail.px}px minmax(0, 1fr)`, md: `${rail.px}px auto minmax(0, 1fr) auto` },
        gridTemplateRows: { xs: 'auto auto minmax(0, 1fr)', md: 'auto minmax(0, 1fr)' },
        pt: isSandbox ? `${RIBBON_PX}px` : 0,
        // A printed screen is its content only, over as many pages as it needs.
        '@media print': { display: 'block', height: 'auto', pt: 0 },
      }}
    >
      {isSandbox && (
        <Box
          aria-hidden
          sx={{
            position: 'fixed',
            inset: '0 0 auto 0',
            height: RIBBON_PX,
            zIndex: 'tooltip',
            backgroundColor: 'tone.warning.main',
            ...NOT_PRINTED,
          }}
        />
      )}
      <SkipLink />
      <Rail onKeyList={openKeyList} />
      <Header onPalette={openPalette} sandboxPanel={sandboxPanel} onSandboxPanel={setSandboxPanel} />
      {area && <AreaColumn area={area} />}
      <Box
        component="main"
        sx={{
          gridArea: 'main',
          overflow: 'auto',
          // A field that takes the focus stays above the actions that stick to the foot of a form.
          scrollPaddingBottom: 72,
          position: 'relative',
          display: 'flex',
          flexDirection: 'column',
          '@media print': { display: 'block', overflow: 'visible' },
        }}
      >
        <DegradedBanner />
        <OutageBanner />
        <GatewayBanner />
        <OpenShiftBanner />
        <RecoveryReminder />
        <ToDoBar />
        <Box key={screen} data-area={screen} sx={{ flex: 1, minHeight: 0 }}>
          {isNowKnown && (
            <ClockOffset value={clockOffset}>
              <Outlet />
            </ClockOffset>
          )}
        </Box>
      </Box>
      <Box ref={setBeside} sx={{ display: { xs: 'none', md: 'flex' }, gridArea: 'panel', minHeight: 0 }} />
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
      <OpenReader />
      <ReceiptPrinterOverlays />
      <ConfirmationPrompt />
      <ReasonPrompt />
      <ApprovalPrompt />
      <KeyListDialog isOpen={isKeyListOpen} onClose={() => setKeyListOpen(false)} />
    </Box>
  );
}

/** Leads the keyboard past the navigation. Visible while it has the focus. */
function SkipLink() {
  return (
    <Button
      variant="contained"
      color="primary"
      onClick={() => document.querySelector<HTMLElement>('main h1')?.focus()}
      sx={{ position: 'fixed', top: -60, left: 8, zIndex: 'tooltip', '&:focus': { top: 8 }, ...NOT_PRINTED }}
    >
      {t('Skip to content')}
    </Button>
  );
}

const loadReader = async () => (await import('./sandbox/simulated-reader.tsx')).SimulatedReader;

/** The simulated card reader that is open in this tab, if any. */
function OpenReader() {
  const terminalId = useOpenReader((state) => state.terminalId);
  const maySimulate = useMaySimulate();
  const isLocked = useIsLocked();
  if (terminalId === null || !maySimulate || isLocked) return null;
  return <Lazy key={terminalId} load={loadReader} props={{ terminalId }} />;
}

/** Keeps the screen up to date while it is visible. */
function useLiveChanges(): void {
  const isLocked = useIsLocked();
  useEffect(() => {
    if (isLocked) return undefined;
    // A merchant's settings are part of the user's data: the terminal uses them.
    return listenForChanges((topics) => {
      if (topics.includes('merchants')) void refreshMe().catch(() => undefined);
    });
  }, [isLocked]);
}

/** Prints in the light color scheme, whatever scheme the screen has. */
function usePrintInLight(): void {
  useEffect(() => {
    const root = document.documentElement;
    let shown: string | null = null;
    const before = () => {
      shown = root.getAttribute('data-scheme');
      root.setAttribute('data-scheme', 'light');
    };
    const after = () => shown !== null && root.setAttribute('data-scheme', shown);
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    };
  }, []);
}

/** Notifies about a declined refund without remaining attempts. */
function useFailureNotice(): void {
  const may = useMay();
  const { notify } = useDesktop();
  const { data: failed } = useQuery({ ...failedRefundsQuery, enabled: may('refunds:read') });
  const known = useRef<number>(undefined);
  useEffect(() => {
    if (failed !== undefined && known.current !== undefined && failed > known.current) {
      const body = t('{{count, number}} declined refunds failed after their last retry.', { count: failed });
      notify({ title: t('A refund needs attention'), body, open: '/refund-queue' });
    }
    known.current = failed;
  }, [failed, notify]);
}
