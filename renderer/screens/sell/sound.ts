const NOTES_HZ = [660, 880] as const;
const NOTE_SECONDS = 0.09;
const VOLUME = 0.08;

/** Plays two short rising notes for an approved payment. */
export function playApprovedSound(): void {
  const context = new AudioContext();
  const gain = new GainNode(context, { gain: VOLUME });
  gain.connect(context.destination);
  const notes = NOTES_HZ.map((frequency, index) => {
    const note = new OscillatorNode(context, { frequency });
    note.connect(gain);
    note.start(context.currentTime + index * NOTE_SECONDS);
    note.stop(context.currentTime + (index + 1) * NOTE_SECONDS);
    return note;
  });
  notes.at(-1)?.addEventListener('ended', () => void context.close());
}
