import Box from '@mui/material/Box';
import { useEffect, useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { renderReceipt } from './receipt-frame.ts';
import type { RenderedReceipt } from './receipt-request.ts';

const CSS_PX_PER_MM = 96 / 25.4;

/**
 * The receipt as it will be on the paper, at its true size. The frame has the page's content security policy: no script in it would run.
 */
export function ReceiptPreview({ receipt }: { receipt: RenderedReceipt }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [heightPx, setHeightPx] = useState(0);
  useEffect(() => {
    if (frame.current) setHeightPx(Math.ceil(renderReceipt(frame.current, receipt) * CSS_PX_PER_MM));
  }, [receipt]);
  return (
    <Box
      sx={(theme) => ({
        display: 'flex',
        justifyContent: 'safe center',
        overflow: 'auto',
        maxHeight: 'min(520px, 56vh)',
        p: 4,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.wash,
        border: `1px solid ${theme.vars.palette.divider}`,
      })}
      // A region that scrolls must be reachable by key.
      tabIndex={0}
      role="region"
      aria-label={t('Preview')}
    >
      <iframe
        ref={frame}
        title={t('Receipt')}
        tabIndex={-1}
        style={{ flex: 'none', height: heightPx, border: 0, background: '#fff', boxShadow: '0 1px 3px rgb(8 14 20 / 0.2)' }}
      />
    </Box>
  );
}
