import Box from '@mui/material/Box';
import Button from '@mui/material/Button';

interface PortOptionProps {
  readonly port: number;
  /** Goes back to the usual port. */
  readonly onUsual: () => void;
}

/** The port that was chosen where the usual one was taken, and the way back. */
export function PortOption({ port, onUsual }: PortOptionProps) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 600 }}>The API has port {port}</Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          It was chosen by hand and no other is taken. The usual one is 4801, or the next that is free.
        </Box>
      </Box>
      <Button onClick={onUsual}>Use the usual port from the next start</Button>
    </Box>
  );
}
