import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Gateway } from '#renderer/client';
import { useMerchant } from '#renderer/session';
import { announce, FailureNote, StatusChip, TestBadge, TimeText, useNow } from '#renderer/ui';
import { refreshSettings } from '../sections.ts';
import { checkGateway } from './requests.ts';
import type { GatewayCheck } from './shape.ts';
import { checkWords, healthWords, holdWords, waitWords } from './words.ts';

const HEALTH_TICK_MS = 1_000;

interface GatewayEntryProps {
  readonly gateway: Gateway;
  /** Name of the processor. */
  readonly label: string;
  readonly canWrite: boolean;
  /** True if the user may request another check, which changes nothing. */
  readonly canCheck: boolean;
  /** Absent while it is not known what its processor wants. */
  readonly onEdit?: () => void;
  readonly onTurn: () => void;
  readonly isTurning: boolean;
  readonly onRemove: () => void;
  /** Error of the last operation on it. */
  readonly children?: ReactNode;
}

/** A gateway as the list shows it: what it is, what its processor says, whether it answers, and what can be done. */
export function GatewayEntry({ gateway, label, canWrite, canCheck, onEdit, onTurn, isTurning, onRemove, children }: GatewayEntryProps) {
  const merchant = useMerchant();
  const { name, status, priority, settings, check, health } = gateway;
  const now = useNow(health.state !== 'closed', HEALTH_TICK_MS);
  const again = useMutation({
    mutationFn: () => checkGateway(merchant.merchantId, gateway.id),
    onSuccess: (checked) => checked.check && announce(`${name}: ${checkWords(checked.check)}`),
    onSettled: () => refreshSettings(),
  });
  const { rest, ...chip } = healthWords(health, check, merchant.timezone, now);
  return (
    <Box
      component="li"
      aria-label={name}
      sx={(theme) => ({ display: 'grid', gap: 2, py: 4, borderTop: `1px solid ${theme.vars.palette.divider}` })}
    >
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <Box component="span" sx={{ color: 'text.secondary', minWidth: 20 }}>
          {priority}.
        </Box>
        <Box component="h2" sx={{ m: 0, fontSize: 14, lineHeight: '22px', fontWeight: 600, overflowWrap: 'anywhere' }}>
          {name}
        </Box>
        {settings?.mode === 'test' && <TestBadge />}
        <StatusChip state={status} />
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {[label, settings?.currency, settings?.origin?.replace(/^https?:\/\//, '')].filter(Boolean).join(', ')}
        </Box>
      </Box>
      {settings && (
        <Box sx={{ display: 'grid', gap: 2, pl: { sm: 7 }, fontSize: 13 }}>
          <Line chip={<StatusChip {...chip} />}>{rest}</Line>
          {check && (
            <Line chip={<StatusChip {...CHECKED[check.state]} />}>
              {checkWords(check)}{' '}
              <Box component="span" sx={{ color: 'text.secondary' }}>
                <TimeText at={check.at} timeZone={merchant.timezone} />
              </Box>
            </Line>
          )}
          <Box sx={{ color: 'text.secondary' }}>{holdWords(settings)}</Box>
        </Box>
      )}
      {(canWrite || canCheck) && (
        <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', pl: { sm: 4.5 }, '& button': { minWidth: 0 } }}>
          {canWrite && (
            <Button size="small" variant="text" disabled={!onEdit} onClick={onEdit} aria-label={`Edit ${name}`}>
              Edit
            </Button>
          )}
          {settings && canCheck && (
            <Button size="small" variant="text" loading={again.isPending} onClick={() => again.mutate()} aria-label={`Check ${name} again`}>
              Check again
            </Button>
          )}
          {canWrite && (
            <>
              <Button size="small" variant="text" loading={isTurning} onClick={onTurn} aria-label={`${turnWord(gateway)} ${name}`}>
                {turnWord(gateway)}
              </Button>
              <Button size="small" variant="text" color="error" onClick={onRemove} aria-label={`Remove ${name}`}>
                Remove
              </Button>
            </>
          )}
        </Box>
      )}
      {again.error && <FailureNote failure={again.error} />}
      {children}
    </Box>
  );
}

const CHECKED: Readonly<Record<GatewayCheck['state'], { state: string; word: string }>> = {
  ok: { state: 'ok', word: 'Account checked' },
  refused: { state: 'problem', word: 'Account refused' },
  unreachable: { state: 'warning', word: 'Account not checked' },
};

const turnWord = ({ status }: Gateway) => (status === 'active' ? 'Disable' : 'Enable');

function Line({ chip, children }: { chip: ReactNode; children?: ReactNode }) {
  return (
    <Box sx={{ display: 'flex', columnGap: 3, rowGap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
      {chip}
      {children && <Box sx={{ overflowWrap: 'anywhere' }}>{children}</Box>}
    </Box>
  );
}

/** Explains how the reasons against a removal disappear. */
export function WayOut({ details, settings }: { details: Readonly<Record<string, unknown>>; settings: Gateway['settings'] }) {
  const { reason, inDoubt } = details;
  const wait = waitWords(details, settings);
  return (
    <>
      {wait} {reason === 'in_use' && <Elsewhere to="/settings/routing">See the rules</Elsewhere>}
      {reason === 'payments_open' && typeof inDoubt === 'number' && inDoubt > 0 && <Elsewhere to="/doubts">See what is in doubt</Elsewhere>}
    </>
  );
}

function Elsewhere({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link component={RouterLink} to={to} underline="always">
      {children}
    </Link>
  );
}
