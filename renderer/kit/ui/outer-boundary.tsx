import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Component, type ReactNode } from 'react';
import { t } from '#renderer/base/language';

interface BoundaryState {
  readonly fault: Error | undefined;
}

/** Error boundary of the whole page: explains the error and offers a reload. */
export class OuterBoundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { fault: undefined };

  static getDerivedStateFromError(fault: Error): BoundaryState {
    return { fault };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    return fault ? <FaultNote fault={fault} /> : this.props.children;
  }
}

/** Replacement for a screen that failed. */
export function FaultNote({ fault }: { fault: Error }) {
  return (
    <Box component="main" role="alert" sx={{ maxWidth: 520, mx: 'auto', pt: 30, px: 4 }}>
      <Typography variant="h1" sx={{ mb: 2 }}>
        {t('Something went wrong on this page')}
      </Typography>
      <Typography sx={{ mb: 4 }}>
        {t('This error didn’t charge anything. Reload the page. If it happens again, send this message to support:')}
      </Typography>
      <Box className="mono" sx={{ mb: 6, p: 3, border: 1, borderColor: 'divider', borderRadius: 1, overflowWrap: 'anywhere' }}>
        {fault.message}
      </Box>
      <Button variant="contained" color="primary" onClick={() => location.reload()}>
        {t('Reload page')}
      </Button>
    </Box>
  );
}
